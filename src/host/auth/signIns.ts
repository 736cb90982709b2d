import { toDisposable, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { Logger } from '../../base/logging/logger.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { AskingServer } from '../questions/question.ts';
import { ServerSignIn } from './serverSignIn.ts';
import type { SignInPorts } from './signInPorts.ts';

/** The sign-ins of all servers at an address. */
export class SignIns {
  readonly #ports: SignInPorts;
  readonly #servers = new Map<ServerId, ServerSignIn>();
  readonly #onDidChange = new Emitter<ServerId>();
  /** The sign-in of a server has changed. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(ports: SignInPorts) {
    this.#ports = ports;
  }

  /** The sign-in of a server; undefined if the server is unknown, or not at an address. */
  of(id: ServerId): ServerSignIn | undefined {
    return this.#servers.get(id);
  }

  /** Adds a server. Dispose the result, not the sign-in, when the server is removed. */
  add(
    id: ServerId,
    server: () => AskingServer,
    logger: Logger,
    secrets: Pick<Set<string>, 'add'>,
  ): { readonly signIn: ServerSignIn } & Disposable {
    const signIn = new ServerSignIn({ ports: this.#ports, server, logger, secrets });
    this.#servers.set(id, signIn);
    const changes = signIn.onDidChange(() => this.#onDidChange.fire(id));
    const added = toDisposable(() => {
      changes.dispose();
      signIn.dispose();
      if (this.#servers.get(id) === signIn) {
        this.#servers.delete(id);
      }
    });
    return { signIn, dispose: () => added.dispose() };
  }
}
