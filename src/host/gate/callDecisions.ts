import type { Event } from '../../base/lifetime/event.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { hasTexts, isRecord, isTexts } from '../../base/values/record.ts';
import type { Answer, Decision, DecisionKind, KeyParts } from '../decisions/decision.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { Successor } from '../config/keptByServer.ts';
import type { RootsSource } from '../folders/sharedRoot.ts';
import { callerKey, callerText, type Caller } from '../ledger/caller.ts';
import type { CallAnswer } from './callQuestion.ts';

/** Means every caller in a denial: never is never, for any caller. */
const ANY_CALLER = 'any';

/** What a decision on requests is about; without a name, everything of that kind. */
export interface CallTarget {
  readonly kind: 'tool' | 'resource' | 'prompt';
  readonly name?: string;
}

/** Your answer to requests of one caller to one server. */
export interface CallDecision extends Decision {
  readonly kind: 'call';
  readonly answer: Answer;
  readonly span: 'workspace' | 'always';
  /** `callerKey` and `callerText` of the caller. */
  readonly caller: string;
  readonly callerText: string;
  /** One tool or prompt by its name, all tools, all resources or all prompts. */
  readonly target: CallTarget;
  /** Of the launch that was running: with another one an `allow` no longer counts, a `deny` does. */
  readonly fingerprint: string;
  /** The URIs of the workspace's folders, for the span `workspace`: it holds where there are no others. */
  readonly folders?: readonly string[];
}

export const callDecisionKind: DecisionKind<CallDecision> = {
  name: 'call',
  isEntry: (fields) =>
    (fields['answer'] === 'allow' || fields['answer'] === 'deny') &&
    (fields['span'] === 'always' || (fields['span'] === 'workspace' && isTexts(fields['folders']))) &&
    hasTexts(fields, 'caller', 'callerText', 'fingerprint') &&
    isTarget(fields['target']),
  keyParts: (decision) => callKeyParts(decision),
  isDenial: ({ answer }) => answer === 'deny',
  generosity: ({ answer }) => (answer === 'deny' ? 0 : 1),
  words: {
    what({ answer, span, target, callerText }) {
      const where = span === 'workspace' ? ' in its workspace' : '';
      const who = callerText.charAt(0).toLowerCase() + callerText.slice(1);
      return `${answer === 'allow' ? 'lets' : 'never lets'} ${who} ${targetText(target)}${where}`;
    },
    detail: ({ folders = [] }, shown) => folders.map((uri) => shown.uri(uri)).join(', '),
    undone: () => 'You are asked again.',
  },
};

function callKeyParts({
  caller,
  target,
  span,
  folders = [],
}: Pick<CallDecision, 'caller' | 'target' | 'span' | 'folders'>): KeyParts {
  return [caller, target.kind, target.name ?? null, span === 'workspace' ? folders.toSorted() : null];
}

function isTarget(value: unknown): boolean {
  return (
    isRecord(value) &&
    ['tool', 'resource', 'prompt'].includes(String(value['kind'])) &&
    (value['name'] === undefined || hasTexts(value, 'name'))
  );
}

function targetText({ kind, name }: CallTarget): string {
  switch (kind) {
    case 'tool':
      return name === undefined ? 'call its tools' : `call '${name}'`;
    case 'resource':
      return 'read its resources';
    case 'prompt':
      return name === undefined ? 'get its prompts' : `get the prompt '${name}'`;
  }
}

/** A request as far as answers to it are remembered. */
export interface DecidedCall {
  readonly serverId: ServerId;
  readonly caller: Caller;
  /** The tool or prompt by its name; resources without one. */
  readonly target: CallTarget;
  /** The fingerprint of the launch that runs. */
  readonly launch: string | undefined;
}

export type RememberedAnswer = Answer | 'unclear';

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
  #stored:
    | {
        readonly all: readonly CallDecision[];
        readonly byServer: ReadonlyMap<ServerId, readonly CallDecision[]>;
      }
    | undefined;

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
   *
   * @param request that asks; see `DecisionStore.refreshFor`.
   */
  remembered(call: DecidedCall, request: object = {}): RememberedAnswer | undefined {
    const { serverId, target } = call;
    const denials = [target, { kind: target.kind }].map((one) =>
      this.#keyOf({ serverId, caller: ANY_CALLER, target: one, span: 'always' }),
    );
    this.#store.refreshFor(request, ...denials);
    let found: Answer | undefined;
    for (const one of [...this.#said, ...(this.#storedByServer.get(serverId) ?? [])]) {
      if (found !== 'deny' && this.#holdsFor(one, call)) {
        found = one.answer;
      }
    }
    if (found === 'deny') {
      return found;
    }
    return denials.some((key) => this.#store.isUnreadable(key)) ? 'unclear' : found;
  }

  /** What is stored and counts here: another remote's decision has another key. */
  get #storedByServer(): ReadonlyMap<ServerId, readonly CallDecision[]> {
    const all = this.#store.allOf(callDecisionKind);
    if (this.#stored?.all !== all) {
      const here = all.filter((one) => one.key === this.#keyOf(one));
      this.#stored = { all, byServer: Map.groupBy(here, ({ serverId }) => serverId) };
    }
    return this.#stored.byServer;
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
      caller: isDenial ? ANY_CALLER : callerKey(caller),
      callerText: isDenial ? 'Everybody' : callerText(caller),
      target: scope === 'server' ? { kind: target.kind } : target,
      fingerprint: launch ?? '',
      ...(span === 'workspace' && { folders: this.#folders }),
      at: Date.now(),
    };
    this.#said.add(said);
    this.#onDidChange.fire();
    if (span !== 'session') {
      const kept = { ...said, span };
      const decision: CallDecision = { ...kept, key: this.#keyOf(kept) };
      await this.#store.put(decision);
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
      ? said.caller === ANY_CALLER || said.caller === callerKey(caller)
      : said.caller === callerKey(caller) && said.fingerprint === launch && this.#isHere(said);
  }

  /** Whether an answer for a workspace holds in this one: the answer must cover each of its folders. */
  #isHere({ span, folders = [] }: Said): boolean {
    return span !== 'workspace' || (this.hasWorkspace && this.#folders.every((uri) => folders.includes(uri)));
  }

  #keyOf(about: Pick<CallDecision, 'serverId' | 'caller' | 'target' | 'span' | 'folders'>): string {
    return this.#store.keyOf(callDecisionKind, about.serverId, ...callKeyParts(about));
  }
}
