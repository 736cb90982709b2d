import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { allowAll, api, configure, fixtureServer, running, until } from './support.ts';

/** Bundled apart, so that it can be seen whether it is loaded. */
const sdkIsLoaded = (): boolean => Object.keys(require.cache).some((file) => file.endsWith('sdk.cjs'));

// Mocha runs the files in their order: nothing has connected before this one.
suite('Activation', () => {
  test('gives the public API, without loading the SDK', async () => {
    const { version, servers } = await api();
    assert.equal(version, 2);
    assert.deepEqual(servers, []);
    assert.equal(sdkIsLoaded(), false);
  });

  test('leaves the SDK to the first connection', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    await configure(Workspace, { first: fixtureServer('legacyServer.ts') });
    const host = await api();
    await until('a question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    assert.equal(sdkIsLoaded(), false);
    await allowAll();
    await running('first');
    assert.equal(sdkIsLoaded(), true);
    await configure(Workspace, undefined);
    await until('no server', () => host.servers.length === 0);
  });
});
