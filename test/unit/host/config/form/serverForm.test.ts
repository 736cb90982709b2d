import assert from 'node:assert/strict';
import type { WrittenLaunch } from '../../../../../src/host/config/serverDefinition.ts';
import {
  formOf,
  readForm,
  type FormPlace,
  type ServerForm,
} from '../../../../../src/host/config/form/serverForm.ts';

const settings: FormPlace = {
  where: 'settings',
  taken: { servers: new Set(['kept']), inputs: new Set(['git-token']) },
};

function form(launch: WrittenLaunch, more: Partial<ServerForm> = {}): ServerForm {
  return { ...formOf('git', 'settings:user', launch), ...more };
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

  test('leaves out rows that nobody has filled in', () => {
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
