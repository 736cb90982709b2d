import * as vscode from 'vscode';
import { realPathOf } from '../../base/files/realPathOf.ts';
import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import { unknownExtension, type Caller } from '../../host/ledger/caller.ts';
import { callerOf, type InstalledExtension } from './callerOf.ts';

/** Frames that are read: a caller may have wrapped what it calls. */
const MAX_FRAMES = 100;

/** Finds out which extension calls from the stack, because the editor does not tell. `own` is this extension's id. */
export function callingExtension(own: string, store: DisposableStore): () => Caller {
  let installed: readonly InstalledExtension[] | undefined;
  store.add(
    vscode.extensions.onDidChange(() => {
      installed = undefined;
    }),
  );
  return () => {
    installed ??= vscode.extensions.all.map(installedExtension);
    const caller = callerOf(stackNow(), installed, own);
    return caller ? { kind: 'extension', id: caller.id, label: caller.label } : unknownExtension;
  };
}

function installedExtension({
  id,
  extensionPath,
  packageJSON,
}: vscode.Extension<unknown>): InstalledExtension {
  const { displayName } = packageJSON as { readonly displayName?: unknown };
  // A name that is translated later is still a key in percent signs.
  const isName = typeof displayName === 'string' && displayName !== '' && !/^%.*%$/.test(displayName);
  return {
    id,
    label: isName ? displayName : id,
    // Code that is reached by a link runs under the path of the link's target.
    folders: [...new Set([extensionPath, realPathOf(extensionPath)])],
  };
}

function stackNow(): string {
  const before = Error.stackTraceLimit;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = MAX_FRAMES;
    Error.captureStackTrace(holder);
  } finally {
    Error.stackTraceLimit = before;
  }
  // An extension may have replaced `Error.prepareStackTrace`, which can return anything.
  return typeof holder.stack === 'string' ? holder.stack : '';
}
