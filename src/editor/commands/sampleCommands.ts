import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { isActive } from '../../host/connection/state/connectionState.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { sampleId } from '../../host/sample/sampleDefinition.ts';
import type { AddedSample } from '../../host/sample/addedSample.ts';
import { inNotification } from '../plainText.ts';
import type { Review } from '../review/review.ts';
import { startWhenThere } from './startWhenThere.ts';

export interface SampleDependencies {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly sample: AddedSample;
  readonly review: Pick<Review, 'review'>;
  /** Shows a server's tools in the view, with the first one selected. */
  readonly showTools: (id: ServerId) => Promise<void>;
}

/** Registers `mcpHost.trySampleServer` and `mcpHost.removeSampleServer`. */
export function registerSampleCommands(dependencies: SampleDependencies): Disposable {
  const store = new DisposableStore();
  /** Ends the wait of the last try for its server to run. */
  let waiting = store.add(new DisposableStore());
  store.add(
    vscode.commands.registerCommand('mcpHost.trySampleServer', async () => {
      waiting.dispose();
      waiting = store.add(new DisposableStore());
      await told('The sample server was not added', () => trySample(dependencies, waiting));
    }),
  );
  store.add(
    vscode.commands.registerCommand('mcpHost.removeSampleServer', () =>
      told('The sample server was not removed', () => removeSample(dependencies)),
    ),
  );
  return store;
}

/** Adds the server, asks about its launch at once, and shows its tools as soon as it runs. */
async function trySample(dependencies: SampleDependencies, waiting: DisposableStore): Promise<void> {
  const { host, sample, review } = dependencies;
  await sample.add();
  await vscode.commands.executeCommand('mcpHost.servers.focus');
  if (!vscode.workspace.isTrusted) {
    waiting.add(
      vscode.workspace.onDidGrantWorkspaceTrust(
        () => void vscode.commands.executeCommand('mcpHost.trySampleServer'),
      ),
    );
    await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  showWhenListed(dependencies, waiting);
  await startWhenThere(host, sampleId);
  review.review(sampleId);
}

/** It may take the user a while to allow it; a server that is removed or denied is waited for in vain. */
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

/** Undo brings it back as it was: its decisions, and running if it ran. */
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

async function told(what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    void vscode.window.showErrorMessage(inNotification(`${what}: ${messageOf(error)}`));
  }
}
