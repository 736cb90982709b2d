import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { ServerAccount } from './serverAccount.ts';
import type { SignInPorts } from './signInPorts.ts';

/**
 * Reports that the account of a server may be another one, after `changed` of that account was called: this or another
 * window has signed in or out or refreshed a token, or you have signed in or out in the editor.
 *
 * @param current The account as it is used now.
 */
export function onAccountChange(
  { accounts, editor }: SignInPorts,
  current: () => ServerAccount | undefined,
  listener: (account: ServerAccount) => void,
): Disposable {
  const store = new DisposableStore();
  store.add(
    accounts.onDidChange(({ server, url }) => {
      const account = current();
      if (account?.owner.server === server && account.owner.url === url) {
        account.changed();
        listener(account);
      }
    }),
  );
  if (editor) {
    store.add(
      editor.accounts.onDidChange(() => {
        const account = current();
        account?.changed();
        if (account) {
          listener(account);
        }
      }),
    );
  }
  return store;
}
