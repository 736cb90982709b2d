import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { PolicyFacts } from './accessPolicy.ts';
import { samplingDecisionKind, samplingOccasions, type SamplingDecision } from './samplingDecision.ts';
import type { SamplingPolicy } from './samplingSettings.ts';
import type { SamplingOccasion } from './request/samplingRequest.ts';

/** The launch that runs, or would run, by its fingerprint; asked only where it counts. */
export type LaunchNow = () => string | undefined;

interface Allowance {
  readonly launch: string | undefined;
  readonly at: number;
  /** The person said so for the server, not with one request: it holds over what was denied before. */
  readonly isForServer: boolean;
}

/** What the person said of servers' access to language models: kept, or until the window closes. */
export class SamplingDecisions implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** What was said may be different, by this window or another one. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #store: DecisionStore;
  readonly #now: () => number;
  readonly #listening: Disposable;
  /** What was said in this window and is not on the disk. */
  readonly #said = new Map<ServerId, SamplingDecision | undefined>();
  readonly #allowances = new Map<string, Allowance>();

  constructor(store: DecisionStore, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#listening = store.onDidChange(() => this.#onDidChange.fire());
  }

  dispose(): void {
    this.#listening.dispose();
    this.#onDidChange.dispose();
  }

  /** Reads what other windows have said of a server until now. */
  refresh(id: ServerId): void {
    this.#store.refresh(this.#keyOf(id));
  }

  /** What counts of all that was said of a server for an occasion. */
  factsOf(
    id: ServerId,
    occasion: SamplingOccasion,
    launchNow: LaunchNow,
  ): Pick<PolicyFacts, 'decision' | 'isAllowedForSession'> {
    const kept = this.#of(id);
    const allowance = this.#allowances.get(allowanceKey(id, occasion));
    const isAllowedForSession = allowance !== undefined && allowance.launch === launchNow();
    // What cannot be read may have been a denial; it is asked again.
    const policy = this.#isUnreadable(id) ? 'ask' : kept?.[occasion];
    if (isAllowedForSession && allowance.isForServer && (kept?.at ?? 0) <= allowance.at) {
      return { decision: { policy: 'ask', isOfThisLaunch: true }, isAllowedForSession };
    }
    return policy === undefined
      ? { isAllowedForSession }
      : {
          decision: { policy, isOfThisLaunch: isKeptForAll(policy) || kept?.fingerprint === launchNow() },
          isAllowedForSession,
        };
  }

  /** Whether something was said of a server that cannot be read any more. */
  isUnclear(id: ServerId): boolean {
    return this.#isUnreadable(id);
  }

  /**
   * Keeps what the person said of a server: it holds at once, and on the disk when this is resolved.
   *
   * @throws what the file system says when it cannot be kept: it holds until the window closes.
   */
  async set(
    about: { readonly id: ServerId; readonly label: string; readonly launch: LaunchNow },
    occasions: readonly SamplingOccasion[],
    policy: SamplingPolicy | 'default',
  ): Promise<void> {
    const { id, label } = about;
    this.refresh(id);
    const launch = about.launch() ?? '';
    const before = this.#of(id);
    const decision: SamplingDecision = {
      kind: 'sampling',
      key: this.#keyOf(id),
      serverId: id,
      label,
      ...Object.fromEntries(
        samplingOccasions.flatMap((occasion) => {
          const said = occasions.includes(occasion) ? policy : renewed(before, occasion, launch);
          return said === undefined || said === 'default' ? [] : [[occasion, said]];
        }),
      ),
      fingerprint: launch,
      at: this.#now(),
    };
    occasions.forEach((occasion) => this.#allowances.delete(allowanceKey(id, occasion)));
    const isSaid = decision.inCall !== undefined || decision.unasked !== undefined;
    const said = isSaid ? decision : undefined;
    this.#said.set(id, said);
    this.#onDidChange.fire();
    if (said) {
      await this.#store.put(said);
    } else {
      const kept = this.#store.get(this.#keyOf(id));
      await (kept ? this.#store.forget(kept.id) : undefined);
    }
    if (this.#said.get(id) === said) {
      this.#said.delete(id);
    }
  }

  /** Lets a launch's requests pass until the window closes, or something else is said. */
  allowForSession(
    id: ServerId,
    launch: string | undefined,
    occasions: readonly SamplingOccasion[],
    isForServer: boolean,
  ): void {
    const allowance: Allowance = { launch, at: this.#now(), isForServer };
    occasions.forEach((occasion) => this.#allowances.set(allowanceKey(id, occasion), allowance));
    this.#onDidChange.fire();
  }

  /** Takes that back. */
  endSession(id: ServerId, occasion: SamplingOccasion): void {
    if (this.#allowances.delete(allowanceKey(id, occasion))) {
      this.#onDidChange.fire();
    }
  }

  /** What holds until the window closes holds for a server under its new name, too. */
  copySession(from: ServerId, to: ServerId): void {
    for (const occasion of samplingOccasions) {
      const allowance = this.#allowances.get(allowanceKey(from, occasion));
      if (allowance) {
        this.#allowances.set(allowanceKey(to, occasion), allowance);
      }
    }
  }

  forgetSession(id: ServerId): void {
    samplingOccasions.forEach((occasion) => this.#allowances.delete(allowanceKey(id, occasion)));
  }

  endAllSessions(occasion: SamplingOccasion): void {
    for (const key of this.#allowances.keys()) {
      if (key.startsWith(`${occasion} `)) {
        this.#allowances.delete(key);
      }
    }
    this.#onDidChange.fire();
  }

  #of(id: ServerId): SamplingDecision | undefined {
    if (this.#said.has(id)) {
      return this.#said.get(id);
    }
    return this.#store.getOf(samplingDecisionKind, this.#keyOf(id));
  }

  #isUnreadable(id: ServerId): boolean {
    return !this.#said.has(id) && this.#store.get(this.#keyOf(id)) === undefined
      ? this.#store.isUnreadable(this.#keyOf(id))
      : false;
  }

  #keyOf(id: ServerId): string {
    return this.#store.keyOf(samplingDecisionKind, id);
  }
}

/** What was said before of the other occasion: a permission for another launch is none for this one. */
function renewed(
  before: SamplingDecision | undefined,
  occasion: SamplingOccasion,
  launch: string,
): SamplingPolicy | undefined {
  const policy = before?.[occasion];
  return policy === undefined || isKeptForAll(policy) || before?.fingerprint === launch ? policy : 'ask';
}

/** Whether it holds for every launch. */
function isKeptForAll(policy: SamplingPolicy): boolean {
  return policy === 'deny' || policy === 'ask';
}

function allowanceKey(id: ServerId, occasion: SamplingOccasion): string {
  return `${occasion} ${id}`;
}
