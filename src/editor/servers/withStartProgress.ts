import * as vscode from 'vscode';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { inNotification } from '../messages/plainText.ts';

/** Milliseconds that a server may take to start before its progress is shown. */
const SHOWN_AFTER_MS = 3_000;
const LOOK_MS = 500;

/**
 * Starts a server that you wait for. While it takes long, as a first download does, a notification shows that, and
 * lets you stop it.
 *
 * @throws as `start`.
 */
export async function withStartProgress(
  host: McpHost,
  { connection, label }: HostServer,
  start: () => Promise<void>,
): Promise<void> {
  const started = start();
  const settled = started.then(
    () => {},
    () => {},
  );
  let progress: vscode.Progress<{ message: string }> | undefined;
  let isShown = false;
  // The time during which you enter an input does not count.
  const looking = setInterval(() => {
    const { startWait: wait, state } = connection;
    if (!wait || state.kind !== 'starting') {
      return;
    }
    const waitedMs = Date.now() - wait.since;
    if (!isShown && waitedMs >= SHOWN_AFTER_MS) {
      isShown = true;
      const title = inNotification(`Starting '${label}'`);
      const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
      void vscode.window.withProgress(options, async (shown, token) => {
        progress = shown;
        const stopping = token.onCancellationRequested(() => void host.stop(connection.definition.id));
        await settled;
        stopping.dispose();
      });
    }
    const why = state.asks
      ? `. It waits for you; its row has what to do: ${inNotification(state.asks.words)}`
      : wait.runner === undefined
        ? ''
        : `. ${wait.runner} may still be downloading it.`;
    progress?.report({ message: `${Math.floor(waitedMs / 1_000)} s${why}` });
  }, LOOK_MS);
  try {
    await started;
  } finally {
    clearInterval(looking);
  }
}
