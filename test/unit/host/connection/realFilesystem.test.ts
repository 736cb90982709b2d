import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { packageScript } from '../../support/definitions.ts';
import { installedScript, loadedSdk, onStdio } from '../../support/program.ts';
import { untilSeen } from '../../support/until.ts';

suite('The published server-filesystem', () => {
  let bed: ConnectionBed;
  const folder = (name: string): string => path.join(bed.directory, name);

  setup(() => {
    bed = new ConnectionBed();
    for (const name of ['api', 'web']) {
      mkdirSync(folder(name));
      writeFileSync(path.join(folder(name), 'README.md'), `This is ${name}.\n`);
    }
  });
  teardown(() => bed.close());

  test('of 2024-11-05 knows no roots, and reads what its arguments name', async () => {
    bed.roots = [{ uri: pathToFileURL(folder('web')).href, name: 'web' }];
    const connection = bed.connection(
      onStdio(bed, [installedScript('filesystem-2024-11-05'), folder('api')]),
    );
    await connection.start();
    assert.equal((connection.state as RunningState).revision, '2024-11-05');
    assert.deepEqual([...loadedSdk(bed)], ['@modelcontextprotocol/sdk 0.5.0']);
    const read = (name: string) =>
      connection.callTool('read_file', { path: path.join(folder(name), 'README.md') });
    assert.equal(await textOf(read('api')), 'This is api.\n');
    const refused = await read('web');
    assert.equal(refused.isError, true);
    assert.match(await textOf(Promise.resolve(refused)), /outside allowed directories/);
  });

  test('of 2025-11-25 works with the roots, and is notified of each change', async () => {
    bed.roots = [{ uri: pathToFileURL(folder('api')).href, name: 'api' }];
    const connection = bed.connection(
      onStdio(bed, [packageScript('@modelcontextprotocol/server-filesystem')]),
    );
    await connection.start();
    assert.equal((connection.state as RunningState).revision, '2025-11-25');
    // It asks for the roots when it has been notified; until then, it answers calls with those that it has.
    const untilAllowed = (...names: readonly string[]) =>
      untilSeen(
        async () => {
          const allowed = await textOf(connection.callTool('list_allowed_directories', {}));
          return allowed === ['Allowed directories:', ...names.map(folder)].join('\n');
        },
        `the server is allowed ${names.join(' and ')}`,
      );
    await untilAllowed('api');
    bed.roots = [...bed.roots, { uri: pathToFileURL(folder('web')).href, name: 'web' }];
    connection.rootsChanged();
    await untilAllowed('api', 'web');
    bed.roots = bed.roots.slice(1);
    connection.rootsChanged();
    await untilAllowed('web');
    const read = connection.callTool('read_text_file', { path: path.join(folder('api'), 'README.md') });
    assert.equal((await read).isError, true);
  });
});
