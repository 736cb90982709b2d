import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { ServerDefinition, ServerId } from '../../../src/host/config/serverDefinition.ts';
import { AgentGrants } from '../../../src/host/gate/agentGrants.ts';
import { CallDecisions } from '../../../src/host/gate/callDecisions.ts';
import type { Caller } from '../../../src/host/ledger/caller.ts';
import { Gate, type GateParts } from '../../../src/host/gate/gate.ts';
import type { GateSettings } from '../../../src/host/config/settings.ts';
import type { HostTool } from '../../../src/host/tools/hostTool.ts';
import type { Standing } from '../../../src/host/tools/pinnedItem.ts';
import type { HostTools } from '../../../src/host/gate/hostTools.ts';
import type { Ledger } from '../../../src/host/ledger/ledger.ts';
import type { LedgerEnd, LedgerRequest } from '../../../src/host/ledger/ledgerEntry.ts';
import { HostBed } from './hostBed.ts';
import { uriOnDisk } from './onDisk.ts';
import { untilSeen } from './until.ts';
import { type CallAnswer, type CallQuestion, callQuestions } from '../../../src/host/gate/callQuestion.ts';

/** One request as the ledger got it. */
export interface Booked extends LedgerRequest {
  isSent: boolean;
  end?: LedgerEnd;
  secrets: readonly string[];
  readonly cancel: () => void;
}

/** A ledger that keeps what it gets, for a test to read. */
export class RecordingLedger implements Pick<Ledger, 'begin' | 'count'> {
  readonly booked: Booked[] = [];

  begin(request: LedgerRequest, cancel: () => void): ReturnType<Ledger['begin']> {
    const one: Booked = { ...request, isSent: false, secrets: [], cancel };
    this.booked.push(one);
    return {
      sent: () => {
        one.isSent = true;
      },
      id: '',
      at: 0,
      sentBytes: 0,
      becomesTask: () => {},
      leave: () => {},
      asksPerson: () => {},
      end: (end, secrets = []) => {
        one.end ??= end;
        one.secrets = [...secrets];
      },
    };
  }

  count(request: LedgerRequest, end: LedgerEnd, { sent }: { readonly sent?: unknown }): void {
    const isSent = sent !== undefined;
    this.booked.push({ ...request, isSent, secrets: [], cancel: () => {}, end });
  }

  /** `decision outcome` of each request, those that were not sent in brackets. */
  get lines(): readonly string[] {
    return this.booked.map(({ isSent, end }) => {
      const line = end ? `${end.decision} ${end.outcome}` : 'open';
      return isSent ? line : `(${line})`;
    });
  }
}

/** Tools of which a test says how they stand; what it says nothing of is known and exposed. */
class ToldTools {
  readonly #onDidChange = new Emitter<ServerId>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #host: HostBed['host'];
  readonly #told = new Map<string, { standing?: Standing; isExposed?: boolean; tool?: Partial<Tool> }>();
  readonly acknowledged: string[] = [];
  isClaimTrusted = false;
  launch = 'launch 1';

  constructor(host: HostBed['host']) {
    this.#host = host;
  }

  tell(
    id: ServerId,
    name: string,
    said: { standing?: Standing; isExposed?: boolean; tool?: Partial<Tool> },
  ): void {
    this.#told.set(name, { ...this.#told.get(name), ...said });
    this.#onDidChange.fire(id);
  }

  readonly #tools = new WeakMap<object, Tool>();

  check(id: ServerId, name: string): HostTool | undefined {
    const connection = this.#host.server(id)?.connection;
    const listed = connection?.catalogue?.tools.find((one) => one.name === name);
    if (!connection || !listed) {
      return undefined;
    }
    const { standing = { kind: 'known' }, isExposed = true, tool: other } = this.#told.get(name) ?? {};
    let tool = listed;
    if (other) {
      tool = this.#tools.get(other) ?? { ...listed, ...other };
      this.#tools.set(other, tool);
    }
    const lacksTasks = connection.lacksTasks(tool) ? { lacksTasks: true as const } : {};
    return { serverId: id, tool, offered: tool, standing, isExposed, ...lacksTasks };
  }

  standingOf(): Standing {
    return { kind: 'known' };
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }

  acknowledge(id: ServerId, names: readonly string[]): Promise<void> {
    this.acknowledged.push(...names);
    names.forEach((name) => this.tell(id, name, { standing: { kind: 'known' } }));
    return Promise.resolve();
  }

  launchOf(): string {
    return this.launch;
  }

  isTrusted(): boolean {
    return this.isClaimTrusted;
  }
}

export const agentMode: Caller = { kind: 'agentMode' };
export const person: Caller = { kind: 'person' };
export const extension: Caller = { kind: 'extension', id: 'acme.helper', label: 'Helper' };

/** A gate before real servers, with the user and the tools' standing in the test's hands. */
export class GateBed {
  readonly hostBed: HostBed;
  readonly ledger = new RecordingLedger();
  readonly tools: ToldTools;
  readonly grants: AgentGrants;
  readonly decisions: CallDecisions;
  readonly settings: { -readonly [K in keyof GateSettings]: GateSettings[K] } = {
    confirm: 'byTrust',
    maxResultTokens: 10_000,
    isGatewayOn: true,
    storesContent: false,
    onDidChange: new Emitter<void>().event,
  };
  readonly gate: Gate;
  folders = [{ uri: uriOnDisk('/projects/app'), name: 'app' }];

  /** @param more Instead of the ledger of this bed, and what keeps tasks. */
  constructor(hostBed = new HostBed(), more: Partial<Pick<GateParts, 'ledger' | 'keptTasks'>> = {}) {
    this.hostBed = hostBed;
    this.tools = new ToldTools(hostBed.host);
    this.grants = new AgentGrants(hostBed.decisions);
    const folders = (): typeof this.folders => this.folders;
    const workspace = {
      get folders() {
        return folders();
      },
    };
    this.decisions = new CallDecisions(this.hostBed.decisions, workspace);
    this.gate = new Gate({
      host: this.hostBed.host,
      tools: this.tools as unknown as HostTools,
      grants: this.grants,
      decisions: this.decisions,
      questions: this.hostBed.questions,
      settings: this.settings,
      ledger: this.ledger as unknown as Ledger,
      workspace,
      ...more,
    });
  }

  /** The requests that wait for an answer. */
  get questions(): readonly CallQuestion[] {
    return this.hostBed.asked(callQuestions);
  }

  untilAsked(count = 1): Promise<CallQuestion> {
    return this.hostBed.untilAsked(callQuestions, count);
  }

  /** Waits until a server lists its tools. */
  async untilListed({ id }: ServerDefinition): Promise<void> {
    const tools = (): number => {
      const { catalogue } = this.hostBed.host.server(id)?.connection ?? {};
      catalogue?.look('tools');
      return catalogue?.tools.length ?? 0;
    };
    await untilSeen(() => tools() > 0, 'the tools are listed');
  }

  /** Waits for the question, and answers the first. */
  async answer(answer: CallAnswer): Promise<void> {
    this.hostBed.questions.answer(this.questions[0] ?? (await this.untilAsked()), answer);
  }

  echo(
    caller: Caller,
    { id }: ServerDefinition,
    text = 'hello',
    signal?: AbortSignal,
  ): Promise<CallToolResult> {
    return this.gate.callTool(caller, id, 'echo', { text }, {}, signal);
  }

  /** Leaves the servers, which may be another bed's. */
  dispose(): void {
    this.decisions.dispose();
    this.grants.dispose();
  }

  async close(): Promise<void> {
    this.dispose();
    await this.hostBed.close();
  }
}
