import type {
  CallToolResult,
  CompleteRequestParams,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/client';
import { abortWith, unlessAborted } from '../../base/lifetime/cancellation.ts';
import { isDeeperThan } from '../../base/values/isDeeperThan.ts';
import { isRecord } from '../../base/values/record.ts';
import type { Suggestions } from '../completion/suggestions.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestOptions } from '../connection/requests/sendRequest.ts';
import type { TaskReport } from '../connection/requests/taskReport.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import type { CallTarget } from './callDecisions.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import { checkBounds, entryTexts, textBounds } from '../json/bounds.ts';
import { textFault } from '../json/textFault.ts';
import { excessOf, MAX_DEPTH } from '../json/weight.ts';
import type { Caller } from '../ledger/caller.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CallMethod, LedgerDecision } from '../ledger/ledgerEntry.ts';
import { KeptCall } from '../keptTasks/keptCall.ts';
import type { KeptTasks } from '../keptTasks/keptTasks.ts';
import { withCheckedMedia } from '../tools/modelResult.ts';
import { passedOn } from '../tools/passedOn.ts';
import type { ItemKind } from '../tools/pinnedItem.ts';
import { CallAdmission, type AdmissionParts, type CallToAdmit } from './callAdmission.ts';
import { GatedCompletions } from './gatedCompletions.ts';
import { endOf, errorFor, goesOnError } from './refusals.ts';

/** What the gate needs of the host, the stores and the queue. */
export interface GateParts extends AdmissionParts {
  readonly ledger: Ledger;
  /** Without it, a task ends with the call that made it. */
  readonly keptTasks?: KeptTasks;
}

export interface GateOptions extends Omit<RequestOptions, 'onTask'> {
  /** Values among the arguments that are written down nowhere. */
  readonly secrets?: readonly string[];
}

/** What is asked for, and by whom. */
interface Request {
  readonly caller: Caller;
  readonly id: ServerId;
  readonly method: CallMethod;
  readonly target: string;
  readonly list: ItemKind | undefined;
  readonly decided: CallTarget;
  readonly options: RequestOptions | undefined;
  readonly signal: AbortSignal | undefined;
  readonly secrets?: readonly string[] | undefined;
}

type Send<T> = (
  connection: ServerConnection,
  args: Readonly<Record<string, unknown>>,
  options: RequestOptions,
  signal: AbortSignal,
) => Promise<T>;

/**
 * The one way by which callers ask a server for something. Each request is checked, asked about where the policy says
 * so, and written down.
 *
 * All throw HostError `notOffered` (not offered to this caller), `heldBack` (what is asked for is not what was approved),
 * `denied` (by you, now or earlier), `invalidArguments` (sentences for the model), `signInRequired` (by you, in words for
 * the caller), or as `ServerConnection.callTool`;
 * CancellationError when the signal aborted, or you cancelled.
 */
export class Gate {
  readonly #parts: GateParts;
  readonly #admission: CallAdmission;
  readonly #completions: GatedCompletions;

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#admission = new CallAdmission(parts);
    this.#completions = new GatedCompletions(this.#admission, parts.ledger);
  }

  /** Calls a tool (server/tools). A failed tool is a result with `isError`. */
  callTool(
    caller: Caller,
    id: ServerId,
    name: string,
    args: Readonly<Record<string, unknown>>,
    { secrets, ...options }: GateOptions = {},
    signal?: AbortSignal,
  ): Promise<CallToolResult> {
    return this.#send(
      {
        caller,
        id,
        method: 'tools/call',
        target: name,
        list: 'tools',
        decided: { kind: 'tool', name },
        options,
        signal,
        secrets,
      },
      args,
      async (connection, fixed, ...limits) => {
        const result = await connection.callTool(name, fixed, ...limits);
        return caller.kind === 'person' ? result : withCheckedMedia(passedOn(result));
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
    return this.#send(
      {
        caller,
        id,
        method: 'resources/read',
        target: uri,
        list: undefined,
        decided: { kind: 'resource' },
        options,
        signal,
      },
      undefined,
      async (connection, _args, ...limits) => {
        const result = await connection.readResource(uri, ...limits);
        return caller.kind === 'person' ? result : passedOn(result);
      },
    );
  }

  /** Gets a prompt (server/prompts). */
  getPrompt(
    caller: Caller,
    id: ServerId,
    name: string,
    args: Readonly<Record<string, string>>,
    { secrets, ...options }: GateOptions = {},
    signal?: AbortSignal,
  ): Promise<GetPromptResult> {
    return this.#send(
      {
        caller,
        id,
        method: 'prompts/get',
        target: name,
        list: 'prompts',
        decided: { kind: 'prompt', name },
        options,
        signal,
        secrets,
      },
      args,
      async (connection, fixed, ...limits) => {
        const result = await connection.getPrompt(name, textsIn(fixed), ...limits);
        return caller.kind === 'person' ? result : passedOn(result);
      },
    );
  }

  /**
   * Asks for values of an argument of a prompt or a template (server/utilities/completion). The decision is that on
   * getting the prompt or reading the resource, but nobody is asked, and few requests go out in a time.
   */
  complete(
    caller: Caller,
    id: ServerId,
    params: CompleteRequestParams,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Suggestions> {
    const server = this.#parts.host.server(id);
    const label = server?.label ?? id;
    return this.#completions.ask({ caller, id, server, label, signal }, params);
  }

  async #send<T extends object>(request: Request, args: unknown, send: Send<T>): Promise<T> {
    const { caller, id, method, target, signal } = request;
    const cancel = new AbortController();
    const following = signal && abortWith(cancel, signal);
    const server = this.#parts.host.server(id);
    const fixed = args === undefined ? undefined : fixedArguments(args, method === 'prompts/get');
    const most = method === 'resources/read' ? textBounds.uri : textBounds.name;
    const longTarget = textFault(target, entryTexts, most);
    const call: CallToAdmit = {
      ...request,
      server,
      label: server?.label ?? id,
      args: fixed?.kind === 'fixed' ? fixed.args : undefined,
      signal: cancel.signal,
    };
    const entry = this.#parts.ledger.begin(
      { caller, serverId: id, server: call.label, method, target, ...(call.args && { args: call.args }) },
      () => cancel.abort(),
    );
    const secrets = () => [...(server?.connection.secrets ?? []), ...(request.secrets ?? [])];
    let decision: LedgerDecision | undefined;
    let task: KeptCall | undefined;
    try {
      if (longTarget) {
        throw flaw(`What is asked for ${longTarget.reason}.`);
      }
      if (fixed?.kind === 'flawed') {
        throw fixed.error;
      }
      const admission = this.#admission;
      const tool = await admission.prepare(call);
      const { verdict, ...standing } = admission.check(call, tool);
      let { connection } = standing;
      // Nothing comes between the last check and the send.
      if (verdict.kind === 'ask') {
        const answered = await admission.ask(call, tool, connection, verdict);
        ({ connection } = admission.check(call, tool));
        decision = answered;
      } else {
        ({ decision } = verdict);
      }
      const { keptTasks } = this.#parts;
      const kept = { caller, serverId: id, server: call.label, tool: target, decision };
      task = new KeptCall(entry, kept, keptTasks);
      const onTask = (report: TaskReport): void => task?.take(report);
      entry.sent();
      /** What has not been handled may go again, if the tool still is what was admitted. */
      const checkAgain = async (): Promise<ServerConnection> => {
        await unlessAborted(this.#parts.tools.settled(), call.signal);
        return admission.check(call, tool).connection;
      };
      const sendTo = (to: ServerConnection): Promise<T> =>
        send(
          to,
          call.args ?? {},
          { ...request.options, onTask, beforeRepeat: async () => void (await checkAgain()) },
          call.signal,
        );
      const result = await sendTo(connection).catch(async (error: unknown) => {
        if (!(error instanceof HostError && error.code === 'notTaken')) {
          throw error;
        }
        return sendTo(await checkAgain());
      });
      const outcome = 'isError' in result && result.isError === true ? 'toolError' : 'done';
      entry.end({ decision, outcome, result }, secrets());
      task.hasResult();
      return result;
    } catch (error) {
      if ((await task?.goesOn()) === true) {
        throw errorFor(goesOnError(error), caller, call.label);
      }
      entry.end({ ...endOf(error, decision, caller), isTaskGone: task?.isGone === true }, secrets());
      throw errorFor(error, caller, call.label);
    } finally {
      following?.dispose();
    }
  }
}

