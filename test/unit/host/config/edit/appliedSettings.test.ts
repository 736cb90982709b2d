import assert from 'node:assert/strict';
import { isAppliedFile } from '../../../../../src/host/config/edit/appliedSettings.ts';

const applied: Readonly<Record<string, unknown>> = {
  'mcpHost.servers': { git: { command: 'git' } },
  'editor.rulers': [80, 100],
};
const servers = '"mcpHost.servers": { "git": { "command": "git" } }';
const rulers = '"editor.rulers": [80, 100]';

const texts: readonly (readonly [string, string, 'never' | 'if known' | 'always'])[] = [
  ['has all settings with their values', `{ ${servers}, ${rulers} }`, 'always'],
  ['has comments', `\uFEFF{\r\n  // mine\r\n  ${rulers}, /* and */ ${servers},\r\n}`, 'always'],
  ['has a setting that the editor has not applied', `{ ${servers}, "a.path": "/bin" }`, 'if known'],
  ['has another value of a setting', `{ ${servers}, "editor.rulers": [80] }`, 'never'],
  ['has other definitions', '{ "mcpHost.servers": {} }', 'never'],
  ['has no definitions', `{ ${rulers} }`, 'never'],
  [
    'has inputs that the editor has not applied',
    `{ ${servers}, "mcpHost.inputs": [{ "id": "a" }] }`,
    'never',
  ],
  ['has no settings', '{}', 'never'],
  ['is empty', '', 'never'],
  ['is a list', '[]', 'never'],
  ['is not valid', `{ ${servers}, `, 'never'],
];

suite('The file of the settings that the editor has applied', () => {
  for (const [title, text, expected] of texts) {
    test(`${expected === 'never' ? "isn't" : `is (${expected})`} one that ${title}`, () => {
      const isOne = (canLack: boolean): boolean => isAppliedFile(text, (name) => applied[name], canLack);
      assert.deepEqual([isOne(false), isOne(true)], [expected === 'always', expected !== 'never']);
    });
  }

  test("isn't an empty file, even if the editor has applied nothing", () => {
    assert.equal(
      isAppliedFile('{}', () => undefined, true),
      false,
    );
  });
});
