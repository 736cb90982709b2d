import { setTimeout as delay } from 'node:timers/promises';
import type { Progress } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import { ProgressMeter } from '../../host/tools/progressMeter.ts';
import { inNotification } from './plainText.ts';

/** Milliseconds before a call shows its progress. */
const AT_ONCE_MS = 400;

/**
 * Sends a request. One that takes longer shows its progress, and can be cancelled.
 *
 * @throws as `send`.
 */
export async function withCallProgress<T>(
  title: string,
  send: (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const meter = new ProgressMeter();
  let latest: Progress | undefined;
  let onProgress: ((progress: Progress) => void) | undefined;
  const call = send((progress) => {
    latest = progress;
    onProgress?.(progress);
  }, abort.signal);
  const settled = call.then(
    () => true,
    () => true,
  );
  if (await Promise.race([settled, delay(AT_ONCE_MS, false)])) {
    return call;
  }
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: inNotification(title), cancellable: true },
    async (bar, token) => {
      onProgress = (progress) => {
        const report = meter.next(progress);
        const message = report.message === undefined ? {} : { message: inNotification(report.message) };
        bar.report({ ...report, ...message });
      };
      if (latest) {
        onProgress(latest);
      }
      const cancelling = token.onCancellationRequested(() => abort.abort());
      try {
        return await call;
      } finally {
        cancelling.dispose();
      }
    },
  );
}
