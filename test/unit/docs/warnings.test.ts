import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { launchNotes } from '../../../src/host/launch/question/launchNotes.ts';
import { launchWarnings } from '../../../src/host/launch/warnings/launchWarnings.ts';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { httpServer, stdioServer } from '../support/definitions.ts';

const [, warnings = '', notes = ''] = readFileSync(
  new URL('../../../docs/internals/warnings.md', import.meta.url),
  'utf8',
).split(/^## /m);
const workspace = ['/projects/api'];
const ofMcpJson = { scope: 'folder', format: 'mcpJson', place: 'file:///projects/api/.mcp.json' } as const;

suite('The document of what is pointed out before a launch', () => {
  for (const example of examplesIn(warnings)) {
    test(`is right that there is a warning in ${example}`, () => {
      assert.notDeepEqual(launchWarnings(launchOf(example), workspace), []);
    });
  }

  for (const example of examplesIn(notes)) {
    test(`is right that there is a note, and no warning, in ${example}`, () => {
      assert.notDeepEqual(launchNotes(launchOf(example), workspace), []);
      assert.deepEqual(launchWarnings(launchOf(example), workspace), []);
    });
  }

  test('has an example in each row', () => {
    const rows = (text: string): number =>
      text.split('\n').filter((line) => /^\| (?!what|-)/.test(line)).length;
    assert.equal(examplesIn(warnings).length, rows(warnings));
    assert.equal(examplesIn(notes).length, rows(notes));
    assert.ok(rows(warnings) > 10 && rows(notes) > 3);
  });
});

/** The second cell of each row. */
function examplesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => /^\| (?!what|-)/.test(line))
    .flatMap((line) => line.split(' | ')[1]?.replace(/\|$/, '').trim() ?? [])
    .filter((cell) => /^(?:in `[^`]+`: |in a `\.mcp\.json`: )?`[^`]+`$/.test(cell));
}

function launchOf(example: string) {
  const [, of, workingDirectory = '/home/me', line = ''] =
    /^(in a `\.mcp\.json`: )?(?:in `([^`]+)`: )?`([^`]+)`$/.exec(example) ?? [];
  const origin = of === undefined ? {} : { origin: ofMcpJson };
  return { definition: { ...definitionOf(line), ...origin }, workingDirectory, envFile: undefined };
}

function definitionOf(line: string): ServerDefinition {
  if (/^https?:/.test(line)) {
    const [, url = '', oauth] = /^(\S+)(?: (\{.*\}))?$/.exec(line) ?? [];
    return httpServer(url, oauth === undefined ? {} : { oauth: JSON.parse(oauth) as object });
  }
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').replaceAll(/\\u\{(\w+)\}/g, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    ),
  );
  const variables = words.filter((word, index) => /^[A-Z_]+=/.test(word) && index === 0);
  const [command = '', ...args] = words.slice(variables.length);
  const env = Object.fromEntries(variables.map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string]));
  return stdioServer(args, { command, env });
}
