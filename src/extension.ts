import * as vscode from 'vscode';
import type { McpHostApi } from './api.ts';
import { DisposableStore } from './base/lifetime/disposable.ts';
import { openHost } from './editor/activation/openHost.ts';
import { openWindow } from './editor/activation/openWindow.ts';
import {
  registerDefinitions,
  registerRequests,
  registerServers,
  rememberedIn,
} from './editor/activation/registerParts.ts';
import { callingExtension } from './editor/api/callingExtension.ts';
import { createApi } from './editor/api/publicApi.ts';
import { tellMissingParts } from './editor/commands/tellFailure.ts';
import { inNotification } from './editor/messages/plainText.ts';
import { messageOf } from './host/errors/hostError.ts';

/** The end of every connection; `deactivate` has no other way to the host that `activate` built. */
let closed: Promise<void> | undefined;

export function activate(context: vscode.ExtensionContext): McpHostApi {
  try {
    return build(context);
  } catch (error) {
    void vscode.window.showErrorMessage(`MCP Host can't start. ${inNotification(messageOf(error))}`);
    throw error;
  }
}

function build(context: vscode.ExtensionContext): McpHostApi {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const running = openHost(context, store);
  store.add({ dispose: () => (closed = running.close()) });
  const window = openWindow(context, running, store);

  // A part that fails is named in the view, and the others go on.
  const remembered = rememberedIn(context.workspaceState);
  const serversView = registerServers(window, remembered);
  registerRequests(window, remembered);
  registerDefinitions(context, window, remembered, serversView, store);

  const { host, keptTasks, parts } = window;
  void keptTasks.takeOver();
  // Disposed first: the sessions end before the callers, so that nobody cancels a task that can go on.
  store.add({ dispose: () => void Promise.allSettled([keptTasks.close(), host.close()]) });
  if (!serversView) {
    void tellMissingParts(parts);
  }
  return createApi({ ...window, callingExtension: callingExtension(context.extension.id, store) }, store);
}

/** The editor's API is gone by now, and five seconds are all there is: the children are waited for. */
export async function deactivate(): Promise<void> {
  await closed;
}
