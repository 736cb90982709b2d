import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { LanguageModel, LanguageModels } from './languageModels.ts';
import type { AccessPolicy, ModelAccess } from './modelAccess.ts';
import { allowedModels } from './modelChoice.ts';
import { SamplingDecisions, samplingOccasions, type LaunchNow } from './samplingDecisions.ts';
import { accessPolicy, type PolicyFacts } from './samplingPolicy.ts';
import type { SamplingOccasion, SamplingPolicy, SamplingSettings } from '../config/samplingSettings.ts';
import type { TokenUsage } from './tokenUsage.ts';
import { dayOf } from './usageFile.ts';

/** What access to models depends on. */
export interface AccessParts {
  readonly models: LanguageModels;
  readonly settings: SamplingSettings;
  readonly decisions: DecisionStore;
  readonly usage: TokenUsage;
  /** The fingerprint of the launch that runs. */
  readonly launchOf: (id: ServerId) => string | undefined;
  /** That of what would be launched now, for what is said of a server that does not run. */
  readonly nextLaunchOf?: (definition: ServerDefinition) => string | undefined;
  /** Whether the running server was told that it may ask; undefined while it does not run. */
  readonly isTold?: (id: ServerId) => boolean | undefined;
}

/** How servers stand with the language models: what the person, the definitions and the settings say. */
export class SamplingAccess implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  /** What was decided, here or in another window, or a setting may be another. */
  readonly #onDidChangePolicy = new Emitter<void>();
  readonly onDidChangePolicy = this.#onDidChangePolicy.event;
  readonly #onDidChangeModels = new Emitter<readonly LanguageModel[]>();
  /** Other models than before may be used. */
  readonly onDidChangeModels = this.#onDidChangeModels.event;
  readonly #parts: AccessParts;
  readonly #decisions: SamplingDecisions;
  readonly #store = new DisposableStore();
  readonly #now: () => number;
  /** Of this day: what bites is over by the next. */
  readonly #notes = new Map<ServerId, { readonly text: string; readonly day: string }>();
  #settled: Readonly<Record<SamplingOccasion, SamplingPolicy>>;
  #allowed: readonly LanguageModel[] | undefined;
  #isLooking = false;
  #looks = 0;

  constructor(parts: AccessParts, now: () => number) {
    this.#parts = parts;
    this.#now = now;
    const { models, settings, decisions } = parts;
    this.#decisions = this.#store.add(new SamplingDecisions(decisions, now));
    this.#settled = settledPolicies(settings);
    this.#store.add(this.#decisions.onDidChange(() => this.#policyChanged()));
    this.#store.add(settings.onDidChange(() => this.#settingsChanged()));
    this.#store.add(models.onDidChange(() => void this.#look()));
  }

  dispose(): void {
    this.#store.dispose();
    this.#onDidChange.dispose();
    this.#onDidChangePolicy.dispose();
    this.#onDidChangeModels.dispose();
  }

  /** What holds now for the requests of a server that runs, on one occasion. */
  policyOf(definition: ServerDefinition, occasion: SamplingOccasion): AccessPolicy {
    return this.#policyFor(definition, occasion, () => this.#parts.launchOf(definition.id));
  }

  /** Whether the person can let such requests pass until the window closes. */
  canAllowSession(definition: ServerDefinition, occasion: SamplingOccasion): boolean {
    const launch: LaunchNow = () => this.#parts.launchOf(definition.id);
    return accessPolicy({ ...this.#facts(definition, occasion, launch), isAllowedForSession: true })
      .isForSession;
  }

  /** Reads what other windows have decided until now. */
  refresh({ id }: ServerDefinition): void {
    this.#decisions.refresh(id);
  }

  /** Whether a server is told that it may ask. */
  isOffered(definition: ServerDefinition): boolean {
    return (
      this.#parts.models.isSupported &&
      samplingOccasions.some((occasion) => this.policyOf(definition, occasion).policy !== 'deny')
    );
  }

  accessOf(definition: ServerDefinition): ModelAccess {
    const { usage, isTold } = this.#parts;
    const { id } = definition;
    if (this.#allowed === undefined) {
      void this.#look();
    }
    const note = this.noteOf(id);
    const launch = this.#launchNow(definition);
    return {
      policies: {
        inCall: this.#policyFor(definition, 'inCall', launch),
        unasked: this.#policyFor(definition, 'unasked', launch),
      },
      today: usage.today(id),
      hasModel: this.#allowed && this.#allowed.length > 0,
      ...(note !== undefined && { note }),
      isOffered: isTold?.(id) ?? true,
    };
  }

  /** The models that may be used now, the preferred first. */
  async models(): Promise<readonly LanguageModel[]> {
    const { models, settings } = this.#parts;
    this.#allowed = models.isSupported ? allowedModels(await models.available(), settings.models) : [];
    return this.#allowed;
  }

  /** @throws what the file system says when it cannot be kept: it holds until the window closes. */
  setPolicy(
    definition: ServerDefinition,
    label: string,
    occasions: readonly SamplingOccasion[],
    policy: SamplingPolicy | 'default',
  ): Promise<void> {
    const about = { id: definition.id, label, launch: this.#launchNow(definition) };
    return this.#decisions.set(about, occasions, policy);
  }

  /** `isForServer` when the person said so apart from a request: it then takes back what was denied. */
  allowForSession(
    definition: ServerDefinition,
    occasions: readonly SamplingOccasion[],
    isForServer: boolean,
  ): void {
    const launch = this.#launchNow(definition)();
    this.#decisions.allowForSession(definition.id, launch, occasions, isForServer);
  }

  endSession({ id }: ServerDefinition, occasion: SamplingOccasion): void {
    this.#decisions.endSession(id, occasion);
  }

  /** What holds until the window closes holds for a server under its new name, too. */
  copySession(from: ServerId, to: ServerId): void {
    this.#decisions.copySession(from, to);
  }

  forgetSession(id: ServerId): void {
    this.#decisions.forgetSession(id);
  }

  /** What the person should know of a server, until it is another thing or nothing. */
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

  /** What was used of the models is more. */
  used(): void {
    this.#onDidChange.fire();
  }

  #policyFor(definition: ServerDefinition, occasion: SamplingOccasion, launch: LaunchNow): AccessPolicy {
    const facts = this.#facts(definition, occasion, launch);
    const { decision, ...rest } = facts;
    const withoutDecision = accessPolicy(rest);
    // What cannot be read is no permission to ask where the settings say no.
    return decision && this.#decisions.isUnclear(definition.id) && withoutDecision.policy === 'deny'
      ? withoutDecision
      : accessPolicy(facts);
  }

  #facts(definition: ServerDefinition, occasion: SamplingOccasion, launch: LaunchNow): PolicyFacts {
    const { id, sampling, origin } = definition;
    return {
      setting: this.#parts.settings.policyFor(occasion),
      ...(sampling && { proposal: { policy: sampling, isOwn: origin.scope === 'user' } }),
      ...this.#decisions.factsOf(id, occasion, launch),
    };
  }

  /** The launch that runs; of a server that does not run, the one that would. */
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
      // What the person has just denied to all of them is denied to those of this session, too.
      if (this.#settled[occasion] === 'deny' && before[occasion] !== 'deny') {
        this.#decisions.endAllSessions(occasion);
      }
    }
    this.#policyChanged();
    void this.#look();
  }

  /** Finds out which models may be used; several causes at a time make one look, and one more after it. */
  async #look(): Promise<void> {
    this.#looks += 1;
    if (this.#isLooking) {
      return;
    }
    this.#isLooking = true;
    try {
      for (let seen = 0; seen !== this.#looks;) {
        seen = this.#looks;
        // What cannot be listed cannot be used.
        const allowed = await this.models().catch(() => []);
        if (this.#store.isDisposed) {
          return;
        }
        this.#allowed = allowed;
        this.#onDidChangeModels.fire(allowed);
        this.#onDidChange.fire();
      }
    } finally {
      this.#isLooking = false;
    }
  }
}

function settledPolicies(settings: SamplingSettings): Readonly<Record<SamplingOccasion, SamplingPolicy>> {
  return { inCall: settings.policyFor('inCall'), unasked: settings.policyFor('unasked') };
}
