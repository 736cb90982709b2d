import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { withCallProgress } from '../messages/withCallProgress.ts';
import { addressIn } from './resourceArgument.ts';
import type { ResourceUris } from './resourceUris.ts';
import { resourceFileName } from '../../host/resources/resourceFileName.ts';
import { registerCommands } from '../commands/commands.ts';
import { saveResource } from './saveResource.ts';
import { reportResourceFailure } from './reportResourceFailure.ts';

/** Registers Save As, Copy URI and Refresh: for a row of a tree, a document, or the active tab. */
export function registerResourceCommands(
  uris: ResourceUris,
  reader: ResourceReader,
  onRefreshed: (address: ResourceAddress) => void,
): Disposable {
  const on =
    (failed: string, run: (address: ResourceAddress, argument: unknown) => Promise<void>) =>
    async (argument?: unknown): Promise<void> => {
      const address = addressIn(argument, uris);
      if (!address) {
        void vscode.window.showInformationMessage('Open a resource of an MCP server first.');
        return;
      }
      await reportResourceFailure(uris, address, failed, () => run(address, argument));
    };
  return registerCommands({
    copyResourceUri: on('could not be copied', async ({ uri }) => {
      await vscode.env.clipboard.writeText(uri);
    }),
    refreshResource: on('could not be read', async (address) => {
      try {
        await withCallProgress(`Reading ${resourceFileName(address.uri)}`, (_onProgress, signal) =>
          reader.refresh(address, signal),
        );
      } finally {
        onRefreshed(address);
      }
    }),
    saveResource: on('could not be saved', (address, argument) =>
      saveResource(uris, reader, address, argument),
    ),
  });
}
