import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { fixTitle, layerIn, stretchOf, withFix } from '../../../src/editor/diagnostics/problemText.ts';
import { readDefinitions } from '../../../src/host/config/readDefinitions.ts';
import type { DefinitionOrigin, DefinitionProblem } from '../../../src/host/config/serverDefinition.ts';
import { ofUser } from '../support/definitions.ts';

const folder = { uri: 'file:///projects/api', name: 'api' };
const mcpJson: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///m', folder };
const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };

function problemsIn(text: string, origin = mcpJson): readonly DefinitionProblem[] {
  const layer = layerIn(text, origin);
  return layer ? readDefinitions([layer]).problems : [];
}

/** The text after the first problem's fix. */
function fixed(text: string, origin = mcpJson): string {
  const [problem] = problemsIn(text, origin);
  assert.ok(problem);
  return withFix(text, problem) ?? 'no fix';
}

function underlined(text: string, origin = mcpJson): readonly string[] {
  return problemsIn(text, origin).map((problem) => {
    const { offset, length } = stretchOf(text, problem);
    return text.slice(offset, offset + length);
  });
}

suite('A problem is shown in its file', () => {
  for (const [what, text, expected] of [
    ['a misspelt field at its name', '{"mcpServers":{"a":{"comand":"x"}}}', '"comand"'],
    ['a missing command at the name of the server', '{"mcpServers":{"a":{}}}', '"a"'],
    [
      'an unknown variable at the argument',
      '{"mcpServers":{"a":{"command":"x","args":["y","${file}"]}}}',
      '"${file}"',
    ],
    ['a value of a variable at its name', '{"mcpServers":{"a":{"command":"x","env":{"A":[]}}}}', '"A"'],
    ['servers that are none at their name', '{"mcpServers":[]}', '"mcpServers"'],
    ['a wrong input at its field', '{"mcpServers":{},"inputs":[{"id":"a","type":"x"}]}', '"type"'],
    ['broken JSON where it breaks', '{"mcpServers":{"a":}}', '}'],
    ['a file without servers at its beginning', ' {}', '{'],
    ['servers under another name at that name', '{"servers":[]}', '"servers"'],
    ['a misspelt field below "servers"', '{"servers":{"a":{"command":"x","evn":{}}}}', '"evn"'],
    ['a misspelt field of a server without a wrapper', '{"a":{"command":"x","evn":{}}}', '"evn"'],
    ['a field that another program calls differently', '{"a":{"serverUrl":"ftp://x"}}', '"serverUrl"'],
    [
      'what another program has beside the address',
      '{"a":{"url":"https://x.example","oauthClientId":7}}',
      '"oauthClientId"',
    ],
  ] as const) {
    test(what, () => {
      assert.deepEqual(underlined(text), [expected]);
    });
  }

  test('even if the file is empty, or shorter than before', () => {
    const [problem] = problemsIn('{"mcpServers":{"a":{"comand":"x"}}}');
    assert.ok(problem);
    assert.deepEqual(stretchOf('', problem), { offset: 0, length: 1 });
    assert.equal(withFix('', problem), undefined);
    assert.deepEqual(stretchOf('{}', problem), { offset: 0, length: 1 });
    assert.equal(withFix('{"mcpServers":{"b":1}}', problem), undefined);
  });

  test('below the setting', () => {
    const servers = '{ "a": { "command": "x", "evn": {} } }';
    assert.deepEqual(underlined(`{ "mcpHost.servers": ${servers} }`, ofUser), ['"evn"']);
    assert.deepEqual(underlined(`{ "settings": { "mcpHost.servers": ${servers} } }`, ofWorkspace), ['"evn"']);
    assert.equal(layerIn('{ "mcpHost.servers": ', ofUser), undefined);
  });
});