function textsIn(args: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
}

/** Arguments that can no longer change, or why there are none. */
type FixedArguments =
  | { readonly kind: 'fixed'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'flawed'; readonly error: HostError };

/**
 * The arguments as the server will get them: what is shown, checked and sent is the same. Those of a
 * prompt are texts (server/prompts).
 */
function fixedArguments(args: unknown, isPrompt: boolean): FixedArguments {
  let fixed: unknown;
  try {
    fixed = JSON.parse(JSON.stringify(args));
  } catch (error) {
    return flawed(`The arguments are not JSON: ${messageOf(error)}.`);
  }
  if (!isRecord(fixed)) {
    return flawed('The arguments must be a JSON object.');
  }
  const excess = isDeeperThan(fixed, MAX_DEPTH)
    ? `is nested more than ${MAX_DEPTH} levels deep`
    : excessOf(fixed, checkBounds);
  if (excess !== undefined) {
    return flawed(`The object of the arguments ${excess}.`);
  }
  return isPrompt && !Object.values(fixed).every((value) => typeof value === 'string')
    ? flawed('The arguments of a prompt must be texts.')
    : { kind: 'fixed', args: fixed };
}

function flawed(message: string): FixedArguments {
  return { kind: 'flawed', error: flaw(message) };
}

function flaw(message: string): HostError {
  return new HostError('invalidArguments', message);
}
