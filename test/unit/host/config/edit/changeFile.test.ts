import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changeFile, readText } from '../../../../../src/host/config/edit/changeFile.ts';
import { withField, withoutServer } from '../../../../../src/host/config/edit/changeServer.ts';

const copilots = `{
  "mcpServers": {
    "git": { "type": "local", "command": "uvx", "args": ["git"], "tools": ["*"], "isDefaultServer": true },
    "time": { "type": "http", "url": "https://time.example/mcp", "tools": ["now"] }
  },
  "own": [1, 2]
}
`;

suite('A file that other programs write', () => {
  let folder: string;
  let file: string;
  setup(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'mcp-host-'));
    file = path.join(folder, 'mcp-config.json');
    writeFileSync(file, copilots);
  });
  teardown(() => rmSync(folder, { recursive: true }));
  const names = (): readonly string[] => readdirSync(folder);

  test('keeps the fields of its program, and who may read it', async () => {
    chmodSync(file, 0o640);
    await changeFile(file, (text) => withField(text, 'mcpJson', 'git', 'disabled', true));
    const expected = copilots.replace('"isDefaultServer": true', '"isDefaultServer": true, "disabled": true');
    assert.equal(readFileSync(file, 'utf8'), expected);
    if (process.platform !== 'win32') {
      assert.equal(statSync(file).mode & 0o777, 0o640);
    }
    assert.deepEqual(names(), ['mcp-config.json']);
  });

  test('is replaced in one step, so that a program that has it open reads the whole old text', async () => {
    const before = statSync(file).ino;
    await changeFile(file, (text) => withoutServer(text, 'mcpJson', 'time').text);
    assert.notEqual(statSync(file).ino, before);
  });

  test('stays as it is if another program changes it before it is written', async () => {
    const theirs = copilots.replace('uvx', 'npx');
    const change = changeFile(file, (text) => {
      writeFileSync(file, theirs);
      return withField(text, 'mcpJson', 'git', 'disabled', true);
    });
    await assert.rejects(change, /^Error: The file has just changed\. Try again\.$/);
    assert.equal(readFileSync(file, 'utf8'), theirs);
    assert.deepEqual(names(), ['mcp-config.json']);
  });

  test('stays as it is if the change is not possible', async () => {
    await assert.rejects(
      changeFile(file, (text) => withField(text, 'mcpJson', 'gone', 'disabled', true)),
      /There is no server 'gone' in this file anymore/,
    );
    assert.equal(readFileSync(file, 'utf8'), copilots);
  });

  test('stays behind its link', async () => {
    mkdirSync(path.join(folder, 'linked'));
    const link = path.join(folder, 'linked', 'mcp-config.json');
    symlinkSync(file, link, 'file');
    await changeFile(link, () => '{}');
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.equal(readFileSync(file, 'utf8'), '{}');
  });

  test('is made, for you alone, where it is not there', async () => {
    const other = path.join(folder, '.copilot', 'mcp-config.json');
    assert.equal(await changeFile(other, (text) => `${text}{}`), '{}');
    assert.equal(readFileSync(other, 'utf8'), '{}');
    if (process.platform !== 'win32') {
      assert.equal(statSync(other).mode & 0o777, 0o600);
    }
  });

  test('is not taken for text if it is none, or too large', async () => {
    for (const content of [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.alloc(2 ** 20 + 1, 0x20)]) {
      writeFileSync(file, content);
      assert.throws(() => readText(file));
      await assert.rejects(changeFile(file, () => '{}'));
      assert.deepEqual(readFileSync(file), content);
    }
    await assert.rejects(
      changeFile(folder, () => '{}'),
      /not a regular file/,
    );
  });
});
