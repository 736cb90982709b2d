import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { ElicitationBroker } from '../../../src/host/elicitation/elicitationBroker.ts';
import {
  elicitationQuestions,
  type ElicitationQuestion,
} from '../../../src/host/elicitation/elicitationQuestion.ts';
import { textOf } from './connectionBed.ts';
import { FakeClock } from './fakeClock.ts';
import { RecordingLedger } from './gateBed.ts';
import { HostBed } from './hostBed.ts';
import { ofKind } from './questions.ts';
import { until } from './until.ts';

/** A broker of forms before real servers, with the user in the test's hands. */
export class ElicitationBed {
  readonly clock = new FakeClock();
  readonly ledger = new RecordingLedger();
  readonly log: string[] = [];
  readonly hostBed: HostBed;
  readonly broker: ElicitationBroker;

  constructor() {
    this.hostBed = new HostBed({
      elicitation: { forServer: (server) => this.broker.forServer(server) },
    });
    const { host, decisions, questions } = this.hostBed;
    this.broker = new ElicitationBroker({
      questions,
      decisions,
      ledger: this.ledger,
      launchOf: (id) => host.runningLaunchOf(id),
      log: (_id, level, message) => this.log.push(`${level} ${message}`),
      now: this.clock.now,
      after: this.clock.after,
    });
  }

  /** The forms that wait. */
  get waiting(): readonly ElicitationQuestion[] {
    return ofKind(this.hostBed.questions.questions, elicitationQuestions);
  }

  /** The one form that waits, as soon as there is one. */
  async form(): Promise<ElicitationQuestion> {
    await until(() => this.waiting.length === 1, 'a form waits', this.hostBed.questions.onDidChange);
    const [question] = this.waiting;
    assert.ok(question);
    return question;
  }

  async untilNothingWaits(): Promise<void> {
    await until(() => this.waiting.length === 0, 'no form waits', this.hostBed.questions.onDidChange);
  }

  /** What a server's tool got for a form. */
  async ask(
    definition: ServerDefinition,
    params: object,
    args: Readonly<Record<string, unknown>> = {},
    tool = 'ask',
  ): Promise<unknown> {
    const all = { method: 'elicitation/create', params, ...args };
    return JSON.parse(await textOf(this.hostBed.of(definition).callTool(tool, all)));
  }

  async close(): Promise<void> {
    await this.hostBed.host.close();
    this.broker.dispose();
    await this.hostBed.close();
  }
}
