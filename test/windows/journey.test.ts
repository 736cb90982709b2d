import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { LocalDisk } from '../../src/host/folders/folderDisk.ts';
import { windowsPackages } from '../editor/paths.mjs';
import { receivedBy, textOf } from '../unit/support/connectionBed.ts';
import { serverScript, stdioServer } from '../unit/support/definitions.ts';
import { HostBed } from '../unit/support/hostBed.ts';
import { isAlive, untilSeen } from '../unit/support/until.ts';

const npm = path.join(windowsPackages, 'node_modules/npm/bin/npm-cli.js');

/** What a published server has: npm makes a `.cmd` of its program. */
const manifest = { name: 'mcp-server-for-windows', version: '1.0.0', bin: 'server.cmd' };
/** A batch file, because Wine 8 can't run the one that npm makes for a script. */
const program = `@node "${serverScript('legacyServer')}" --stderr="%~1"\r\n`;

suite('A server that npx starts on Windows', () => {
  let bed: HostBed;

  setup(() => {
    bed = new HostBed({ disk: new LocalDisk() });
    const nodeFolder = path.join(process.env['ProgramFiles'] ?? '', 'nodejs');
    Object.assign(bed.env, { PATH: `${nodeFolder};${process.env['PATH']}` });
  });
  teardown(() => bed.close());

  /** A folder on this disk, as a folder of the workspace. */
  function folder(name: string): { uri: string; name: string } {
    const at = path.join(bed.bed.directory, name);
    mkdirSync(at);
    return { uri: pathToFileURL(at).href, name };
  }

  test('runs, sees the folders with their drive, is notified of another one, and is gone once it is stopped', async () => {
    const published = path.join(bed.bed.directory, 'R & D');
    mkdirSync(published);
    writeFileSync(path.join(published, 'package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(published, manifest.bin), program);
    execFileSync(process.execPath, [npm, 'pack', '--silent'], { cwd: published, stdio: 'ignore' });
    const definition = stdioServer(
      ['-y', `--package=${path.join(published, `${manifest.name}-1.0.0.tgz`)}`, manifest.name, 'x & y'],
      {
        command: 'npx',
        env: { npm_config_offline: 'true', npm_config_cache: path.join(bed.bed.directory, 'cache') },
      },
    );
    const [api, web] = [folder('api'), folder('web & more')];
    bed.folders = [api];
    const [server] = await bed.run(definition);
    assert.ok(server);
    const seen = await rootsSeenBy(server);
    assert.deepEqual(
      seen.map(({ name }) => name),
      ['api'],
    );
    assert.match(seen[0]?.uri ?? '', /^file:\/\/\/[a-z]%3A\//);

    bed.folders = [api, web];
    await untilSeen(
      async () => (await receivedBy(server))['notifications/roots/list_changed'] === 1,
      'the server is notified of the other folder',
    );
    assert.deepEqual(
      (await rootsSeenBy(server)).map(({ name }) => name),
      ['api', 'web & more'],
    );
    assert.ok(
      bed.logs.get('server')?.lines.some((line) => line.includes('x & y')),
      'its argument arrived as it is',
    );

    const pids = [...bed.bed.pids, bed.pidOf(definition) ?? 0];
    assert.equal(new Set(pids).size, 2, 'the server and the interpreter of npx.cmd');
    await server.stop();
    await untilSeen(() => !pids.some(isAlive), 'no process is left');
  });
});

async function rootsSeenBy(server: {
  callTool: Parameters<typeof receivedBy>[0]['callTool'];
}): Promise<readonly { uri: string; name: string }[]> {
  const { roots } = JSON.parse(await textOf(server.callTool('roots', {})));
  return roots;
}