suite('A quick fix keeps comments and formatting', () => {
  test('when it renames', () => {
    const text = '{ "mcpServers": { // ours\n\t"a": { /* x */ "comand" : "x", }, },\n}';
    assert.equal(fixed(text), text.replace('comand', 'command'));
  });

  for (const [what, before, after] of [
    [
      'a line of its own',
      '{\n  "a": {\n    // first\n    "colour": "red",\n    // what runs\n    "command": "x" // y\n  }\n}',
      '{\n  "a": {\n    // first\n    // what runs\n    "command": "x" // y\n  }\n}',
    ],
    [
      'the last one, with the comma before it',
      '{\n  "a": {\n    "command": "x", // y\n    "colour": "red"\n  }\n}',
      '{\n  "a": {\n    "command": "x" // y\n  }\n}',
    ],
    [
      'the last one with a comma of its own',
      '{ "a": { "command": "x", /* y */ "colour": "red", } }',
      '{ "a": { "command": "x", /* y */ } }',
    ],
    [
      'one among others in a line',
      '{ "a": { "colour": "red", "command": "x" } }',
      '{ "a": { "command": "x" } }',
    ],
  ] as const) {
    test(`when it removes ${what}`, () => {
      const settings = (servers: string): string => `{ "mcpHost.servers": ${servers} }`;
      assert.equal(fixed(settings(before), ofUser), settings(after));
      assert.deepEqual(problemsIn(settings(after), ofUser), []);
    });
  }

  test('when it inserts a field', () => {
    const text = '{\n  // ours\n  "mcpServers": {\n    "a": {\n      "args": [] // none\n    }\n  }\n}\n';
    const after = fixed(text);
    assert.ok(after.includes('// ours') && after.includes('// none'));
    assert.deepEqual(parse(after), { mcpServers: { a: { args: [], command: '' } } });
    assert.deepEqual(parse(fixed('{}')), { mcpServers: {} });
  });

  test('when it declares an input, the first or one more', () => {
    const servers = '"mcpHost.servers": { "a": { "command": "x", "args": ["${input:key}"] } }';
    const declared = { type: 'promptString', id: 'key', description: 'key', password: true };
    const inputsOf = (text: string): unknown => (parse(text) as Record<string, unknown>)['mcpHost.inputs'];
    const first = fixed(`{\n\t// mine\n\t${servers}\n}`, ofUser);
    assert.ok(first.startsWith('{\n\t// mine\n\t'));
    assert.deepEqual(inputsOf(first), [declared]);
    const other = { ...declared, id: 'other' };
    const more = fixed(`{ "mcpHost.inputs": [${JSON.stringify(other)}], ${servers} }`, ofUser);
    assert.deepEqual(inputsOf(more), [other, declared]);
    assert.deepEqual(problemsIn(more, ofUser), []);
  });

  test('when it puts an input in place of a secret', () => {
    const servers =
      '"a b": {\n      "url": "https://x.example", // ours\n      "oauth": { "clientSecret": "s3cret" } }';
    const declared = { type: 'promptString', id: 'a-b-client-secret', description: 'client secret for a b' };
    for (const [text, origin, key] of [
      [`{\n  "mcpHost.servers": {\n    ${servers}\n  }\n}`, ofUser, 'mcpHost.inputs'],
      [`{\n  "mcpServers": {\n    ${servers}\n  }\n}`, mcpJson, 'inputs'],
    ] as const) {
      const [problem] = problemsIn(text, origin);
      assert.ok(problem);
      assert.equal(fixTitle(problem), 'Replace the value of "clientSecret" with an input');
      assert.deepEqual(underlined(text, origin), ['"clientSecret"']);
      const after = fixed(text, origin);
      assert.ok(after.includes('// ours') && !after.includes('s3cret'), after);
      assert.ok(after.includes('"clientSecret": "${input:a-b-client-secret}"'), after);
      assert.deepEqual((parse(after) as Record<string, unknown>)[key], [{ ...declared, password: true }]);
      assert.deepEqual(problemsIn(after, origin), []);
    }
  });

  test('when the id of that input is taken', () => {
    const server =
      '"mcpHost.servers": { "a": { "url": "https://x.example", "oauth": { "privateKey": "x" } } }';
    const other = '{ "type": "promptString", "id": "a-private-key", "password": true }';
    const after = fixed(`{ ${server}, "mcpHost.inputs": [${other}] }`, ofUser);
    assert.ok(after.includes('"${input:a-private-key-2}"'), after);
    assert.deepEqual(problemsIn(after, ofUser), []);
  });
});
