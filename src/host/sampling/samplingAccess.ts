import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { LogLevel } from '../../base/logging/logger.ts';
import type { After } from '../../base/time/clock.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import { accessPolicy, type AccessPolicy, type ModelAccess, type PolicyFacts } from './accessPolicy.ts';
import { AllowedModels } from './allowedModels.ts';
import type { LanguageModels, ModelRecord } from './request/languageModels.ts';
import type { MissedRequests } from './review/missedRequests.ts';
import { SamplingDecisions, type LaunchNow } from './samplingDecisions.ts';
import { samplingOccasions } from './samplingDecision.ts';
import type { SamplingPolicy, SamplingSettings } from './samplingSettings.ts';
import type { SamplingOccasion } from './request/samplingRequest.ts';
import { dayOf, type TokenUsage } from './tokenUsage.ts';

/** What model access needs of the host, the editor and you. */
export interface SamplingParts {
  readonly models: LanguageModels;
  readonly record: ModelRecord;
  readonly settings: SamplingSettings;
  readonly decisions: DecisionStore;
  readonly usage: TokenUsage;
  readonly questions: QuestionQueue;
  /** Keeps requests that ended before they had an answer. */
  readonly missed: Pick<MissedRequests, 'keep'>;
  readonly ledger: Pick<Ledger, 'begin'>;
  /** Runs a tool again, as a click of yours. */
  readonly runAgain: (id: ServerId, request: RequestInFlight) => void;
  /** The fingerprint of the running launch. */
  readonly launchOf: (id: ServerId) => string | undefined;
  /** The fingerprint of what would be launched now, for a server that isn't running. */
  readonly nextLaunchOf?: (definition: ServerDefinition) => string | undefined;
  /** Whether a running server knows that it may ask; undefined while it isn't running. */
  readonly isTold?: (id: ServerId) => boolean | undefined;
  /** Values that a server was given, which are never written. */
  readonly secretsOf?: (id: ServerId) => Iterable<string>;
  /** Writes to a server's log. */
  readonly log?: (id: ServerId, level: LogLevel, message: string) => void;
  readonly now?: () => number;
  readonly after?: After;
}

