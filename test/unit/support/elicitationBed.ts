import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { ElicitationBroker } from '../../../src/host/elicitation/elicitationBroker.ts';
import {
  elicitationQuestions,
  type ElicitationQuestion,
} from '../../../src/host/elicitation/elicitationQuestion.ts';
import { addressQuestions, type AddressQuestion } from '../../../src/host/elicitation/addressQuestion.ts';
import { textOf } from './connectionBed.ts';
import { FakeClock } from './fakeClock.ts';
import { RecordingLedger } from './gateBed.ts';
import { HostBed } from './hostBed.ts';
import { schemaChecks } from './schemaChecks.ts';

/** A broker of forms and addresses before real servers, with the user and the browser in the test's hands. */
export class ElicitationBed {
  /** What was opened in the browser. */
  readonly visited: string[] = [];
  /** Whether the editor opens addresses. */
  canOpen = true;
  readonly clock = new FakeClock();
  readonly ledger = new RecordingLedger();
  readonly log: string[] = [];
  /** What the settings of the activity say. */
  readonly settings = { storesContent: true };
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
      settings: this.settings,
      ledger: this.ledger,
      schemas: schemaChecks,
      opener: {
        open: async (url) => {
          this.visited.push(url);
          return Promise.resolve(this.canOpen);
        },
      },
      launchOf: (id) => host.runningLaunchOf(id),
      log: (_id, level, message) => this.log.push(`${level} ${message}`),
      now: this.clock.now,
      after: this.clock.after,
    });
  }

  /** The forms that wait. */
  get waiting(): readonly ElicitationQuestion[] {
    return this.hostBed.asked(elicitationQuestions);
  }

  /** The one form that waits, as soon as there is one. */
  form(): Promise<ElicitationQuestion> {
    return this.hostBed.untilAsked(elicitationQuestions);
  }

  /** The questions about addresses that wait. */
  get addresses(): readonly AddressQuestion[] {
    return this.hostBed.asked(addressQuestions);
  }

  /** The one question about addresses that waits, as soon as there is one. */
  address(): Promise<AddressQuestion> {
    return this.hostBed.untilAsked(addressQuestions);
  }

  untilNothingWaits(): Promise<void> {
    return this.hostBed.untilNothingWaits();
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
