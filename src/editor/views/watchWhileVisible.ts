import type * as vscode from 'vscode';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import type { ListAudience } from '../../host/connection/lists/listAudience.ts';

/** Watches what servers list for as long as a view is visible. */
export function watchWhileVisible(
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  audience: ListAudience,
): Disposable {
  const store = new DisposableStore();
  let watching: Disposable | undefined;
  const follow = (isVisible: boolean): void => {
    watching?.dispose();
    watching = isVisible ? audience.watch() : undefined;
  };
  store.add(toDisposable(() => follow(false)));
  store.add(view.onDidChangeVisibility(({ visible }) => follow(visible)));
  follow(view.visible);
  return store;
}
