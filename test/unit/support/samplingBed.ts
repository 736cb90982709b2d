import path from 'node:path';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { RequestInFlight } from '../../../src/host/connection/requests/requestsInFlight.ts';
import { MissedRequests } from '../../../src/host/sampling/review/missedRequests.ts';
import { SamplingBroker } from '../../../src/host/sampling/samplingBroker.ts';
import type { SamplingState } from '../../../src/host/sampling/review/reviewState.ts';
import type { SamplingPolicy, SamplingSettings } from '../../../src/host/sampling/samplingSettings.ts';
import type { SamplingOccasion } from '../../../src/host/sampling/request/samplingRequest.ts';
import { TokenUsage } from '../../../src/host/sampling/tokenUsage.ts';
import { textOf } from './connectionBed.ts';
import { FakeClock } from './fakeClock.ts';
import { RecordingLedger } from './gateBed.ts';
import { HostBed } from './hostBed.ts';
import { RememberedModels, ScriptedModels } from './scriptedModels.ts';
import { until } from './until.ts';
import { samplingQuestions } from '../../../src/host/sampling/review/samplingQuestion.ts';
import type { SamplingQuestion, SamplingReview } from '../../../src/host/sampling/review/samplingReview.ts';
import { launchQuestions } from '../../../src/host/launch/question/launchQuestion.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The user's settings, to be changed by a test. */
class ToldSettings implements SamplingSettings {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  policy: Mutable<Record<SamplingOccasion, SamplingPolicy>> = { inCall: 'ask', unasked: 'ask' };
  reviewsEveryAnswer = false;
  models: readonly string[] = [];
  maxRequestsPerMinute = 10;
  maxTokensPerRequest = 32_000;
  maxTokensPerDay = 200_000;
  removed: readonly string[] = [];

  policyFor(occasion: SamplingOccasion): SamplingPolicy {
    return this.policy[occasion];
  }

  change(
    to: Partial<Omit<SamplingSettings, 'policyFor' | 'onDidChange'>> & { policy?: SamplingPolicy },
  ): void {
    const { policy, ...rest } = to;
    if (policy) {
      this.policy = { inCall: policy, unasked: policy };
    }
    Object.assign(this, rest);
    this.#onDidChange.fire();
  }
}

/** What a server's tool says that it got. */
export type Got = { readonly result: unknown } | { readonly error: { code: number; message: string } };

/** A broker before real servers, with the models and the user in the test's hands. */
export class SamplingBed {
  readonly clock = new FakeClock();
  readonly models = new ScriptedModels();
  readonly record = new RememberedModels();
  readonly settings = new ToldSettings();
  readonly ledger = new RecordingLedger();
  readonly missed = new MissedRequests();
  readonly log: string[] = [];
  /** What the user had run again. */
  readonly runAgain: RequestInFlight[] = [];
  readonly hostBed: HostBed;
  readonly usage: TokenUsage;
  readonly broker: SamplingBroker;

  /** Without a time, that of `clock`. */
  constructor({ now, after }: Pick<FakeClock, 'now' | 'after'> = this.clock) {
    this.hostBed = new HostBed({
      sampling: {
        forServer: (server) => this.broker.forServer(server),
      },
    });
    const { host, bed, decisions, questions } = this.hostBed;
    this.usage = new TokenUsage(path.join(bed.directory, 'sampling'), now);
    this.broker = new SamplingBroker({
      models: this.models,
      settings: this.settings,
      decisions,
      record: this.record,
      usage: this.usage,
      questions,
      missed: this.missed,
      ledger: this.ledger,
      launchOf: (id) => host.runningLaunchOf(id),
      nextLaunchOf: (definition) => host.launchOf(definition),
      isTold: (id) => host.server(id)?.connection.isSamplingOffered,
      runAgain: (_id, request) => this.runAgain.push(request),
      log: (_id, level, message) => this.log.push(`${level} ${message}`),
      now,
      after,
    });
  }

  /** The reviews that wait. */
  get waiting(): readonly SamplingQuestion[] {
    return this.hostBed.asked(samplingQuestions);
  }

  /** The one review that waits, as soon as there is one. */
  async review(): Promise<SamplingReview> {
    return (await this.hostBed.untilAsked(samplingQuestions)).review;
  }

  untilNothingWaits(): Promise<void> {
    return this.hostBed.untilNothingWaits();
  }

  /** Gives a server that runs another launch, and waits until that runs. */
  async relaunch(definition: ServerDefinition): Promise<void> {
    const { hostBed } = this;
    hostBed.configure([definition]);
    await hostBed.untilAsked(launchQuestions);
    hostBed.answerAll('allow');
    await hostBed.until(definition, 'running');
  }

  async ask(
    definition: ServerDefinition,
    args: Readonly<Record<string, unknown>> = {},
    tool = 'ask',
  ): Promise<Got> {
    return JSON.parse(await textOf(this.hostBed.of(definition).callTool(tool, args))) as Got;
  }

  /** The ledger's lines, with what was asked of models in them. */
  get booked(): readonly string[] {
    return this.ledger.lines;
  }

  async close(): Promise<void> {
    await this.hostBed.host.close();
    this.broker.dispose();
    await this.usage.flush();
    this.usage.dispose();
    await this.hostBed.close();
  }
}

/** Resolves when a review has come so far. */
export async function untilPhase<K extends SamplingState['kind']>(
  review: SamplingReview,
  kind: K,
): Promise<Extract<SamplingState, { kind: K }>> {
  await until(() => review.state.kind === kind, `the review is at '${kind}'`, review.onDidChange);
  return review.state as Extract<SamplingState, { kind: K }>;
}

/** Sends a review as it stands, and delivers what comes back. */
export async function approve(review: SamplingReview, span: 'once' | 'session' = 'once'): Promise<void> {
  review.send(review.draft, span);
  await until(
    () => review.state.kind === 'answer' || review.state.kind === 'done',
    'there is an answer',
    review.onDidChange,
  );
  review.deliver([]);
}