/** The model access of all servers, from your decisions, their definitions and your settings. */
export class SamplingAccess implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** Anything in a `ModelAccess` may have changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangePolicy = new Emitter<void>();
  /** A decision, here or in another window, or a setting may have changed. */
  readonly onDidChangePolicy = this.#onDidChangePolicy.event;
  readonly #onDidDeny = new Emitter<ServerId>();
  /** You denied model access to a server. */
  readonly onDidDeny = this.#onDidDeny.event;
  readonly models: AllowedModels;
  readonly #parts: SamplingParts;
  /** What you decided, and allowed until the window closes. */
  readonly decisions: SamplingDecisions;
  readonly #store = new DisposableStore();
  readonly #now: () => number;
  /** Limits that were exceeded, with the day: a note is gone the next day. */
  readonly #notes = new Map<ServerId, { readonly text: string; readonly day: string }>();
  #settled: Readonly<Record<SamplingOccasion, SamplingPolicy>>;

  constructor(parts: SamplingParts, now: () => number) {
    this.#parts = parts;
    this.#now = now;
    const { models, settings, decisions, usage } = parts;
    this.models = this.#store.add(new AllowedModels(models, settings));
    this.decisions = this.#store.add(new SamplingDecisions(decisions, now));
    this.#settled = settledPolicies(settings);
    this.#store.add(this.decisions.onDidChange(() => this.#policyChanged()));
    this.#store.add(settings.onDidChange(() => this.#settingsChanged()));
    this.#store.add(this.models.onDidChange(() => this.#onDidChange.fire()));
    this.#store.add(usage.onDidAdd(() => this.#onDidChange.fire()));
  }

  dispose(): void {
    this.#store.dispose();
    this.#onDidChange.dispose();
    this.#onDidChangePolicy.dispose();
    this.#onDidDeny.dispose();
  }

  get settings(): Pick<SamplingSettings, 'maxTokensPerDay' | 'removed'> {
    return this.#parts.settings;
  }

  /** What applies now to the requests of a running server on one occasion. */
  policyOf(definition: ServerDefinition, occasion: SamplingOccasion): AccessPolicy {
    return this.#policyFor(definition, occasion, () => this.#parts.launchOf(definition.id));
  }

  /** Whether you can allow such requests until the window closes. */
  canAllowSession(definition: ServerDefinition, occasion: SamplingOccasion): boolean {
    const launch: LaunchNow = () => this.#parts.launchOf(definition.id);
    return accessPolicy({ ...this.#facts(definition, occasion, launch), isAllowedForSession: true })
      .isForSession;
  }

  /** As `policyOf`, with the decisions that other windows have made until now. */
  freshPolicyOf(definition: ServerDefinition, occasion: SamplingOccasion): AccessPolicy {
    this.decisions.refresh(definition.id);
    return this.policyOf(definition, occasion);
  }

  /** Whether model access is declared to a server. */
  isOffered(definition: ServerDefinition): boolean {
    return (
      this.models.isSupported &&
      samplingOccasions.some((occasion) => this.policyOf(definition, occasion).policy !== 'deny')
    );
  }

  accessOf(definition: ServerDefinition): ModelAccess {
    const { usage, isTold } = this.#parts;
    const { id } = definition;
    const models = this.models.latest();
    const note = this.noteOf(id);
    const launch = this.#launchNow(definition);
    return {
      policies: {
        inCall: this.#policyFor(definition, 'inCall', launch),
        unasked: this.#policyFor(definition, 'unasked', launch),
      },
      today: usage.today(id),
      hasModel: models && models.length > 0,
      ...(note !== undefined && { note }),
      isOffered: isTold?.(id) ?? true,
    };
  }

  /**
   * Keeps your decision for a server; `default` forgets it.
   *
   * @throws what the file system says when it can't be kept: it applies until the window closes.
   */
  setPolicy(
    definition: ServerDefinition,
    label: string,
    occasion: SamplingOccasion | 'both',
    policy: SamplingPolicy | 'default',
  ): Promise<void> {
    if (policy === 'deny') {
      this.#onDidDeny.fire(definition.id);
    }
    const occasions = occasion === 'both' ? samplingOccasions : [occasion];
    const about = { id: definition.id, label, launch: this.#launchNow(definition) };
    return this.decisions.set(about, occasions, policy);
  }

  /**
   * Allows the requests of the current launch until the window closes. `isForServer` if you decided that for the server,
   * not with one of its requests: it then overrides an earlier denial.
   */
  allowForSession(
    definition: ServerDefinition,
    occasions: readonly SamplingOccasion[],
    isForServer = true,
  ): void {
    const launch = this.#launchNow(definition)();
    this.decisions.allowForSession(definition.id, launch, occasions, isForServer);
  }

  /** Sets or clears the limit that a server has exceeded. */
  note(id: ServerId, text: string | undefined): void {
    if (this.noteOf(id) !== text) {
      if (text === undefined) {
        this.#notes.delete(id);
      } else {
        this.#notes.set(id, { text, day: this.#today });
      }
      this.#onDidChange.fire();
    }
  }

  noteOf(id: ServerId): string | undefined {
    const note = this.#notes.get(id);
    return note?.day === this.#today ? note.text : undefined;
  }

  get #today(): string {
    return dayOf(this.#now());
  }

  #policyFor(definition: ServerDefinition, occasion: SamplingOccasion, launch: LaunchNow): AccessPolicy {
    const facts = this.#facts(definition, occasion, launch);
    const { decision, ...rest } = facts;
    const withoutDecision = accessPolicy(rest);
    // What the settings deny stays denied if a decision can't be read.
    return decision && this.decisions.isUnreadable(definition.id) && withoutDecision.policy === 'deny'
      ? withoutDecision
      : accessPolicy(facts);
  }

  #facts(definition: ServerDefinition, occasion: SamplingOccasion, launch: LaunchNow): PolicyFacts {
    const { id, sampling, origin } = definition;
    return {
      setting: this.#parts.settings.policyFor(occasion),
      ...(sampling && { proposal: { policy: sampling, isOwn: origin.scope === 'user' } }),
      ...this.decisions.factsOf(id, occasion, launch),
    };
  }

  /** The running launch; for a server that isn't running, the one that would run. */
  #launchNow(definition: ServerDefinition): LaunchNow {
    const { launchOf, nextLaunchOf } = this.#parts;
    return () => launchOf(definition.id) ?? nextLaunchOf?.(definition);
  }

  #policyChanged(): void {
    this.#onDidChangePolicy.fire();
    this.#onDidChange.fire();
  }

  #settingsChanged(): void {
    const before = this.#settled;
    this.#settled = settledPolicies(this.#parts.settings);
    for (const occasion of samplingOccasions) {
      // A setting that now denies everything also ends what was allowed for this session.
      if (this.#settled[occasion] === 'deny' && before[occasion] !== 'deny') {
        this.decisions.endAllSessions(occasion);
      }
    }
    this.#policyChanged();
  }
}

function settledPolicies(settings: SamplingSettings): Readonly<Record<SamplingOccasion, SamplingPolicy>> {
  return { inCall: settings.policyFor('inCall'), unasked: settings.policyFor('unasked') };
}
