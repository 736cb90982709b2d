import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stretchOf } from '../../../../src/editor/diagnostics/problemText.ts';
import {
  layerOf,
  readDefinitions,
  type DefinitionFile,
} from '../../../../src/host/config/readDefinitions.ts';
import type { DefinitionOrigin } from '../../../../src/host/config/serverDefinition.ts';

const folder = { uri: 'file:///projects/api', name: 'api' };
const origin: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///m', folder };
const other = {
  origin: { scope: 'user', format: 'settings', place: 'settings:user' },
  servers: { other: { command: 'other' } },
} as const;
const mebibyte = 1024 * 1024;

suite('A .mcp.json that is not as it should be', () => {
  let directory: string;
  let place: string;

  setup(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'mcp-host-'));
    place = path.join(directory, '.mcp.json');
  });
  teardown(() => rmSync(directory, { recursive: true, force: true }));

  const onDisk = (whileReading = (): void => undefined): DefinitionFile => ({
    stat: async () => {
      const found = await stat(place);
      return { isRegular: found.isFile(), size: found.size, mtime: found.mtimeMs };
    },
    read: async () => {
      const bytes = await readFile(place);
      whileReading();
      return bytes;
    },
  });

  const read = async (whileReading?: () => void) => {
    const layer = await layerOf(origin, onDisk(whileReading));
    const { definitions, problems } = readDefinitions([layer, other]);
    return {
      names: definitions.map(({ name }) => name),
      problems: problems.map(({ severity, message }) => [severity, message]),
      all: problems,
    };
  };

  test('is too large, and the servers of other files go on', async () => {
    const server = '{"mcpServers":{"a":{"command":"a"}}}';
    writeFileSync(place, server + ' '.repeat(mebibyte - server.length));
    assert.deepEqual((await read()).names, ['a', 'other']);
    appendFileSync(place, '\n');
    const { names, problems } = await read();
    assert.deepEqual(names, ['other']);
    assert.deepEqual(problems, [['error', "This file can't be read: it is larger than 1 MB."]]);
    assert.equal(readFileSync(place).length, mebibyte + 1);
  });

  test('is a directory', async () => {
    mkdirSync(place);
    const { names, problems } = await read();
    assert.deepEqual(names, ['other']);
    assert.deepEqual(problems, [['error', "This file can't be read: it is not a regular file."]]);
  });

  test('begins with a byte order mark, which is noted and stays', async () => {
    writeFileSync(place, '\uFEFF{"mcpServers":{"a":{"command":"a"}}}');
    const { names, problems } = await read();
    assert.deepEqual(names, ['a', 'other']);
    assert.equal(problems.length, 1);
    assert.match(String(problems[0]), /^note,This file begins with a byte order mark/);
    assert.ok(readFileSync(place, 'utf8').startsWith('\uFEFF'));
  });

  test('changes while it is read', async () => {
    writeFileSync(place, '{"mcpServers":{"a":{"command":"a"}}}');
    const { names, problems } = await read(() => appendFileSync(place, '\n'));
    assert.deepEqual(names, ['other']);
    assert.match(String(problems[0]), /^error,This file can't be read: it changed meanwhile\./);
    assert.deepEqual((await read()).names, ['a', 'other']);
  });

  test('has two servers of one name, and each other server is read', async () => {
    const text =
      '{"mcpServers":{"a":{"command":"first"},"b":{"command":"b"}},"servers":{"a":{"command":"second"}}}';
    writeFileSync(place, text);
    const { names, all } = await read();
    assert.deepEqual(names, ['a', 'b', 'other']);
    const [problem, ...more] = all;
    assert.ok(problem);
    assert.deepEqual(more, []);
    assert.deepEqual([problem.name, problem.severity, problem.path], ['a', 'error', ['servers', 'a']]);
    const { offset } = stretchOf(text, problem);
    assert.equal(offset, text.lastIndexOf('"a"'));
    assert.equal(readFileSync(place, 'utf8'), text);
  });
});
