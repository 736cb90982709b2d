import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { isActive } from '../../host/state/connectionState.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { sampleId } from '../../host/sample/sampleDefinition.ts';
import type { AddedSample } from '../../host/sample/addedSample.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import type { Review } from '../review/review.ts';
import { startWhenThere } from './startWhenThere.ts';
import { reportingError } from '../messages/notifications.ts';

export interface SampleDependencies {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly sample: AddedSample;
  readonly review: Pick<Review, 'review'>;
  /** Shows a server's tools in the view, with the first one selected. */
  readonly showTools: (id: ServerId) => Promise<void>;
}

/** Registers the commands that try the sample server, and remove it. */
export function registerSampleCommands(dependencies: SampleDependencies): Disposable {
  const store = new DisposableStore();
  /** Ends the wait for the server to run. */
  let waiting = store.add(new DisposableStore());
  store.add(
    registerCommands({
      trySampleServer: async () => {
        waiting.dispose();
        waiting = store.add(new DisposableStore());
        await reportingError('The sample server was not added', () => trySample(dependencies, waiting));
      },
      removeSampleServer: () =>
        reportingError('The sample server was not removed', () => removeSample(dependencies)),
    }),
  );
  return store;
}

/** Adds the server, asks about its launch at once, and shows its tools as soon as it runs. */
async function trySample(dependencies: SampleDependencies, waiting: DisposableStore): Promise<void> {
  const { host, sample, review } = dependencies;
  await sample.add();
  await runCommand('servers.focus');
  if (!vscode.workspace.isTrusted) {
    waiting.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void runCommand('trySampleServer')));
    await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  showWhenListed(dependencies, waiting);
  await startWhenThere(host, sampleId);
  review.review(sampleId);
}

/** You may take a while to allow it, and may also remove or deny it: then nothing is shown. */
function showWhenListed({ host, tools, showTools }: SampleDependencies, waiting: DisposableStore): void {
  const look = (): void => {
    if (!waiting.isDisposed && tools.of(sampleId).length > 0) {
      waiting.dispose();
      void showTools(sampleId);
    }
  };
  waiting.add(tools.onDidChange(look));
  waiting.add(host.onDidChangeServers(look));
  look();
}

/** "Undo" restores it with its decisions, and starts it if it was running. */
async function removeSample({ host, sample }: SampleDependencies): Promise<void> {
  const state = host.server(sampleId)?.connection.state;
  const removed = await sample.remove();
  const undo = 'Undo';
  if ((await vscode.window.showInformationMessage('Sample server removed.', undo)) === undo) {
    await sample.restore(removed);
    if (state && isActive(state)) {
      await startWhenThere(host, sampleId);
    }
  }
}
