import { homedir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { CancellationError, unlessAborted } from '../../base/lifetime/cancellation.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { GateSettings } from '../config/settings.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { messageOf } from '../errors/hostError.ts';
import { placeOfUri } from '../folders/rootUri.ts';
import type { RootsSource } from '../folders/sharedRoot.ts';
import { isIdentified, type Caller } from '../ledger/caller.ts';
import type { CallMethod, LedgerDecision } from '../ledger/ledgerEntry.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import { checkArguments } from '../schemas/checkArguments.ts';
import type { HostServer, McpHost } from '../servers/mcpHost.ts';
import { isOffered, type HostTool } from '../tools/hostTool.ts';
import type { ItemKind } from '../tools/pinnedItem.ts';
import type { AgentGrants } from './agentGrants.ts';
import { AskedCalls } from './askedCalls.ts';
import type { CallDecisions, CallTarget } from './callDecisions.ts';
import { needsGrant, spansOf, verdictOn, type CallCircumstances, type CallVerdict } from './callPolicy.ts';
import { callQuestions, type CallAnswer, type CallQuestion } from './callQuestion.ts';
import { callWarnings } from './callWarnings.ts';
import type { HostTools } from './hostTools.ts';
import { notRunningError, refusalError } from './refusals.ts';

/** What a request is admitted by. */
export interface AdmissionParts {
  readonly host: Pick<McpHost, 'server'>;
  readonly tools: HostTools;
  readonly grants: AgentGrants;
  readonly decisions: CallDecisions;
  readonly questions: QuestionQueue;
  readonly settings: GateSettings;
  readonly workspace: Pick<RootsSource, 'folders'>;
}

/** A request on its way through the gate, as far as it is decided on. */
export interface RequestToAdmit {
  readonly caller: Caller;
  readonly id: ServerId;
  readonly server: HostServer | undefined;
  readonly label: string;
  readonly target: string;
  /** The list that has the target, if its items are held back when they change. */
  readonly list: ItemKind | undefined;
  /** What an answer is remembered by. */
  readonly decided: CallTarget;
  /** Aborts for the caller, and when you cancel. */
  readonly signal: AbortSignal;
}

/** The same with all that a question shows. */
export interface CallToAdmit extends RequestToAdmit {
  readonly method: CallMethod;
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

/** How a request stands at one moment, unless it is refused. */
interface Standing {
  readonly connection: ServerConnection;
  readonly tool: HostTool | undefined;
  readonly verdict: Exclude<CallVerdict, { kind: 'refuse' }>;
}

/** Decides whether a request goes to its server, and asks you where the policy says so. */
export class CallAdmission {
  readonly #parts: AdmissionParts;
  readonly #asked: AskedCalls;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#asked = new AskedCalls(parts.questions);
  }

  /**
   * Resolved when everything about a call is current and its arguments are checked, with the tool for which they are. Then
   * `check` it, right before it is sent: what it is admitted by may change with each wait.
   *
   * @throws HostError that says why it is refused; CancellationError.
   */
  async prepare(call: CallToAdmit): Promise<HostTool | undefined> {
    await call.server?.connection.renewed(call.signal);
    await this.#untilListIsCurrent(call);
    await this.#untilCompared(call);
    const { tool, connection } = this.check(call);
    if (tool) {
      const { schemas } = connection;
      const isPerson = call.caller.kind === 'person';
      await unlessAborted(checkArguments(schemas, tool.tool, call.args ?? {}, isPerson), call.signal);
      if (tool.tool.outputSchema) {
        // So that `callListedTool` waits for nothing between the last check and the send.
        await unlessAborted(schemas.prepare(tool.tool.outputSchema), call.signal);
      }
    }
    return tool;
  }

  /**
   * Asks you about a call that was prepared and checked; resolved with what it is admitted by, once you have allowed it.
   * Check it once more right before it is sent.
   *
   * @throws HostError that says why it is refused; CancellationError.
   */
  async ask(
    call: CallToAdmit,
    tool: HostTool | undefined,
    connection: ServerConnection,
    verdict: CallVerdict & { kind: 'ask' },
  ): Promise<LedgerDecision> {
    const question = this.#questionOn(call, connection, tool, verdict);
    const answer = await this.#asked.ask(question, {
      signal: call.signal,
      events: [
        connection.onDidChangeState,
        this.#parts.tools.onDidChange,
        this.#parts.decisions.onDidChange,
        this.#parts.grants.onDidChange,
      ],
      settled: () => {
        const now = this.check(call, tool).verdict;
        return now.kind === 'pass' ? now : undefined;
      },
    });
    if ('decision' in answer) {
      return answer.decision;
    }
    await this.#applyAnswer(call, connection, tool, question, answer);
    await this.#untilListIsCurrent(call);
    return 'asked';
  }

  /**
   * How the request stands now; nothing of the tool that was checked `before` may have changed.
   *
   * @throws HostError that says why it is refused; CancellationError.
   */
  check(request: RequestToAdmit, before?: HostTool): Standing {
    const { caller, id, label, target, list, decided, server, signal } = request;
    const { host, tools, grants, decisions, settings } = this.#parts;
    if (signal.aborted) {
      throw new CancellationError();
    }
    if (server?.connection.state.kind !== 'running' || host.server(id)?.connection !== server.connection) {
      throw notRunningError(label, server?.connection.state);
    }
    const isTool = decided.kind === 'tool';
    const tool = isTool ? tools.check(id, target) : undefined;
    const isChanged = before !== undefined && !isSameTool(before, tool);
    const verdict = verdictOn({
      caller: caller.kind,
      confirm: settings.confirm,
      standing: isChanged ? 'changed' : isTool ? standingOf(tool) : this.#standingOfItem(request),
      isTrustedRead: (!isTool || tool?.tool.annotations?.readOnlyHint === true) && tools.isTrusted(id),
      isGranted: needsGrant(caller.kind) && grants.isGrantedNow(id, request),
      remembered:
        caller.kind === 'person'
          ? undefined
          : decisions.remembered(
              { serverId: id, caller, target: decided, launch: tools.launchOf(id) },
              request,
            ),
    });
    if (verdict.kind === 'refuse') {
      throw refusalError(verdict, caller, label, target, list);
    }
    return { connection: server.connection, tool, verdict };
  }

  /** Your own clicks are not held back: you see what a prompt or a template is. */
  #standingOfItem({ caller, id, list, target }: RequestToAdmit): CallCircumstances['standing'] {
    if (caller.kind === 'person' || list === undefined || list === 'tools') {
      return 'known';
    }
    const { kind = 'unseen' } = this.#parts.tools.standingOf(id, list, target) ?? {};
    return kind === 'unseen' ? 'notOffered' : kind;
  }

  /** The list of a server that repeats itself may be a minute old. */
  async #untilListIsCurrent({ list, server, signal }: CallToAdmit): Promise<void> {
    if (list) {
      await server?.connection.listIsCurrent(list === 'templates' ? 'resources' : list, signal);
    }
  }

  /** An item of a list that has only just come is not offered yet: it will be in a moment. */
  async #untilCompared({ id, target, list, signal }: CallToAdmit): Promise<void> {
    const { tools } = this.#parts;
    const standing =
      list === 'tools' ? tools.check(id, target)?.standing : list && tools.standingOf(id, list, target);
    if (standing?.kind === 'unseen') {
      await unlessAborted(tools.settled(), signal);
    }
  }

  #questionOn(
    { caller, method, target, args, label, decided }: CallToAdmit,
    { definition, catalogue }: ServerConnection,
    tool: HostTool | undefined,
    verdict: CallVerdict & { kind: 'ask' },
  ): CallQuestion {
    const { decisions, workspace } = this.#parts;
    const listed: { readonly title?: string | undefined; readonly description?: string | undefined } =
      tool?.offered ??
      (decided.kind === 'prompt'
        ? catalogue?.prompts.find(({ name }) => name === target)
        : catalogue?.resources.find(({ uri }) => uri === target)) ??
      {};
    return {
      kind: callQuestions,
      server: { definition, label },
      caller,
      method,
      target,
      ...(listed.title !== undefined && { title: listed.title }),
      ...(listed.description !== undefined && { description: listed.description }),
      ...(args && { args }),
      ...callWarnings({
        args,
        uri: method === 'resources/read' ? target : undefined,
        isNew: tool?.standing.kind === 'new',
        annotations: tool?.tool.annotations,
        folders: workspace.folders
          .map(({ uri }) => placeOfUri(uri))
          .flatMap((place) => (place.kind === 'place' ? [place.path] : [])),
        home: homedir(),
      }),
      spans: isIdentified(caller) ? spansOf(verdict, decisions.hasWorkspace) : ['once'],
    };
  }

  /** Applies your answer. One that can't be stored holds until the window closes. */
  async #applyAnswer(
    call: CallToAdmit,
    { logger }: ServerConnection,
    tool: HostTool | undefined,
    { spans }: CallQuestion,
    answer: CallAnswer,
  ): Promise<void> {
    const { caller, id, label, target, list, decided } = call;
    const { tools, decisions } = this.#parts;
    const isRun = answer.answer === 'run';
    const launch = tools.launchOf(id);
    if (isRun) {
      this.check(call, tool);
    }
    try {
      if (!isRun || spans.includes(answer.span)) {
        await decisions.remember({ serverId: id, caller, target: decided, launch }, label, answer);
      }
      if (isRun && tool?.standing.kind === 'new') {
        await tools.acknowledge(id, [target]);
      }
    } catch (error) {
      logger.log('error', `The answer to a request could not be kept: ${messageOf(error)}`);
    }
    if (!isRun) {
      throw refusalError({ kind: 'refuse', why: 'denied' }, caller, label, target, list);
    }
  }
}

function standingOf(tool: HostTool | undefined): CallCircumstances['standing'] {
  if (tool?.lacksTasks) {
    return 'unsupported';
  }
  if (tool?.standing.kind === 'changed' || tool?.standing.kind === 'added') {
    return tool.standing.kind;
  }
  if (!tool || !isOffered(tool)) {
    return 'notOffered';
  }
  return tool.standing.kind === 'new' ? 'new' : 'known';
}

/** Whether a call of the tool still means what was checked and shown. */
function isSameTool(before: HostTool, now: HostTool | undefined): boolean {
  // The same object is frozen, and means the same.
  return before === now || (now !== undefined && isDeepStrictEqual(meaningOf(before), meaningOf(now)));
}

function meaningOf({ tool, offered }: HostTool): unknown {
  const { title, description, inputSchema, outputSchema } = offered;
  const { annotations, execution } = tool;
  return { title, description, inputSchema, outputSchema, annotations, execution };
}
