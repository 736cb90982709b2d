import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunningState } from '../../../src/host/state/connectionState.ts';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { editorNode } from '../../../src/host/processes/editorNode.ts';
import { sampleDefinition } from '../../../src/host/added/addedDefinitions.ts';
import { ConnectionBed, namesOf, textOf } from '../support/connectionBed.ts';
import { sampleScript } from '../support/rawSample.ts';
import { scriptedSampling } from '../support/realServers/scriptedSampling.ts';
import { until, untilSeen } from '../support/until.ts';

suite('The sample server', () => {
  let bed: ConnectionBed;
  const asked: unknown[] = [];

  setup(() => {
    bed = new ConnectionBed();
    asked.length = 0;
  });
  teardown(() => bed.close());

  async function started(): Promise<ServerConnection> {
    const connection = bed.connection(sampleDefinition(sampleScript, editorNode()), {
      sampling: scriptedSampling(asked),
    });
    await connection.start();
    return connection;
  }

  async function listed(): Promise<ServerConnection> {
    const connection = await started();
    await until(
      () => connection.catalogue?.resourceTemplates.length === 1 && connection.catalogue.prompts.length === 1,
      'all is listed',
      connection.onDidChangeCatalogue,
    );
    return connection;
  }

  function folder(name: string): string {
    const made = path.join(bed.directory, name);
    mkdirSync(made);
    return made;
  }

  function share(...paths: readonly string[]): void {
    bed.roots = paths.map((one) => ({ uri: pathToFileURL(one).href, name: path.basename(one) }));
  }

  const folders = (connection: ServerConnection): Promise<string> =>
    textOf(connection.callTool('list-folders', {}));

  test('speaks 2025-11-25, and nothing that it lists is left out', async () => {
    const connection = await listed();
    assert.equal((connection.state as RunningState).revision, '2025-11-25');
    const { catalogue } = connection;
    assert.deepEqual(namesOf(catalogue?.tools), ['list-folders', 'add-note', 'write-haiku']);
    assert.deepEqual(namesOf(catalogue?.resources), ['notes', 'clock']);
    assert.deepEqual(namesOf(catalogue?.prompts), ['explain']);
    assert.deepEqual([catalogue?.malformed('tools'), catalogue?.malformed('prompts')], [[], []]);
    assert.doesNotMatch(bed.logger.lines.join('\n'), /^(warn|error):/m);
  });

  test('says of each tool what it is, and whether it changes something', async () => {
    const connection = await listed();
    const claims = connection.catalogue?.tools.map(({ name, title, description, annotations }) => {
      assert.ok(title !== undefined && description !== undefined);
      return [name, annotations?.readOnlyHint];
    });
    assert.deepEqual(claims, [
      ['list-folders', true],
      ['add-note', false],
      ['write-haiku', true],
    ]);
  });

  test('lists the shared folders as they are at each call', async () => {
    const connection = await started();
    assert.match(await folders(connection), /^You share no folder with this server\./);
    const api = folder('api');
    writeFileSync(path.join(api, 'README.md'), '');
    mkdirSync(path.join(api, 'src'));
    share(api);
    assert.equal(
      await folders(connection),
      `You share one folder with this server:\n\napi (${api})\n  README.md\n  src/`,
    );
    share(api, folder('web'));
    assert.match(await folders(connection), /^You share 2 folders.*web \(.*\n {2}It is empty\.$/s);
  });

  test('follows no link out of a shared folder, and reads no file', async () => {
    const secret = folder('secret');
    writeFileSync(path.join(secret, 'hidden.txt'), 'hidden');
    const api = folder('api');
    symlinkSync(secret, path.join(api, 'link'));
    share(api);
    const text = await folders(await started());
    assert.match(text, /\n {2}link@$/);
    assert.doesNotMatch(text, /hidden/);
  });

  test('lists a few of many names', async () => {
    const api = folder('api');
    for (let index = 0; index < 1_010; index += 1) {
      writeFileSync(path.join(api, `file ${String(index).padStart(4, '0')}`), '');
    }
    share(api);
    const lines = (await folders(await started())).split('\n');
    assert.equal(lines.filter((line) => line.startsWith('  file ')).length, 20);
    assert.ok(lines.includes('  …and more than 980 more'));
  });

  test('writes no line break that a name has', async () => {
    const odd = folder('odd');
    writeFileSync(path.join(odd, 'two\nlines'), '');
    share(odd);
    assert.match(await folders(await started()), /\n {2}two\uFFFDlines$/);
  });

  test('says which shared folder cannot be read', async () => {
    share(path.join(bed.directory, 'gone'));
    assert.match(await folders(await started()), /\n {2}It cannot be read: ENOENT/);
  });

  test('notifies subscribers of each new note', async () => {
    const connection = await started();
    const { resourceWatch } = connection;
    const updates: string[] = [];
    resourceWatch.onDidUpdate((uri) => updates.push(uri));
    const watch = resourceWatch.watch('sample://notes');
    await until(() => resourceWatch.isLive('sample://notes'), 'it is live', resourceWatch.onDidChangeLive);
    await connection.callTool('add-note', { text: 'Buy milk' });
    await untilSeen(() => updates.length === 1, 'the update has come');
    const { contents } = await connection.readResource('sample://notes');
    assert.deepEqual(
      contents.map((one) => 'text' in one && one.text),
      ['# Notes\n\n1. Buy milk\n'],
    );
    watch.dispose();
    const note = await connection.readResource('sample://notes/1');
    assert.deepEqual(
      note.contents.map((one) => 'text' in one && one.text),
      ['Buy milk\n'],
    );
  });

  test('has a clock that ticks while it is watched', async function () {
    const { resourceWatch } = await started();
    const ticked = new Promise((resolve) => resourceWatch.onDidUpdate(resolve));
    const watch = resourceWatch.watch('sample://clock');
    assert.equal(await ticked, 'sample://clock');
    watch.dispose();
  });

  test('asks for a haiku, with the names in the shared folders', async () => {
    const api = folder('api');
    writeFileSync(path.join(api, 'README.md'), '');
    share(api);
    const connection = await started();
    assert.equal(await textOf(connection.callTool('write-haiku', {})), 'Hello.');
    assert.match(JSON.stringify(asked), /Write a haiku.*README\.md/s);
  });

  test('has a prompt whose argument it completes', async () => {
    const connection = await started();
    const { messages } = await connection.getPrompt('explain', { topic: 'roots' });
    assert.match(JSON.stringify(messages), /the folders that a user shares/);
    const completed = await connection.complete({
      ref: { type: 'ref/prompt', name: 'explain' },
      argument: { name: 'topic', value: 'r' },
    });
    assert.deepEqual(completed, { completion: { values: ['roots', 'resources'], total: 2, hasMore: false } });
  });
});
