import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { allowAll, api, configure, fixtureServer, projectRoot, running, until } from './support.ts';

const maxVsixBytes = 1_000_000;

/** What is bundled apart and loaded, without what bundles share in folders of their own. */
const loaded = (): readonly string[] =>
  Object.keys(require.cache)
    .filter((file) => dirname(file) === join(projectRoot, 'dist'))
    .map((file) => basename(file));

// Mocha runs the files in their order: nothing has connected before this one.
suite('Activation', () => {
  test('loads a package below its size limit', () => {
    assert.ok(statSync(join(projectRoot, 'mcp-host.vsix')).size < maxVsixBytes);
  });

  test('gives the public API, without loading the SDK', async () => {
    const { version, servers } = await api();
    assert.equal(version, 2);
    assert.deepEqual(servers, []);
    assert.deepEqual(loaded(), ['extension.cjs']);
  });

  test('leaves the SDK to the first connection', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    await configure(Workspace, { first: fixtureServer('legacyServer.ts') });
    const host = await api();
    await until('a question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    assert.deepEqual(loaded(), ['extension.cjs']);
    await allowAll();
    await running('first');
    assert.deepEqual(loaded(), ['extension.cjs', 'sdk.cjs']);
    await configure(Workspace, undefined);
    await until('no server', () => host.servers.length === 0);
  });

  test('leaves the list of public suffixes to the first definition whose sites are compared', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    const host = await api();
    assert.ok(!loaded().includes('publicSuffixes.cjs'));
    const oauth = { clientId: 'app', issuer: 'https://issuer.example' };
    await configure(Workspace, { far: { type: 'http', url: 'https://server.example/mcp', oauth } });
    await until('a question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    assert.ok(loaded().includes('publicSuffixes.cjs'));
    await configure(Workspace, undefined);
    await until('no server', () => host.servers.length === 0);
  });
});
