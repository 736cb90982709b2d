import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';

/** The editor's token as a signal, until it is disposed. Without a token, nothing aborts. */
export function signalOf(
  token: vscode.CancellationToken | undefined,
): Disposable & { readonly signal: AbortSignal } {
  const abort = new AbortController();
  const subscription = token?.onCancellationRequested(() => abort.abort());
  if (token?.isCancellationRequested) {
    abort.abort();
  }
  return { signal: abort.signal, dispose: () => subscription?.dispose() };
}

/** A signal as the editor's token, until it is disposed. */
export function tokenOf(signal: AbortSignal): Disposable & {
  readonly token: vscode.CancellationToken;
  /** Cancels the token, whatever the signal does. */
  cancel(): void;
} {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return {
    token: source.token,
    cancel,
    dispose: () => {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    },
  };
}
