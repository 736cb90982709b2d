import type { Event } from '../../base/event.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { CallAnswer } from '../questions/callAnswer.ts';
import type { Answer, CallDecision, CallTarget } from '../decisions/decision.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import { callKeyParts, keyOf } from '../decisions/decisionKey.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { Successor } from '../config/keptByServer.ts';
import type { RootsSource } from '../folders/rootsSource.ts';
import { callerKey, callerText, type Caller } from '../ledger/caller.ts';

/** Stands for every caller in a denial: never is never, whoever asks. */
const ANY_CALLER = 'any';

/** What answers to a request are remembered by. */
export interface DecidedCall {
  readonly serverId: ServerId;
  readonly caller: Caller;
  /** The tool or prompt by its name; resources without one. */
  readonly target: CallTarget;
  /** The fingerprint of the launch that runs. */
  readonly launch: string | undefined;
}

export type Remembered = Answer | 'unclear';

/** An answer given in this window: for the session, or until it is stored. */
type Said = Omit<CallDecision, 'key' | 'span'> & { readonly span: 'session' | CallDecision['span'] };

/** Your answers to requests that hold for later ones. */
export class CallDecisions implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** This window or another one may have changed what is remembered. */
  readonly onDidChange: Event<void> = this.#onDidChange.event;
  readonly #store: DecisionStore;
  readonly #workspace: Pick<RootsSource, 'folders'>;
  readonly #listening: Disposable;
  readonly #said = new Set<Said>();

  constructor(store: DecisionStore, workspace: Pick<RootsSource, 'folders'>) {
    this.#store = store;
    this.#workspace = workspace;
    this.#listening = store.onDidChange(() => this.#onDidChange.fire());
  }

  dispose(): void {
    this.#listening.dispose();
    this.#onDidChange.dispose();
  }

  /** Whether an answer can hold for this workspace. */
  get hasWorkspace(): boolean {
    return this.#workspace.folders.length > 0;
  }

  /**
   * The earlier answer to the same request, also from another window until now; a denial wins. `unclear`
   * when it can't be read, and may be a denial.
   */
  remembered(call: DecidedCall): Remembered | undefined {
    const { serverId, target } = call;
    const denials = [target, { kind: target.kind }].map((one) =>
      this.#keyOf({ serverId, door: ANY_CALLER, target: one, span: 'always' }),
    );
    denials.forEach((key) => this.#store.refresh(key));
    const kept = this.#store
      .find((decision) => decision.kind === 'call' && decision.serverId === serverId)
      // Another remote's decision has another key.
      .flatMap((one) => (one.kind === 'call' && one.key === this.#keyOf(one) ? [one] : []));
    const answers = [...this.#said, ...kept]
      .filter((said) => this.#holdsFor(said, call))
      .map(({ answer }) => answer);
    if (answers.includes('deny')) {
      return 'deny';
    }
    return denials.some((key) => this.#store.isUnreadable(key)) ? 'unclear' : answers[0];
  }

  /**
   * Keeps an answer for its span: it holds at once, and is stored when this is resolved.
   *
   * @throws what the file system says when it can't be stored: then it holds until the window closes.
   */
  async remember(call: DecidedCall, label: string, { answer, span, scope }: CallAnswer): Promise<void> {
    if (span === 'once') {
      return;
    }
    const { serverId, caller, target, launch } = call;
    const isDenial = answer === 'refuse';
    const said: Said = {
      kind: 'call',
      answer: isDenial ? 'deny' : 'allow',
      span,
      serverId,
      label,
      door: isDenial ? ANY_CALLER : callerKey(caller),
      doorText: isDenial ? 'Everybody' : callerText(caller),
      target: scope === 'server' ? { kind: target.kind } : target,
      fingerprint: launch ?? '',
      ...(span === 'workspace' && { folders: this.#folders }),
      at: Date.now(),
    };
    this.#said.add(said);
    this.#onDidChange.fire();
    if (span !== 'session') {
      const kept = { ...said, span };
      await this.#store.put({ ...kept, key: this.#keyOf(kept) });
      this.#said.delete(said);
    }
  }

  /** Answers for the session also hold for a server under its new name. */
  copySession(from: ServerId, { id, label }: Pick<Successor, 'id' | 'label'>): void {
    for (const said of [...this.#said].filter(({ serverId }) => serverId === from)) {
      this.#said.add({ ...said, serverId: id, label });
    }
  }

  forgetSession(id: ServerId): void {
    for (const said of this.#said) {
      if (said.serverId === id) {
        this.#said.delete(said);
      }
    }
  }

  get #folders(): readonly string[] {
    return this.#workspace.folders.map(({ uri }) => uri).sort();
  }

  #holdsFor(said: Said, { serverId, caller, target, launch }: DecidedCall): boolean {
    if (
      said.serverId !== serverId ||
      said.target.kind !== target.kind ||
      (said.target.name !== undefined && said.target.name !== target.name)
    ) {
      return false;
    }
    return said.answer === 'deny'
      ? said.door === ANY_CALLER || said.door === callerKey(caller)
      : said.door === callerKey(caller) && said.fingerprint === launch && this.#isHere(said);
  }

  /** Whether an answer for a workspace holds in this one: the answer must cover each of its folders. */
  #isHere({ span, folders = [] }: Said): boolean {
    return span !== 'workspace' || (this.hasWorkspace && this.#folders.every((uri) => folders.includes(uri)));
  }

  #keyOf(about: Pick<CallDecision, 'serverId' | 'door' | 'target' | 'span' | 'folders'>): string {
    return keyOf('call', this.#store.remoteName, about.serverId, ...callKeyParts(about));
  }
}
