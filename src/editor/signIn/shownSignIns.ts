import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { AccountStore } from '../../host/auth/accounts/accountStore.ts';
import type { AccountAccess } from '../../host/auth/accounts/accountVault.ts';
import { shownAccount, type ShownAccount } from '../../host/auth/accountText.ts';
import type { SignInState } from '../../host/auth/signInState.ts';
import type { SignIns } from '../../host/auth/signIns.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { SignInSource } from '../../host/auth/signInActions.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';

interface ShownSources {
  readonly host: McpHost;
  readonly signIns: SignIns;
  readonly accounts: AccountStore;
  readonly contextKeys: ContextKeys;
}

const none: SignInState = { kind: 'none' };

/** The sign-ins and the accounts of servers as the tree shows them: accounts are read when they may have changed. */
export class ShownSignIns implements SignInSource, Disposable {
  readonly #signIns: SignIns;
  readonly #stored: Pick<AccountStore, 'access'>;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<ServerId>());
  readonly onDidChange = this.#onDidChange.event;
  readonly #accounts = new Map<ServerId, ShownAccount>();
  #access: AccountAccess = 'empty';

  constructor({ host, signIns, accounts, contextKeys }: ShownSources) {
    this.#signIns = signIns;
    this.#stored = accounts;
    this.#store.add(
      signIns.onDidChange((id) => {
        this.#onDidChange.fire(id);
        void this.#look(id);
      }),
    );
    this.#store.add(accounts.onDidChange(({ server }) => void this.#look(server)));
    this.#store.add(
      accounts.onDidChangeAccess(() =>
        host.servers.forEach(({ connection }) => void this.#look(connection.definition.id)),
      ),
    );
    this.#store.add(host.onDidChangeServer(({ definition }) => void this.#look(definition.id)));
    const update = (): void => {
      const ids = host.servers.map(({ connection }) => connection.definition.id);
      const kinds = ids.map((id) => this.stateOf(id).kind);
      contextKeys.set(
        'mcpHost.hasSignIn',
        kinds.some((kind) => kind !== 'none'),
      );
      contextKeys.set('mcpHost.hasSignInInBrowser', kinds.includes('inBrowser'));
      contextKeys.set(
        'mcpHost.hasAccount',
        ids.some((id) => this.#accounts.has(id)),
      );
    };
    this.#store.add(this.onDidChange(update));
    this.#store.add(host.onDidChangeServers(update));
  }

  get access(): AccountAccess {
    return this.#access;
  }

  stateOf(id: ServerId): SignInState {
    return this.#signIns.of(id)?.state ?? none;
  }

  accountOf(id: ServerId): ShownAccount | undefined {
    return this.#accounts.get(id);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #look(id: ServerId): Promise<void> {
    const signIn = this.#signIns.of(id);
    if (!signIn) {
      return;
    }
    // Other listeners, which make the sign-in read its account again, come first.
    await Promise.resolve();
    const [account, access] = await Promise.all([
      signIn.account().catch(() => undefined),
      signIn.state.kind === 'required' ? this.#stored.access().catch(() => this.#access) : this.#access,
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
