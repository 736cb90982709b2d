import assert from 'node:assert/strict';
import type { WrittenLaunch } from '../../../../../src/host/config/serverDefinition.ts';
import {
  serverFormOf,
  readForm,
  type FormPlace,
  type ServerForm,
} from '../../../../../src/host/config/form/serverForm.ts';

const settings: FormPlace = {
  where: 'settings',
  scope: 'user',
  taken: { servers: new Set(['kept']), inputs: new Set(['git-token']) },
};

function form(launch: WrittenLaunch, more: Partial<ServerForm> = {}): ServerForm {
  return { ...serverFormOf('git', 'settings:user', launch), ...more };
}

const stdio: WrittenLaunch = { type: 'stdio', command: 'uvx', args: ['mcp-server-git'], env: {} };
const http: WrittenLaunch = { type: 'http', url: 'https://x.example/mcp', headers: {} };

suite('The form of a server', () => {
  test('gives the launch that it was made from', () => {
    const launches: readonly WrittenLaunch[] = [
      stdio,
      http,
      { ...stdio, args: ['', ' a ', 'x\r\ny'], env: { A: '1', B: '' }, cwd: '/c', envFile: '.env' },
      { ...http, type: 'sse', headers: { Accept: 'x' } },
    ];
    for (const launch of launches) {
      const { draft, problems } = readForm(form(launch), [], settings);
      assert.deepEqual(draft.launch, launch);
      assert.deepEqual(problems, []);
    }
  });

  const problems: readonly [string, ServerForm, readonly string[]][] = [
    ['a name that is taken', form(stdio, { name: 'kept' }), ['name']],
    ['no name', form(stdio, { name: ' ' }), ['name']],
    ['no command', form(stdio, { command: ' ' }), ['command']],
    ['no address', form(http, { url: 'x.example' }), ['url']],
    ['a variable without a name', form(stdio, { env: [{ name: '', value: 'x' }] }), ['env.0.name']],
    ['a name twice', form(stdio, { env: ['A', 'A'].map((name) => ({ name, value: '1' })) }), ['env.1.name']],
    ['a header with spaces', form(http, { headers: [{ name: 'a b', value: '1' }] }), ['headers.0.name']],
  ];
  for (const [what, typed, fields] of problems) {
    test(`shows at the field what is wrong: ${what}`, () => {
      const found = readForm(typed, [], settings).problems;
      assert.deepEqual(
        found.map(({ field }) => field),
        fields,
      );
    });
  }

  test('leaves out empty rows', () => {
    const empty = { name: '', value: '' };
    const { draft, problems: found } = readForm(
      form(stdio, { env: [empty, { name: 'A', value: '1' }] }),
      [],
      settings,
    );
    assert.deepEqual([draft.launch.type === 'stdio' && draft.launch.env, found], [{ A: '1' }, []]);
  });

  test('says what a .mcp.json does not support', () => {
    const typed = form({ ...stdio, args: ['${workspaceFolder:api}'] });
    const { problems: found } = readForm(typed, [], { ...settings, where: 'mcpJson' });
    assert.deepEqual(
      found.map(({ field }) => field),
      ['place'],
    );
  });

  for (const [text, note] of [
    ['plain', undefined],
    [
      '${env:A}',
      /^Older versions of VS Code don't replace \$\{A\} in this file; Copilot CLI and Claude Code do\.$/,
    ],
    ['${workspaceFolder}/x', /^Other programs that read this file don't know \$\{workspaceFolder\}/],
    ['${input:key}', /^Other programs that read this file don't know \$\{input:key\}/],
  ] as const) {
    test(`says what other programs make of ${text} in a .mcp.json`, () => {
      const typed = form({ ...stdio, args: [text] });
      const { hints, problems: found } = readForm(typed, [], { ...settings, where: 'mcpJson' });
      assert.deepEqual(found, []);
      assert.match(hints.find(({ field }) => field === 'place')?.text ?? '', note ?? /^$/);
      assert.deepEqual(readForm(typed, [], settings).hints, []);
    });
  }

  test('writes an environment variable in a .mcp.json as the file does', () => {
    const typed = form({ ...stdio, args: ['${env:A}'] });
    const argsIn = (hasEnv: boolean): unknown => {
      const place = { ...settings, where: 'mcpJson', taken: { ...settings.taken, hasEnv } } as const;
      const { launch } = readForm(typed, [], place).draft;
      return launch.type === 'stdio' && launch.args;
    };
    assert.deepEqual([argsIn(false), argsIn(true)], [['${A}'], ['${env:A}']]);
  });

  test('keeps secrets out of the file, under ids that are not taken', () => {
    const typed = form({ ...stdio, env: { TOKEN: 'abc' } });
    const { draft, secrets } = readForm(typed, [], settings);
    assert.deepEqual(secrets, [{ key: 'env:TOKEN', field: 'env.0.value', isKept: true }]);
    assert.deepEqual(draft.launch.type === 'stdio' && draft.launch.env, { TOKEN: '${input:git-token-2}' });
    assert.deepEqual([...draft.values], [['git-token-2', 'abc']]);
  });

  test('leaves a secret in the file if you choose', () => {
    const typed = form({ ...stdio, args: ['--api-key', 'abc'] }, { kept: { 'args:abc': false } });
    const { draft, secrets } = readForm(typed, [], settings);
    assert.deepEqual(secrets, [{ key: 'args:abc', field: 'args.1', isKept: false }]);
    assert.deepEqual(draft.launch, typed.type === 'stdio' && { ...stdio, args: ['--api-key', 'abc'] });
  });

  test('asks for a secret if there is only an example', () => {
    const typed = form({ ...http, headers: { Authorization: 'Bearer <YOUR_TOKEN>' } });
    assert.deepEqual(typed.headers, [{ name: 'Authorization', value: 'Bearer ' }]);
    const { draft, hints } = readForm(typed, [], settings);
    assert.deepEqual(draft.launch.type === 'http' && draft.launch.headers, {
      Authorization: 'Bearer ${input:git-authorization}',
    });
    assert.equal(draft.values.size, 0);
    assert.match(hints[0]?.text ?? '', /Enter Authorization here/);
  });

  test('keeps what was entered for an input, whatever its form', () => {
    const typed = form({ ...stdio, env: { TOKEN: '' } }, { env: [{ name: 'TOKEN', value: 'my-secret' }] });
    assert.deepEqual([...readForm(typed, [], settings).draft.values.values()], ['my-secret']);
    const asked = form({ ...stdio, env: { A: '${input:a}' } }, { values: [{ name: 'a', value: 'x' }] });
    const { draft } = readForm(asked, [{ type: 'promptString', id: 'a', password: false }], settings);
    assert.deepEqual([...draft.values], [['a', 'x']]);
  });

  test('points out placeholders of documentation', () => {
    const { hints, problems: found } = readForm(
      form({ ...stdio, args: ['/path/to/repo', '<dir>'] }),
      [],
      settings,
    );
    assert.deepEqual([hints.map(({ field }) => field), found], [['args.0', 'args.1'], []]);
  });
});

suite('The sign-in on the page of a server', () => {
  const oauth = {
    clientId: 'x',
    scopes: ['a', 'b'],
    issuer: 'https://y.example',
    clientSecret: '${input:secret}',
    clientMetadataUrl: 'https://y.example/client.json',
    grantType: 'client_credentials',
    assumePkce: true,
  } as const;
  const declared = [{ type: 'promptString', id: 'secret', password: true }] as const;
  const typed = (values: Readonly<Record<string, string>>, launch = http): ServerForm => {
    const shown = form(launch);
    return {
      ...shown,
      signIn: shown.signIn.map(({ name, value }) => ({ name, value: values[name] ?? value })),
    };
  };
  const signInIn = ({ draft }: ReturnType<typeof readForm>): unknown =>
    draft.launch.type === 'stdio' ? 'a process' : draft.launch.oauth;

  test('is kept, with what the page does not show', () => {
    const reading = readForm(form({ ...http, oauth }), declared, settings);
    assert.deepEqual(signInIn(reading), oauth);
    assert.deepEqual([reading.problems, reading.secrets, reading.hints], [[], [], []]);
    assert.deepEqual(reading.draft.inputs, declared);
  });

  test('is nothing while nothing is entered', () => {
    assert.deepEqual(readForm(form(http), [], settings).draft.launch, http);
    assert.deepEqual(signInIn(readForm(typed({ clientId: ' ', scopes: '' }), [], settings)), undefined);
  });

  test('is read from what is typed', () => {
    const reading = readForm(
      typed({ clientId: ' x ', scopes: ' a  b ', issuer: 'https://y.example' }),
      [],
      settings,
    );
    assert.deepEqual(signInIn(reading), { clientId: 'x', scopes: ['a', 'b'], issuer: 'https://y.example' });
    const removed = readForm(typed({ clientId: '', scopes: 'c' }, { ...http, oauth }), declared, settings);
    const { clientId: _, ...rest } = oauth;
    assert.deepEqual(signInIn(removed), { ...rest, scopes: ['c'] });
  });

  test('has its secret out of the file, whatever you choose', () => {
    const shown = typed({ clientSecret: 's3cret' });
    const reading = readForm({ ...shown, kept: { 'oauth:clientSecret': false } }, [], settings);
    assert.deepEqual(signInIn(reading), { clientSecret: '${input:git-client-secret}' });
    assert.deepEqual([...reading.draft.values], [['git-client-secret', 's3cret']]);
    assert.deepEqual(reading.secrets, [
      { key: 'oauth:clientSecret', field: 'signIn.clientSecret', isKept: true, isAlwaysKept: true },
    ]);
    const example = readForm(typed({ clientSecret: '<YOUR_SECRET>' }), [], settings);
    assert.equal(example.draft.values.size, 0);
    assert.match(example.hints[0]?.text ?? '', /Enter the client secret here/);
  });

  test('has a problem at its field, which never says the secret', () => {
    const values = {
      clientSecret: 'x${env:SECRET}',
      issuer: 'http://y.example',
      scopes: 'a"',
      redirectUri: 'x',
    };
    const { problems } = readForm(typed(values), [], settings);
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['signIn.clientSecret', 'signIn.scopes', 'signIn.issuer', 'signIn.redirectUri'],
    );
    assert.match(problems[0]?.text ?? '', /Enter the secret itself/);
    assert.ok(!JSON.stringify(problems).includes('x${env'));
  });

  test('loosens nothing in a file of a workspace', () => {
    const shown = form({ ...http, oauth: { clientId: 'x', assumePkce: true, omitResource: true } });
    assert.deepEqual(signInIn(readForm(shown, [], { ...settings, scope: 'folder' })), { clientId: 'x' });
    const elsewhere = typed({ redirectUri: 'https://vscode.dev/redirect' });
    assert.deepEqual(readForm(elsewhere, [], settings).problems, []);
    const [problem] = readForm(elsewhere, [], { ...settings, scope: 'folder' }).problems;
    assert.equal(problem?.field, 'signIn.redirectUri');
  });

  test('is not that of a process', () => {
    const reading = readForm({ ...form(stdio), signIn: [{ name: 'issuer', value: 'x' }] }, [], settings);
    assert.deepEqual([reading.draft.launch, reading.problems], [stdio, []]);
  });

  test('has only fields that there are', () => {
    const signIn = ['__proto__', 'constructor', 'other'].map((name) => ({ name, value: 'x' }));
    assert.deepEqual(readForm({ ...form(http), signIn }, [], settings).draft.launch, http);
  });
});
