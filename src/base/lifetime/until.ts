import { DisposableStore, type Disposable } from './disposable.ts';

/** Waits until something is true, at most `ms` milliseconds. Looks whenever the event fires. */
export async function until(
  event: (listener: (fired: unknown) => void) => Disposable,
  isSo: () => boolean,
  ms: number,
): Promise<boolean> {
  const store = new DisposableStore();
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (isSo()) {
      resolve();
    }
  };
  store.add(event(look));
  const timer = setTimeout(resolve, ms);
  store.add({ dispose: () => clearTimeout(timer) });
  look();
  try {
    await promise;
  } finally {
    store.dispose();
  }
  return isSo();
}
