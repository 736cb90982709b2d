import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { contributes } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
};

/** The names in one of the objects of the list, which is there for its types alone. */
function namesIn(list: string): readonly string[] {
  const source = readFileSync(`${root}src/editor/commands/commandList.ts`, 'utf8');
  const [, members = ''] = new RegExp(`^const ${list} = \\{\n([^]*?)^\\};`, 'm').exec(source) ?? [];
  return [...members.matchAll(/^ {2}(?:(\w+)|'([^']+)'):/gm)].map(([, bare, quoted = '']) => bare ?? quoted);
}

suite('The list of commands', () => {
  const contributedCommands = namesIn('contributedCommands');
  const rowCommands = namesIn('rowCommands');
  const listed = contributedCommands.map((name) => `mcpHost.${name}`);
  const inManifest = contributes.commands.map(({ command }) => command);

  test('has the commands of package.json', () => {
    assert.deepEqual(listed.toSorted(), inManifest.toSorted());
  });

  test('has commands for rows that package.json does not have', () => {
    const shared = rowCommands.filter((name) => inManifest.includes(`mcpHost.${name}`));
    assert.ok(rowCommands.length > 0);
    assert.deepEqual(shared, []);
  });

  test('is the only place that has their ids', () => {
    const names = [...contributedCommands, ...rowCommands];
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
