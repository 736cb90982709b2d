import * as vscode from 'vscode';
import { authorityOf, placeOf, RESOURCE_SCHEME } from '../../src/host/resources/resourceAddress.ts';
import { Turns } from '../unit/support/turns.ts';
import { allowAll, api, configure, fixtureServer, running, server, until } from './support.ts';

const { Workspace } = vscode.ConfigurationTarget;

/** Does something in the editor, and expects that it doesn't hold up the extension host. */
async function measure(what: string, work: () => Promise<unknown>): Promise<void> {
  const turns = new Turns();
  await work();
  turns.end(what);
}

suite('Resources', () => {
  suiteTeardown(async () => {
    await configure(Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  test('ten thousand nested and twenty thousand flat ones hold nothing up', async () => {
    // The first connection of all loads the SDK.
    const early = fixtureServer('legacyServer.ts');
    await configure(Workspace, { early });
    const host = await api();
    await until('a first question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    await allowAll();
    await running('early');
    await vscode.commands.executeCommand('mcpHost.resources.focus');
    await configure(Workspace, { early, many: fixtureServer('manyResourcesServer.ts') });
    await until('a question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    const { id, name } = await server('many');
    const reveal = (uri: string): Thenable<unknown> =>
      vscode.commands.executeCommand(
        'mcpHost.revealResource',
        vscode.Uri.from({
          scheme: RESOURCE_SCHEME,
          authority: authorityOf({ id, name }),
          path: placeOf(uri),
        }),
      );

    await measure('starting, listing and the first paint', async () => {
      await allowAll();
      await until('both running', () => host.servers.every(({ state }) => state === 'running'));
      await vscode.commands.executeCommand('mcpHost.refreshResources');
      await vscode.commands.executeCommand('mcpHost.showServerResources', id);
    });
    await measure('listing and painting again', async () => {
      await vscode.commands.executeCommand('mcpHost.refreshResources');
      await vscode.commands.executeCommand('mcpHost.showServerResources', id);
    });
    await measure('expanding 20,000 in one folder', async () => {
      await reveal('flat://items/item-0.txt');
    });
    await measure('the last page of 20,000', async () => {
      await reveal('flat://items/item-19999.txt');
    });
    await measure('expanding nested folders', async () => {
      await reveal('nested://archive/all/part-7/part-77/part-777/document-9777.md');
    });
    await measure('drawing all that is open again', async () => {
      await vscode.commands.executeCommand('mcpHost.refreshResources');
      await vscode.commands.executeCommand('mcpHost.showServerResources', id);
    });
  });
});
