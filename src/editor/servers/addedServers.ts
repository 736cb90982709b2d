import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { recordingAt, sampleId, type AddedRecording } from '../../host/added/addedDefinitions.ts';
import type { AddedServers } from '../../host/added/addedServers.ts';
import { firstFree } from '../../host/config/edit/suggestName.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import { isActive } from '../../host/state/connectionState.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { readRecording, RECORDING_ENDING } from '../../host/traffic/recording.ts';
import { recordingFile } from '../../host/traffic/recordingFile.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import type { Review } from '../review/review.ts';
import { startWhenThere } from './startWhenThere.ts';
import { reportingError } from '../messages/notifications.ts';
import { inNotification } from '../messages/plainText.ts';

export interface AddedServersDependencies {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly added: AddedServers;
  readonly review: Pick<Review, 'review'>;
  /** Shows a server's tools in the view, with the first one selected. */
  readonly showTools: (id: ServerId) => Promise<void>;
}

/** Registers the commands that add the sample server and recordings, and remove them. */
export function registerAddedServers(dependencies: AddedServersDependencies): Disposable {
  const { added } = dependencies;
  const store = new DisposableStore();
  /** Ends the wait for the server to run. */
  let waiting = store.add(new DisposableStore());
  const add = async (whatFailed: string, put: () => Promise<ServerId>): Promise<void> => {
    waiting.dispose();
    waiting = store.add(new DisposableStore());
    await reportingError(whatFailed, async () => begin(await put(), dependencies, waiting));
  };
  store.add(
    registerCommands({
      trySampleServer: () =>
        add('The sample server was not added', async () => {
          await added.addSample();
          return sampleId;
        }),
      addRecording: (uri) =>
        add('The recording was not added', async () => {
          const file = (uri ?? vscode.window.activeTextEditor?.document.uri)?.fsPath ?? '';
          return (await added.addRecording(await recordingIn(file, added))).id;
        }),
      removeAddedServer: (id) =>
        reportingError('The server was not removed', () => removeAdded(dependencies, id)),
    }),
  );
  return store;
}

/** Asks about the launch of a server that was added at once, and shows its tools as soon as it runs. */
async function begin(
  id: ServerId,
  dependencies: AddedServersDependencies,
  waiting: DisposableStore,
): Promise<void> {
  const { host, review } = dependencies;
  await runCommand('servers.focus');
  if (!vscode.workspace.isTrusted) {
    waiting.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void begin(id, dependencies, waiting)));
    await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  showWhenListed(id, dependencies, waiting);
  await startWhenThere(host, id);
  review.review(id);
}

/** You may take a while to allow it, and may also remove or deny it: then nothing is shown. */
function showWhenListed(
  id: ServerId,
  { host, tools, showTools }: AddedServersDependencies,
  waiting: DisposableStore,
): void {
  const look = (): void => {
    if (!waiting.isDisposed && tools.of(id).length > 0) {
      waiting.dispose();
      void showTools(id);
    }
  };
  waiting.add(tools.onDidChange(look));
  waiting.add(host.onDidChangeServers(look));
  look();
}

/**
 * A recording as it is now; its server is called as its file, and by no other one's name.
 *
 * @throws an Error with the file, and what is wrong with it.
 */
async function recordingIn(file: string, added: AddedServers): Promise<AddedRecording> {
  const base = path.basename(file);
  try {
    const { text, hash: sha256 } = await recordingFile(file);
    readRecording(text);
    const name = base.endsWith(RECORDING_ENDING) ? base.slice(0, -RECORDING_ENDING.length) : base;
    const others = added.definitions.filter(({ origin }) => recordingAt(origin.place) !== file);
    const taken = new Set(others.map((one) => one.name));
    return { name: firstFree(`${name} (recording)`, taken), file, sha256 };
  } catch (error) {
    throw new Error(`${base}: ${messageOf(error)}`, { cause: error });
  }
}

/** "Undo" restores it with its decisions, and starts it if it was running. */
async function removeAdded({ host, added }: AddedServersDependencies, id: ServerId): Promise<void> {
  const { label = '', connection } = host.server(id) ?? {};
  const state = connection?.state;
  const removed = await added.remove(id);
  const undo = 'Undo';
  const what = id === sampleId ? 'Sample server' : `Server '${label}'`;
  if ((await vscode.window.showInformationMessage(inNotification(`${what} removed.`), undo)) === undo) {
    await added.restore(removed);
    if (state && isActive(state)) {
      await startWhenThere(host, id);
    }
  }
}
