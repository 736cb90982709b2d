import assert from 'node:assert/strict';
import { labelsOf, withoutShadowed } from '../../../../src/host/config/serverNames.ts';
import type { DefinitionOrigin } from '../../../../src/host/config/serverDefinition.ts';
import { ofCopilot, ofUser, stdioServer } from '../../support/definitions.ts';

const inFolder = (name: string): DefinitionOrigin => {
  const folder = { uri: `file:///${name}`, name };
  return { scope: 'folder', format: 'mcpJson', place: `${folder.uri}/.mcp.json`, folder };
};
const all = {
  user: stdioServer([], { name: 'git', origin: ofUser }),
  copilot: stdioServer([], { name: 'git', origin: ofCopilot }),
  api: stdioServer([], { name: 'git', origin: inFolder('api') }),
  web: stdioServer([], { name: 'git', origin: inFolder('web') }),
};
type Place = keyof typeof all;

suite('Of several definitions of one name', () => {
  /** Where it is defined, what you prefer, and what runs. */
  const rows: readonly (readonly [readonly Place[], readonly Place[], readonly Place[]])[] = [
    [['copilot', 'user'], [], ['user']],
    [['api', 'copilot'], [], ['copilot']],
    [['user', 'copilot', 'api', 'web'], [], ['user']],
    [['api', 'web'], [], ['api', 'web']],
    [['user', 'copilot', 'api'], ['copilot'], ['copilot']],
    [['user', 'copilot', 'api'], ['api'], ['api']],
    [['copilot', 'api', 'web'], ['web'], ['web']],
    [
      ['user', 'copilot', 'api', 'web'],
      ['api', 'web'],
      ['api', 'web'],
    ],
    // What is preferred at two levels, from a time when one of the files had none.
    [['user', 'copilot', 'api'], ['copilot', 'api'], ['copilot']],
    // What you prefer to nothing that takes precedence hides nothing.
    [['api', 'web'], ['web'], ['api', 'web']],
  ];
  for (const [defined, preferred, running] of rows) {
    const choice = preferred.length > 0 ? `, if you prefer that of ${preferred.join(' and ')},` : '';
    test(`in ${defined.join(', ')}${choice} that of ${running.join(' and ')} runs`, () => {
      const ids = preferred.map((place) => all[place].id);
      const { effective, shadowed } = withoutShadowed(
        defined.map((place) => all[place]),
        (id) => ids.includes(id),
      );
      assert.deepEqual(
        effective,
        running.map((place) => all[place]),
      );
      assert.equal(shadowed.length, defined.length - running.length);
      const [first] = running;
      assert.ok(first);
      assert.ok(shadowed.every(({ by }) => by === all[first]));
    });
  }

  test('labels say where each is', () => {
    assert.deepEqual(
      [...labelsOf(Object.values(all)).values()],
      ['git (user)', 'git (Copilot)', 'git (api, .mcp.json)', 'git (web, .mcp.json)'],
    );
  });
});
