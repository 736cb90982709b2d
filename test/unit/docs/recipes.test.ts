import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../editor/paths.mjs';
import { parseJsonc } from '../../../src/host/errors/jsonError.ts';
import { readDefinitions } from '../../../src/host/config/readDefinitions.ts';
import type { DefinitionOrigin, ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { launchWarnings } from '../../../src/host/launch/warnings/launchWarnings.ts';
import { ofUser } from '../support/definitions.ts';

const ofFolder: DefinitionOrigin = {
  scope: 'folder',
  format: 'mcpJson',
  place: 'file:///projects/api/.mcp.json',
};
const text = readFileSync(join(root, 'docs/getting-started.md'), 'utf8');
const recipes = [...text.matchAll(/^( *)```(json|jsonc)\n([^]*?)^\1```$/gm)].map(
  ([, , language, code = '']) =>
    language === 'json' ? { origin: ofFolder, text: code } : { origin: ofUser, ...settings(code) },
);

suite('The recipes to get started', () => {
  const read = recipes.map((layer) => readDefinitions([layer]));
  const servers = read.flatMap(({ definitions }) => definitions);

  test('are definitions without a problem, ten of them together', () => {
    assert.deepEqual(
      read.flatMap(({ problems }) => problems.map(({ message }) => message)),
      [],
    );
    assert.deepEqual(
      read.map(({ definitions }) => definitions.length),
      [10, 1, 1, 1, 1, 1],
    );
  });

  test('have a warning where the page says so, and nowhere else', () => {
    assert.deepEqual(
      servers.filter((one) => warningsOf(one).length > 0).map(({ name }) => name),
      ['mine'],
    );
  });

  test('declare each input that they use', () => {
    assert.deepEqual(
      servers.flatMap(({ inputs }) => inputs.map(({ id }) => id)),
      ['github-token'],
    );
  });
});

function settings(code: string): { readonly servers: unknown; readonly inputs: unknown } {
  const errors: Parameters<typeof parseJsonc>[1] = [];
  const parsed = parseJsonc(`{${code}}`, errors) as Readonly<Record<string, unknown>>;
  assert.deepEqual(errors, []);
  return { servers: parsed['mcpHost.servers'], inputs: parsed['mcpHost.inputs'] };
}

/** The warnings in a window with the folder `/projects/api`, whose path replaces the variable. */
function warningsOf(server: ServerDefinition): readonly string[] {
  const definition = JSON.parse(
    JSON.stringify(server).replaceAll('${workspaceFolder}', '/projects/api'),
  ) as ServerDefinition;
  const workingDirectory = server.origin.scope === 'folder' ? '/projects/api' : '/home/me';
  return launchWarnings({ definition, workingDirectory, envFile: undefined }, ['/projects/api']);
}
