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
  let isShown = false;
  // The time during which you enter an input does not count.
  const looking = setInterval(() => {
    const wait = connection.startWait;
    if (!isShown && wait && Date.now() - wait.since >= SHOWN_AFTER_MS) {
      isShown = true;
      void vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: inNotification(`Starting '${label}'`),
          cancellable: true,
        },
        async (progress, token) => {
          const stopping = token.onCancellationRequested(() => void host.stop(connection.definition.id));
          const telling = setInterval(() => tell(progress), LOOK_MS);
          tell(progress);
          await settled;
          clearInterval(telling);
          stopping.dispose();
        },
      );
    }
  }, LOOK_MS);
  const tell = (progress: vscode.Progress<{ message: string }>): void => {
    const wait = connection.startWait;
    if (wait) {
      const seconds = `${Math.floor((Date.now() - wait.since) / 1_000)} s`;
      progress.report({
        message:
          wait.runner === undefined ? seconds : `${seconds}. ${wait.runner} may still be downloading it.`,
      });
    }
  };
  try {
    await started;
  } finally {
    clearInterval(looking);
  }
}
