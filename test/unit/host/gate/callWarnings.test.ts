import assert from 'node:assert/strict';
import type { ToolAnnotations } from '@modelcontextprotocol/client';
import { callWarnings, type CallFacts } from '../../../../src/host/gate/callWarnings.ts';

const facts = { folders: ['/projects/api', '/projects/web'], home: '/home/ann' };
const warningsOf = (args: Readonly<Record<string, unknown>>, more: Partial<CallFacts> = {}) =>
  callWarnings({ ...facts, args, ...more }).warnings;

suite('What is pointed out of a request', () => {
  suite('that looks like a secret', () => {
    // Put together, so that nothing here looks like one to those who search for them.
    const dashes = '-'.repeat(5);
    const secrets: [string, string][] = [
      [`ghp_${'a1'.repeat(18)}`, 'a GitHub token'],
      [`token is github_pat_${'a1'.repeat(20)}`, 'a GitHub token'],
      [`glpat-${'a1'.repeat(10)}`, 'a GitLab token'],
      [`sk-proj-${'a1'.repeat(20)}`, 'an API key'],
      [`AKIA${'A1'.repeat(8)}`, 'an AWS key'],
      [`xoxb-${'12'.repeat(8)}`, 'a Slack token'],
      [`AIza${'a'.repeat(35)}`, 'a Google key'],
      [`npm_${'a'.repeat(36)}`, 'an npm token'],
      [`sk_live_${'a1'.repeat(10)}`, 'a Stripe key'],
      [`${dashes}BEGIN RSA PRIVATE KEY${dashes}\nMII`, 'a private key'],
      [`${dashes}BEGIN PRIVATE KEY${dashes}`, 'a private key'],
      [`eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.c`, 'a signed token (JWT)'],
      [`Authorization: Bearer ${'a1'.repeat(10)}`, 'a bearer token'],
      ['postgres://ann:hunter2@db/x', 'credentials in an address'],
      ['PASSWORD=hunter2hunter2', 'a password or key'],
      ['{"api_key": "abcdefgh"}', 'a password or key'],
      ["client_secret: 'abcdefgh'", 'a password or key'],
    ];
    for (const [text, what] of secrets) {
      test(`${what}: ${text.slice(0, 20)}…`, () => {
        const warnings = warningsOf({ content: text });
        assert.deepEqual(warnings, [`The argument 'content' has what looks like ${what}.`]);
      });
    }

    test('is named by its place, and not repeated', () => {
      const value = 'correct-horse-9';
      const warnings = warningsOf({ env: [{ DB_PASSWORD: value }], token: value, accessToken: value });
      assert.deepEqual(warnings, [
        "The argument 'env[0].DB_PASSWORD' has what looks like a secret, by its name.",
        "The argument 'token' has what looks like a secret, by its name.",
        "The argument 'accessToken' has what looks like a secret, by its name.",
      ]);
      assert.ok(!warnings.join().includes(value));
    });

    for (const text of [
      'password: string;',
      'const password = readPassword();',
      'if (token === undefined) {}',
      'PASSWORD=${PASSWORD}',
      'password = "${DB_PASSWORD}"',
      'risk-assessment-of-everything-2024',
      'the secret of a good password is its length',
      'Bearer of bad news',
      'https://example.invalid/a@b:c',
    ]) {
      test(`is not: ${text}`, () => assert.deepEqual(warningsOf({ content: text }), []));
    }

    test('is no cursor, no number and no sentence', () => {
      assert.deepEqual(
        warningsOf({ pageToken: 'abcdef', next_token: 'abcdef', max_token: 9, secret: 'a b', password: '' }),
        [],
      );
    });

    test('is looked for in a long text within moments', () => {
      const long = ['eyJ', 'sk-', 'password', '://', ' ', 'a-', 'Bearer ', 'AKIA'].map((one) =>
        one.repeat(Math.ceil(500_000 / one.length)),
      );
      const before = performance.now();
      warningsOf({ long });
      assert.ok(performance.now() - before < 60_000);
    });
  });

  suite('as a path outside the workspace', () => {
    const outside: [string, string?][] = [
      ['/etc/passwd'],
      ['/'],
      ['/projects/api-secret/x'],
      ['/projects/api/../other'],
      ['/projects'],
      ['~'],
      ['~/.ssh/id_rsa'],
      ['~root/x'],
      ['$HOME/.ssh'],
      ['%USERPROFILE%\\x'],
      ['../other/x'],
      ['src/../../other'],
      ['..\\other'],
      ['file:///etc/passwd'],
      ['file:///projects/api/%2e%2e/other'],
      ['file:///projects/api/..%2Fother'],
      ['file://machine/projects/api'],
      ['C:\\Windows\\System32'],
      ['c:/Windows'],
      ['\\\\machine\\share'],
      ['/home/ann/My Documents/a.txt'],
      ['cat /etc/passwd', '/etc/passwd'],
      ['cat "/etc/passwd"; rm -rf ~/x', '/etc/passwd, ~/x'],
      ['run --file=/etc/shadow -v /opt:/projects/api', '/etc/shadow, /opt'],
      ['/bin/cat /etc/passwd', '/bin/cat, /etc/passwd'],
    ];
    for (const [text, named = text] of outside) {
      test(text, () => {
        const paths = named.includes(', ') ? 'paths' : 'a path';
        assert.deepEqual(warningsOf({ path: text }), [
          `The argument 'path' names ${paths} outside the workspace's folders: ${named}`,
        ]);
      });
    }

    for (const text of [
      '',
      'src/index.ts',
      './src',
      '/projects/api',
      '/projects/api/',
      '/projects/web/a b.txt',
      '/projects/api/../api/x',
      '/projects/api/..hidden',
      'file:///projects/api/a%20b',
      'src/../lib',
      'https://example.invalid/../x',
      '// a comment',
      'a and/or b',
      'to be or not to be...',
      'import x from "../../y";\nimport z from "/z";',
    ]) {
      test(`is not: ${text}`, () => assert.deepEqual(warningsOf({ path: text }), []));
    }

    test('of Windows, without regard to case', () => {
      const windows = { folders: ['C:\\Projects\\api'], home: 'C:\\Users\\ann' };
      const [inside, twin, drive, parent] = ['c:/projects/API/x', 'C:\\Projects\\api2', 'D:\\x', '..\\x'];
      const path = (one: string) => [
        `The argument 'path' names a path outside the workspace's folders: ${one}`,
      ];
      assert.deepEqual(warningsOf({ path: inside }, windows), []);
      for (const one of [twin, drive, parent, '~\\x', 'file:///D:/x', '\\\\machine\\share']) {
        assert.deepEqual(warningsOf({ path: one }, windows), path(one));
      }
      assert.deepEqual(warningsOf({ path: 'file:///c%3A/projects/api/x' }, windows), []);
    });

    test('where no folder is open', () => {
      assert.deepEqual(warningsOf({ path: '/etc' }, { folders: [] }), [
        "The argument 'path' names a path while no folder is open: /etc",
      ]);
    });

    test('in the address of a resource', () => {
      assert.deepEqual(callWarnings({ ...facts, uri: 'file:///etc/passwd' }).warnings, [
        "The address names a path outside the workspace's folders: file:///etc/passwd",
      ]);
      assert.deepEqual(callWarnings({ ...facts, uri: 'git://log' }).warnings, []);
    });

    test('with what cannot be seen written out', () => {
      const [path] = warningsOf({ path: '/etc/\u202Ex' });
      assert.ok(path?.endsWith(String.raw`: /etc/\u{202E}x`), path);
    });
  });

  test('has invisible characters', () => {
    const sentence = 'has invisible characters, which are written out here.';
    assert.deepEqual(warningsOf({ a: 'x\u202Ey', b: { c: ['\u200B'] }, d: 'one\r\n\ttwo 👩‍👩‍👧' }), [
      `The argument 'a' ${sentence}`,
      `The argument 'b.c[0]' ${sentence}`,
    ]);
    assert.deepEqual(warningsOf({ a: [{ 'x\u200B': 1 }] }), [`The name of an argument ${sentence}`]);
  });

  test('is a tool that is new', () => {
    assert.deepEqual(warningsOf({}, { isNew: true }), ['This tool is new since the server was allowed.']);
  });

  const claims: [ToolAnnotations, readonly string[]][] = [
    [{}, []],
    [{ title: 'x' }, []],
    [{ readOnlyHint: true, destructiveHint: true, idempotentHint: true }, ['It only reads.']],
    [
      { readOnlyHint: false, destructiveHint: true },
      ['It may change things.', 'It may destroy or overwrite.'],
    ],
    [{ destructiveHint: false }, ['It only adds, and destroys nothing.']],
    [{ idempotentHint: true }, ['Run again, it changes nothing more.']],
    [{ idempotentHint: false }, []],
    [{ openWorldHint: true }, ['It may reach other systems, such as the web.']],
    [{ openWorldHint: false }, ['It reaches no other systems.']],
  ];
  for (const [annotations, expected] of claims) {
    test(`is the claim ${JSON.stringify(annotations)}`, () => {
      assert.deepEqual(callWarnings({ ...facts, annotations }), { warnings: [], claims: expected });
    });
  }
});
