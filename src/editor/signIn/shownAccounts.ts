import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { AccountStore } from '../../host/auth/accounts/accountStore.ts';
import type { AccountAccess } from '../../host/auth/accounts/accountVault.ts';
import { shownAccount, type AccountSource, type ShownAccount } from '../../host/auth/accountText.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';

/** The accounts of servers as the tree shows them: they are read when they may have changed. */
export class ShownAccounts implements AccountSource, Disposable {
  readonly #host: McpHost;
  readonly #stored: Pick<AccountStore, 'access'>;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<ServerId>());
  readonly onDidChange = this.#onDidChange.event;
  readonly #accounts = new Map<ServerId, ShownAccount>();
  #access: AccountAccess = 'empty';

  constructor(host: McpHost, stored: AccountStore, contextKeys: ContextKeys) {
    this.#host = host;
    this.#stored = stored;
    this.#store.add(stored.onDidChange(({ server }) => void this.#look(server)));
    this.#store.add(
      stored.onDidChangeAccess(() =>
        host.servers.forEach(({ connection }) => void this.#look(connection.definition.id)),
      ),
    );
    this.#store.add(host.onDidChangeServer(({ definition }) => void this.#look(definition.id)));
    const update = (): void =>
      contextKeys.set(
        'mcpHost.hasAccount',
        host.servers.some(({ connection }) => this.#accounts.has(connection.definition.id)),
      );
    this.#store.add(this.onDidChange(update));
    this.#store.add(host.onDidChangeServers(update));
  }

  get access(): AccountAccess {
    return this.#access;
  }

  accountOf(id: ServerId): ShownAccount | undefined {
    return this.#accounts.get(id);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #look(id: ServerId): Promise<void> {
    const { signIn, connection } = this.#host.server(id) ?? {};
    if (!signIn) {
      return;
    }
    // Other listeners, which make the sign-in read its account again, come first.
    await Promise.resolve();
    const isRequired = connection?.state.signIn?.kind === 'required';
    const [account, access] = await Promise.all([
      signIn.account().catch(() => undefined),
      isRequired ? this.#stored.access().catch(() => this.#access) : this.#access,
    ]);
    const shown = account && shownAccount(account);
    const isSame =
      JSON.stringify(shown) === JSON.stringify(this.#accounts.get(id)) && access === this.#access;
    if (isSame || this.#store.isDisposed) {
      return;
    }
    this.#access = access;
    if (shown) {
      this.#accounts.set(id, shown);
    } else {
      this.#accounts.delete(id);
    }
    this.#onDidChange.fire(id);
  }
}
