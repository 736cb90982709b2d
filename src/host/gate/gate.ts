import type {
  CallToolResult,
  CompleteRequestParams,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/client';
import { isDeepStrictEqual } from 'node:util';
import { CancellationError, unlessAborted } from '../../base/cancellation.ts';
import type { CallTarget } from './callDecisions.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { Suggestions } from '../completion/suggestions.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestOptions } from '../connection/requests/requests.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CallMethod, LedgerDecision } from '../ledger/ledgerEntry.ts';
import type { HostServer, McpHost } from '../servers/mcpHost.ts';
import type { AgentGrants } from './agentGrants.ts';
import { AskedCalls } from './askedCalls.ts';
import type { CallDecisions } from './callDecisions.ts';
import { spansOf, verdictOn, type CallCircumstances, type CallVerdict } from './callPolicy.ts';
import {
  completed,
  GatedCompletions,
  unaskedCompletion,
  type AdmittedCompletion,
} from './gatedCompletions.ts';
import { isIdentified, type Caller } from '../ledger/caller.ts';
import type { GateSettings } from '../config/gateSettings.ts';
import { isOffered, needsTask, type HostTool } from '../tools/hostTool.ts';
import type { HostTools } from './hostTools.ts';
import { endOf, notRunningError, refusalError } from './refusals.ts';
import { withSoundContent } from './soundContent.ts';
import { fixedArguments, ToolArguments } from './toolArguments.ts';
import { callQuestions, type CallAnswer, type CallQuestion } from './callQuestion.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';

/** A question that is about to be put, and the tool that it is about. */
export type CallFacts = Omit<CallQuestion, 'kind' | 'warnings' | 'claims'> & { readonly tool?: HostTool };

/** What the gate needs of the host and the person. */
export interface GateParts {
  readonly host: Pick<McpHost, 'server'>;
  readonly tools: HostTools;
  readonly grants: AgentGrants;
  readonly decisions: CallDecisions;
  readonly questions: QuestionQueue;
  readonly settings: GateSettings;
  readonly ledger: Ledger;
  /** What deserves a second look in a question; without it, nothing is pointed out. */
  readonly warningsFor?: (facts: CallFacts) => Pick<CallQuestion, 'warnings' | 'claims'>;
}

export interface GateOptions extends RequestOptions {
  /** Values among the arguments that are written down nowhere. */
  readonly secrets?: readonly string[];
}

/** What is asked for, and by whom. */
interface Request {
  readonly secrets?: readonly string[] | undefined;
  readonly caller: Caller;
  readonly id: ServerId;
  readonly method: CallMethod;
  readonly target: string;
  /** What an answer is remembered by. */
  readonly decided: CallTarget;
  readonly signal: AbortSignal | undefined;
}

/** A request on its way through the gate. */
interface Call extends Omit<Request, 'signal'> {
  readonly server: HostServer | undefined;
  readonly label: string;
  readonly args: Readonly<Record<string, unknown>> | undefined;
  /** Aborts for whoever asked, and for the person who cancels. */
  readonly signal: AbortSignal;
}

/** What decides about a call. */
type LookedAt = Pick<Call, 'caller' | 'id' | 'label' | 'target' | 'decided' | 'server' | 'signal'>;

