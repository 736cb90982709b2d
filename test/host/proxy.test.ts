import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ServerConnections } from '../../src/host/auth/network/serverConnections.ts';
import { serveProxy, type LoopbackProxy } from '../fixtures/servers/loopbackProxy.ts';
import { serveScripted, type ScriptedServer } from '../fixtures/servers/scriptedHttp.ts';
import { FakeNames } from '../unit/support/namesBed.ts';
import { allowAll, api, call, configure, running, setSetting, until } from './support.ts';

const { Global } = vscode.ConfigurationTarget;

suite('A server behind a proxy', () => {
  let server: ScriptedServer;
  let proxy: LoopbackProxy;
  setup(async () => {
    server = await serveScripted();
    proxy = await serveProxy();
  });
  teardown(async () => {
    await setSetting('http.proxy', undefined);
    await configure(Global, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
    await server.close();
    await proxy.close();
  });

  /** Starts a server of a name that only the proxy of these tests knows. */
  async function reach(host: string): Promise<string> {
    const { port } = new URL(server.url);
    await configure(Global, { proxied: { type: 'http', url: `http://${host}:${port}/mcp` } });
    const mcpHost = await api();
    await until('a question', () => mcpHost.servers.some((one) => one.state === 'awaitingApproval'));
    await allowAll();
    await running('proxied');
    assert.equal(await call('proxied', 'echo'), 'Hello');
    return `${host}:${port}`;
  }

  test('is reached through the proxy of the setting http.proxy', async () => {
    await setSetting('http.proxy', proxy.url);
    const target = await reach('by-setting.invalid');
    assert.ok(proxy.targets.includes(target), proxy.targets.join(', '));
  });

  test('counts as public for its sign-in, but not if it is reached directly (security, line 10)', async () => {
    const http = vscode.workspace.getConfiguration('http');
    await http.update('proxy', proxy.url, Global);
    await http.update('noProxy', ['direct.example'], Global);
    try {
      const { port } = new URL(server.url);
      const { lookup } = new FakeNames({ 'proxied.example': ['127.0.0.1'], 'direct.example': ['127.0.0.1'] });
      const connections = new ServerConnections(lookup);
      const kindOf = (host: string): Promise<string> =>
        connections.kindOf(new URL(`http://${host}:${port}/`));
      assert.equal(await kindOf('proxied.example'), 'public');
      assert.equal(await kindOf('direct.example'), 'loopback');
      assert.deepEqual(proxy.targets, [`proxied.example:${port}`]);
    } finally {
      await http.update('noProxy', undefined, Global);
    }
  });

  test('is reached through the proxy of the environment', async () => {
    assert.ok(process.env['HTTP_PROXY'], 'the runner gives the editor a proxy');
    const target = await reach('by-environment.invalid');
    assert.ok(server.received('tools/call').length === 1 && !proxy.targets.includes(target));
  });
});
