import * as vscode from 'vscode';
import { CancellationError } from '../../base/cancellation.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { withCallProgress } from '../commands/withCallProgress.ts';
import { addressIn } from './resourceArgument.ts';
import type { ResourceUris } from './resourceUris.ts';
import { resourceFileName } from '../../host/resources/resourceFileName.ts';
import { saveResource } from './saveResource.ts';
import { tellResourceFailure } from './tellResourceFailure.ts';

/** Save As, Copy URI and Refresh: for a row of a tree, a document, or the tab in front. */
export function registerResourceCommands(
  uris: ResourceUris,
  reader: ResourceReader,
  onRefreshed: (address: ResourceAddress) => void,
): Disposable {
  const store = new DisposableStore();

  const register = (
    command: string,
    failed: string,
    run: (address: ResourceAddress, argument: unknown) => Promise<void>,
  ): void => {
    store.add(
      vscode.commands.registerCommand(command, async (argument?: unknown) => {
        const address = addressIn(argument, uris);
        if (!address) {
          void vscode.window.showInformationMessage('Open a resource of an MCP server first.');
          return;
        }
        try {
          await run(address, argument);
        } catch (error) {
          if (!(error instanceof CancellationError)) {
            await tellResourceFailure(uris, address, failed, error);
          }
        }
      }),
    );
  };

  register('mcpHost.copyResourceUri', 'could not be copied', async ({ uri }) => {
    await vscode.env.clipboard.writeText(uri);
  });
  register('mcpHost.refreshResource', 'could not be read', async (address) => {
    try {
      await withCallProgress(`Reading ${resourceFileName(address.uri)}`, (_onProgress, signal) =>
        reader.refresh(address, signal),
      );
    } finally {
      onRefreshed(address);
    }
  });
  register('mcpHost.saveResource', 'could not be saved', (address, argument) =>
    saveResource(uris, reader, address, argument),
  );
  return store;
}