type Send<T> = (
  connection: ServerConnection,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<T>;

/** How a call stands at one moment; what is refused does not come to that. */
interface Look {
  readonly connection: ServerConnection;
  readonly tool: HostTool | undefined;
  readonly verdict: Exclude<CallVerdict, { kind: 'refuse' }>;
}

/**
 * The one way by which anybody but the host itself asks a server for something. Each request is looked at,
 * asked about where that is due, and written down.
 *
 * All throw HostError `notOffered` (not offered to this caller), `heldBack` (the tool is not what was
 * approved), `denied` (by the person, now or earlier), `invalidArguments` (sentences for the model), or as
 * `ServerConnection.callTool`; CancellationError when the signal aborted, or the person cancelled.
 */
export class Gate {
  readonly #parts: GateParts;
  readonly #asked: AskedCalls;
  readonly #arguments = new ToolArguments();
  readonly #completions: GatedCompletions;

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#asked = new AskedCalls(parts.questions);
    this.#completions = new GatedCompletions(parts.ledger);
  }

  /** Calls a tool (server/tools). A failed tool is a result with `isError`. */
  callTool(
    caller: Caller,
    id: ServerId,
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: GateOptions = {},
    signal?: AbortSignal,
  ): Promise<CallToolResult> {
    const decided = { kind: 'tool', name } as const;
    return this.#pass(
      { caller, id, method: 'tools/call', target: name, decided, signal, secrets: options.secrets },
      args,
      async (connection, fixed, both) => {
        const result = await connection.callTool(name, fixed, options, both);
        return caller.kind === 'person' ? result : withSoundContent(result);
      },
    );
  }

  /** Reads a resource (server/resources). */
  readResource(
    caller: Caller,
    id: ServerId,
    uri: string,
    options?: RequestOptions,
    signal?: AbortSignal,
  ): Promise<ReadResourceResult> {
    return this.#pass(
      { caller, id, method: 'resources/read', target: uri, decided: { kind: 'resource' }, signal },
      undefined,
      (connection, _args, both) => connection.readResource(uri, options, both),
    );
  }

  /** Gets a prompt (server/prompts). */
  getPrompt(
    caller: Caller,
    id: ServerId,
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
    signal?: AbortSignal,
  ): Promise<GetPromptResult> {
    const decided = { kind: 'prompt', name } as const;
    return this.#pass(
      { caller, id, method: 'prompts/get', target: name, decided, signal },
      args,
      (connection, fixed, both) => connection.getPrompt(name, textsIn(fixed), options, both),
    );
  }

  /**
   * Asks for values of an argument of a prompt or a template (server/utilities/completion). It is decided on as getting
   * and reading that is, but nobody is asked, and few are let through in a time.
   */
  complete(
    caller: Caller,
    id: ServerId,
    params: CompleteRequestParams,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Suggestions> {
    const { target, decided } = completed(params);
    const server = this.#parts.host.server(id);
    const label = server?.label ?? id;
    const admit = (): AdmittedCompletion => {
      const { connection, verdict } = this.#look({ caller, id, label, target, decided, server, signal });
      if (verdict.kind === 'ask') {
        throw unaskedCompletion(visibleText(target));
      }
      return { connection, decision: verdict.decision };
    };
    return this.#completions.ask({ caller, serverId: id, server: label, target }, params, admit, signal);
  }

  async #pass<T extends object>(request: Request, args: unknown, send: Send<T>): Promise<T> {
    const { caller, id, method, target, signal } = request;
    const cancel = new AbortController();
    const server = this.#parts.host.server(id);
    const fixed = args === undefined ? undefined : fixedArguments(args, method === 'prompts/get');
    const call: Call = {
      ...request,
      server,
      label: server?.label ?? id,
      args: fixed?.kind === 'fixed' ? fixed.args : undefined,
      signal: signal ? AbortSignal.any([signal, cancel.signal]) : cancel.signal,
    };
    const entry = this.#parts.ledger.begin(
      { caller, serverId: id, server: call.label, method, target, ...(call.args && { args: call.args }) },
      () => cancel.abort(),
    );
    const secrets = () => [...(server?.connection.secrets ?? []), ...(request.secrets ?? [])];
    let decision: LedgerDecision | undefined;
    try {
      if (fixed?.kind === 'flawed') {
        throw fixed.error;
      }
      const admitted = await this.#admit(call);
      if (admitted.decision === 'asked') {
        await this.#current(call);
      }
      // Nothing comes between this look and the send.
      const { connection } = this.#look(call, admitted.tool);
      decision = admitted.decision;
      entry.sent();
      const result = await send(connection, call.args ?? {}, call.signal).catch(async (error: unknown) => {
        if (!(error instanceof HostError && error.code === 'notTaken')) {
          throw error;
        }
        // It may go once more, if the tool still is what was let through.
        await unlessAborted(this.#parts.tools.settled(), call.signal);
        return send(this.#look(call, admitted.tool).connection, call.args ?? {}, call.signal);
      });
      const outcome = 'isError' in result && result.isError === true ? 'toolError' : 'done';
      entry.end({ decision, outcome, result }, secrets());
      return result;
    } catch (error) {
      entry.end(endOf(error, decision, caller), secrets());
      throw error;
    }
  }

  /** Lets a call through, whoever has to be asked first; `tool` is what was let through. */
  async #admit(call: Call): Promise<{ decision: LedgerDecision; tool: HostTool | undefined }> {
    await call.server?.connection.renewed(call.signal);
    await this.#current(call);
    await this.#compared(call);
    const { tool } = this.#look(call);
    if (tool) {
      await this.#arguments.check(tool.tool, call.args ?? {}, call.caller.kind === 'person');
    }
    const { verdict, connection } = this.#look(call, tool);
    if (verdict.kind === 'pass') {
      return { decision: verdict.decision, tool };
    }
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
        const now = this.#look(call, tool).verdict;
        return now.kind === 'pass' ? now : undefined;
      },
    });
    if ('decision' in answer) {
      return { decision: answer.decision, tool };
    }
    await this.#answered(call, connection, tool, question, answer);
    return { decision: 'asked', tool };
  }

  /** What a server lists that repeats itself may be a minute old. */
  async #current({ decided, server, signal }: Call): Promise<void> {
    if (decided.kind === 'tool') {
      await server?.connection.toolsAreCurrent(signal);
    }
  }

  /** A tool of a list that has only just come is not offered yet: it will be in a moment. */
  async #compared({ id, target, decided, signal }: Call): Promise<void> {
    const { tools } = this.#parts;
    if (decided.kind === 'tool' && tools.check(id, target)?.standing.kind === 'unseen') {
      await unlessAborted(tools.settled(), signal);
    }
  }

  /**
   * How the call stands now; of what was looked at before, nothing may be different.
   *
   * @throws HostError that says why it is not let through.
   */
  #look(call: LookedAt, before?: HostTool): Look {
    const { caller, id, label, target, decided, server, signal } = call;
    const { host, tools, grants, decisions, settings } = this.#parts;
    if (signal.aborted) {
      throw new CancellationError();
    }
    if (server?.connection.state.kind !== 'running' || host.server(id)?.connection !== server.connection) {
      throw notRunningError(label);
    }
    const isTool = decided.kind === 'tool';
    const tool = isTool ? tools.check(id, target) : undefined;
    const isChanged = before !== undefined && !isSameTool(before, tool);
    const verdict = verdictOn({
      caller: caller.kind,
      confirm: settings.confirm,
      standing: isChanged ? 'changed' : isTool ? standingOf(tool) : 'known',
      isTrustedRead: (!isTool || tool?.tool.annotations?.readOnlyHint === true) && tools.isTrusted(id),
      isGranted: caller.kind === 'agentMode' && grants.isGrantedNow(id),
      remembered:
        caller.kind === 'person'
          ? undefined
          : decisions.remembered({ serverId: id, caller, target: decided, launch: tools.launchOf(id) }),
    });
    if (verdict.kind === 'refuse') {
      throw refusalError(verdict, caller, label, target);
    }
    return { connection: server.connection, tool, verdict };
  }

  #questionOn(
    { caller, method, target, args, label, decided }: Call,
    { definition, catalogue }: ServerConnection,
    tool: HostTool | undefined,
    verdict: CallVerdict & { kind: 'ask' },
  ): CallQuestion {
    const listed: Listed | undefined =
      tool?.offered ??
      (decided.kind === 'prompt'
        ? catalogue?.prompts.find(({ name }) => name === target)
        : catalogue?.resources.find(({ uri }) => uri === target));
    const facts: CallFacts = {
      server: { definition, label },
      caller,
      method,
      target,
      ...(listed?.title !== undefined && { title: listed.title }),
      ...(listed?.description !== undefined && { description: listed.description }),
      ...(args && { args }),
      spans: isIdentified(caller) ? spansOf(verdict, this.#parts.decisions.hasWorkspace) : ['once'],
      ...(tool && { tool }),
    };
    const { tool: _tool, ...shown } = facts;
    return {
      kind: callQuestions,
      ...shown,
      ...(this.#parts.warningsFor?.(facts) ?? { warnings: [], claims: [] }),
    };
  }

  /** Does what the person said. What cannot be written down holds until the window closes. */
  async #answered(
    call: Call,
    { logger }: ServerConnection,
    tool: HostTool | undefined,
    { spans }: CallQuestion,
    answer: CallAnswer,
  ): Promise<void> {
    const { caller, id, label, target, decided } = call;
    const { tools, decisions } = this.#parts;
    const isRun = answer.answer === 'run';
    const launch = tools.launchOf(id);
    if (isRun) {
      this.#look(call, tool);
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
      throw refusalError({ kind: 'refuse', why: 'denied' }, caller, label, target);
    }
  }
}

interface Listed {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

function standingOf(tool: HostTool | undefined): CallCircumstances['standing'] {
  if (tool && needsTask(tool.tool)) {
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

/** True when what was checked and shown of a tool still is what a call of it means. */
function isSameTool(before: HostTool, now: HostTool | undefined): boolean {
  return now !== undefined && isDeepStrictEqual(meaningOf(before), meaningOf(now));
}

function meaningOf({ tool, offered }: HostTool): unknown {
  const { title, description, inputSchema, outputSchema } = offered;
  const { annotations, execution } = tool;
  return { title, description, inputSchema, outputSchema, annotations, execution };
}

function textsIn(args: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
}
