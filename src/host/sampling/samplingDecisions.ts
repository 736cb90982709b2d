import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { PolicyFacts } from './accessPolicy.ts';
import { samplingDecisionKind, samplingOccasions, type SamplingDecision } from './samplingDecision.ts';
import type { SamplingPolicy } from './samplingSettings.ts';
import type { SamplingOccasion } from './request/samplingRequest.ts';

/** The fingerprint of the launch that runs or would run; computed only if it matters. */
export type LaunchNow = () => string | undefined;

interface Allowance {
  readonly launch: string | undefined;
  readonly at: number;
  /** You decided it for the server, not with one request: it overrides an earlier denial. */
  readonly isForServer: boolean;
}

/** Your decisions about model access: saved ones, and those until the window closes. */
export class SamplingDecisions implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** A decision may have changed, in this window or another one. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #store: DecisionStore;
  readonly #now: () => number;
  readonly #listening: Disposable;
  /** Decisions of this window that are not saved yet. */
  readonly #unsaved = new Map<ServerId, SamplingDecision | undefined>();
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

  /** Reads the decisions of other windows about a server. */
  refresh(id: ServerId): void {
    this.#store.refresh(this.#keyOf(id));
  }

  /** The decisions that count for a server on an occasion. */
  factsOf(
    id: ServerId,
    occasion: SamplingOccasion,
    launchNow: LaunchNow,
  ): Pick<PolicyFacts, 'decision' | 'isAllowedForSession'> {
    const kept = this.#of(id);
    const allowance = this.#allowances.get(allowanceKey(id, occasion));
    const isAllowedForSession = allowance !== undefined && allowance.launch === launchNow();
    // A decision that can't be read may have been a denial, so you are asked again.
    const policy = this.isUnreadable(id) ? 'ask' : kept?.[occasion];
    if (isAllowedForSession && allowance.isForServer && (kept?.at ?? 0) <= allowance.at) {
      return { decision: { policy: 'ask', isOfThisLaunch: true }, isAllowedForSession };
    }
    return policy === undefined
      ? { isAllowedForSession }
      : {
          decision: { policy, isOfThisLaunch: appliesToAll(policy) || kept?.fingerprint === launchNow() },
          isAllowedForSession,
        };
  }

  /** Whether there is a decision about a server that can't be read. */
  isUnreadable(id: ServerId): boolean {
    const key = this.#keyOf(id);
    return !this.#unsaved.has(id) && this.#store.get(key) === undefined && this.#store.isUnreadable(key);
  }

  /**
   * Keeps your decision about a server: it applies at once, and is saved when this resolves.
   *
   * @throws what the file system says when it can't be saved: it applies until the window closes.
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
    this.#unsaved.set(id, said);
    this.#onDidChange.fire();
    if (said) {
      await this.#store.put(said);
    } else {
      const kept = this.#store.get(this.#keyOf(id));
      await (kept ? this.#store.forget(kept.id) : undefined);
    }
    if (this.#unsaved.get(id) === said) {
      this.#unsaved.delete(id);
    }
  }

  /** Allows a launch's requests until the window closes, or you decide otherwise. */
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

  /** Revokes `allowForSession`. */
  endSession(id: ServerId, occasion: SamplingOccasion): void {
    if (this.#allowances.delete(allowanceKey(id, occasion))) {
      this.#onDidChange.fire();
    }
  }

  /** Applies what is allowed until the window closes to a server under its new name as well. */
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
    if (this.#unsaved.has(id)) {
      return this.#unsaved.get(id);
    }
    return this.#store.getOf(samplingDecisionKind, this.#keyOf(id));
  }

  #keyOf(id: ServerId): string {
    return this.#store.keyOf(samplingDecisionKind, id);
  }
}

/** The earlier decision about the other occasion: what was allowed for another launch is not allowed for this one. */
function renewed(
  before: SamplingDecision | undefined,
  occasion: SamplingOccasion,
  launch: string,
): SamplingPolicy | undefined {
  const policy = before?.[occasion];
  return policy === undefined || appliesToAll(policy) || before?.fingerprint === launch ? policy : 'ask';
}

/** Whether it applies to every launch. */
function appliesToAll(policy: SamplingPolicy): boolean {
  return policy === 'deny' || policy === 'ask';
}

function allowanceKey(id: ServerId, occasion: SamplingOccasion): string {
  return `${occasion} ${id}`;
}
