import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contributedCommands, rowCommands } from '../../../../src/editor/commands/commandList.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { contributes } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
};

suite('The list of commands', () => {
  const listed = Object.keys(contributedCommands).map((name) => `mcpHost.${name}`);
  const inManifest = contributes.commands.map(({ command }) => command);

  test('has the commands of package.json', () => {
    assert.deepEqual(listed.toSorted(), inManifest.toSorted());
  });

  test('has commands for rows that package.json does not have', () => {
    const shared = Object.keys(rowCommands).filter((name) => inManifest.includes(`mcpHost.${name}`));
    assert.deepEqual(shared, []);
  });

  test('is the only place that has their ids', () => {
    const names = [...Object.keys(contributedCommands), ...Object.keys(rowCommands)];
    const id = new RegExp(`(['"\`])mcpHost\\.(?:${names.join('|').replaceAll('.', '\\.')}|\\w+\\.focus)\\1`);
    const found = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
      readFileSync(`${root}${file}`, 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(?:\*|\/[/*])/.test(line) && id.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });
});
