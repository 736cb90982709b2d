import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkSocket } from '../../../../src/host/launch/socketCheck.ts';
import { httpServer } from '../../support/definitions.ts';

suite('The socket of a launch', () => {
  let folder: string;
  let elsewhere: string;
  setup(() => {
    const base = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'mcp-sockets-')));
    folder = path.join(base, 'folder');
    elsewhere = path.join(base, 'elsewhere');
    mkdirSync(folder);
    mkdirSync(elsewhere);
  });
  teardown(() => rmSync(path.dirname(folder), { recursive: true }));

  const check = (place: string, env: NodeJS.ProcessEnv = {}): void =>
    checkSocket(httpServer(`unix://${place}#/mcp`), [folder], env);

  test('may be in the workspace, outside it, and missing', () => {
    check(`${folder}/mcp.sock`);
    check(`${elsewhere}/mcp.sock`);
    check('/nowhere/mcp.sock');
    checkSocket(httpServer('https://example.com/docker.sock'), [folder], {});
  });

  test('is not reached through a link in the workspace', function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    writeFileSync(path.join(elsewhere, 'mcp.sock'), '');
    symlinkSync(elsewhere, path.join(folder, 'links'));
    symlinkSync(path.join(elsewhere, 'mcp.sock'), path.join(folder, 'mcp.sock'));
    for (const place of ['links/mcp.sock', 'mcp.sock']) {
      assert.throws(() => check(path.join(folder, place)), {
        code: 'invalidDefinition',
        message: `the socket of its "url", ${path.join(folder, place)}, is reached through a link in the workspace; write the path that it leads to`,
      });
    }
    check(path.join(elsewhere, 'mcp.sock'));
  });

  for (const place of [
    '/var/run/docker.sock',
    '/run/user/1000/podman/podman.sock',
    '/run/containerd/containerd.sock',
    '/home/ada/.gnupg/S.gpg-agent.ssh',
    '/tmp/ssh-abc/agent.123',
    '/run/dbus/system_bus_socket',
  ]) {
    test(`is never ${place}, which controls other programs`, () => {
      assert.throws(() => check(place), {
        code: 'invalidDefinition',
        message: `the socket of its "url", ${place}, controls other programs and is no MCP server`,
      });
    });
  }

  test('is never one that an agent of this session uses', () => {
    const bus = 'unix:path=/run/user/1000/bus,guid=1';
    assert.throws(() => check('/a/keys', { SSH_AUTH_SOCK: '/a/keys' }), /controls other programs/);
    assert.throws(
      () => check('/run/user/1000/bus', { DBUS_SESSION_BUS_ADDRESS: bus }),
      /controls other programs/,
    );
    check('/a/other', { SSH_AUTH_SOCK: '/a/keys', DBUS_SESSION_BUS_ADDRESS: bus });
  });

  test('is never a link to one of these sockets', function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    writeFileSync(path.join(elsewhere, 'docker.sock'), '');
    symlinkSync(path.join(elsewhere, 'docker.sock'), path.join(elsewhere, 'mcp.sock'));
    assert.throws(() => check(path.join(elsewhere, 'mcp.sock')), /controls other programs/);
  });
});
