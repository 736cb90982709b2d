import type {
  CallToolResult,
  CompleteRequestParams,
  ElicitResult,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/client';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { isRecord } from '../../base/values/record.ts';
import { HostError } from '../errors/hostError.ts';
import { asChecked } from '../results/checkedResult.ts';
import type { CurrentSession } from './currentSession.ts';
import type { ServerSchemas } from '../schemas/schemaCheck.ts';
import { fitToShow } from './failures/connectionFailure.ts';
import { callListedTool } from './requests/callListedTool.ts';
import { ADDRESSES_REQUIRED, requestFailure } from './requests/requestFailure.ts';
import { sendRequest, type RequestLimits, type RequestOptions } from './requests/sendRequest.ts';
import type { RequestInFlight } from './requests/requestsInFlight.ts';
import type { TaskKey } from './requests/taskReport.ts';
import type { Session } from './session.ts';
import { callAsTask, followKnownTask, followServedTask } from './tasks/taskCalls.ts';
import type { TaskContext } from './tasks/taskRequests.ts';

/** What the requests to one server need of its connection. */
interface RequestsContext extends TaskContext {
  readonly current: CurrentSession;
  readonly schemas: ServerSchemas;
  /** Values that appear in no failure. */
  readonly secrets: Iterable<string>;
  /**
   * Has you open the addresses that a request requires; `data` is that of error -32042. Undefined if the server can't
   * require any.
   *
   * @throws ElicitationFailure
   */
  openRequired(
    request: RequestInFlight,
    data: unknown,
    signal: AbortSignal,
  ): Promise<ElicitResult['action'] | undefined>;
}

interface Request<T> {
  readonly send: (session: Session, limits: RequestLimits) => Promise<T>;
  /** Whether to send it twice has the same effect as to send it once. */
  readonly isRepeatable: boolean;
}

/** The requests to one server, over all its sessions. */
export class ServerRequests {
  readonly #context: RequestsContext;

  constructor(context: RequestsContext) {
    this.#context = context;
  }

  /**
   * Calls a tool (server/tools), as a task if it can run as one. A failed tool is still a result: check `isError` before
   * trusting `content`.
   *
   * @throws HostError `notRunning`, `notOffered`, `timedOut`, `lost` or `protocol`, and `notTaken` as soon as the tools of the
   * next session, or the changed ones, are listed; CancellationError when the signal aborted.
   */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions = {},
    signal?: AbortSignal,
  ): Promise<CallToolResult> {
    return this.#tracked(
      { method: 'tools/call', target: name, args },
      (tracked) => ({
        send: (session, limits) => {
          const params = { name, arguments: args };
          const { current, schemas } = this.#context;
          const call = { session, limits, tracked, context: this.#context };
          return callListedTool(session.client, current.catalogue, params, limits, {
            ...(session.runsTasks && { asTask: () => callAsTask(params, call) }),
            schemas,
            follow: (created) => followServedTask(created, call),
          });
        },
        isRepeatable: false,
      }),
      options,
      signal,
    );
  }

  /**
   * The result of a call of this tool that has become a task in an earlier session, `ageMs` milliseconds ago. Nothing is
   * called, and another server than the one that made the task isn't asked; see `RequestOptions.onTask`.
   *
   * @throws as `callTool`.
   */
  resumeTask(
    name: string,
    { key, ageMs }: { readonly key: TaskKey; readonly ageMs: number },
    options: RequestOptions = {},
    signal?: AbortSignal,
  ): Promise<CallToolResult> {
    return this.#tracked(
      { method: 'tools/call', target: name },
      (tracked) => ({
        send: (session, limits) =>
          followKnownTask(key, { session, limits, tracked, context: this.#context, ageMs }),
        isRepeatable: false,
      }),
      options,
      signal,
    );
  }

  /**
   * Reads a resource (server/resources), without a cache; `ResourceReader` has one.
   *
   * @throws as `callTool`.
   */
  readResource(uri: string, options: RequestOptions = {}, signal?: AbortSignal): Promise<ReadResourceResult> {
    return this.#tracked(
      { method: 'resources/read', target: uri },
      () => ({
        send: ({ client }, limits) =>
          client.request(
            { method: 'resources/read', params: { uri } },
            asChecked<ReadResourceResult>(),
            limits,
          ),
        isRepeatable: true,
      }),
      options,
      signal,
    );
  }

  /**
   * Gets a prompt with its arguments filled in (server/prompts).
   *
   * @throws as `callTool`.
   */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions = {},
    signal?: AbortSignal,
  ): Promise<GetPromptResult> {
    return this.#tracked(
      { method: 'prompts/get', target: name, args },
      () => ({
        send: ({ client }, limits) =>
          client.request(
            { method: 'prompts/get', params: { name, arguments: { ...args } } },
            asChecked<GetPromptResult>(),
            limits,
          ),
        isRepeatable: true,
      }),
      options,
      signal,
    );
  }

  /**
   * Completes one argument of a prompt or a template (server/utilities/completion). The result is not checked, because
   * one with more than 100 values can still be used.
   *
   * @throws as `callTool`.
   */
  complete(params: CompleteRequestParams, signal?: AbortSignal): Promise<unknown> {
    return this.#request(
      {
        send: ({ client }, limits) =>
          client.request({ method: 'completion/complete', params: { ...params } }, asChecked(), limits),
        isRepeatable: true,
      },
      {},
      signal,
    );
  }

  #tracked<T>(
    inFlight: Omit<RequestInFlight, 'ended'>,
    request: (tracked: RequestInFlight) => Request<T>,
    options: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return this.#context.inFlight.track(inFlight, (tracked) => {
      options.onSent?.(tracked);
      return this.#request(request(tracked), options, signal, tracked);
    });
  }

  async #request<T>(
    request: Request<T>,
    options: RequestOptions,
    signal: AbortSignal | undefined,
    tracked?: RequestInFlight,
  ): Promise<T> {
    const { timeouts, secrets } = this.#context;
    const { beforeRepeat } = options;
    try {
      return await sendRequest(
        (limits) =>
          tracked
            ? this.#sendWithAddresses(request, limits, tracked, beforeRepeat)
            : this.#send(request, limits),
        timeouts,
        options,
        signal,
      );
    } catch (error) {
      throw error instanceof CancellationError ? error : fitToShow(error, secrets);
    }
  }

  /**
   * Sends a request, and again each time that you have opened the addresses that the server requires for it
   * (2025-11-25, client/elicitation); the broker that asks you limits how often.
   */
  async #sendWithAddresses<T>(
    request: Request<T>,
    limits: RequestLimits,
    tracked: RequestInFlight,
    beforeRepeat: RequestOptions['beforeRepeat'],
  ): Promise<T> {
    for (;;) {
      try {
        return await this.#send(request, limits);
      } catch (error) {
        const { code, data } = isRecord(error) ? error : {};
        if (code !== ADDRESSES_REQUIRED || limits.signal.aborted) {
          throw error;
        }
        const action = await this.#context.openRequired(tracked, data, limits.signal);
        switch (action) {
          case undefined:
            throw error;
          case 'decline':
            throw new HostError('denied', 'you declined to open the address that the server requires', {
              cause: error,
            });
          case 'cancel':
            throw new CancellationError();
          case 'accept':
            await beforeRepeat?.();
        }
      }
    }
  }

  /**
   * Sends a request, and repeats it once if it got lost and is repeatable (2026-07-28, basic/transports: a broken
   * response stream is a lost request). If the server has not seen it because it has forgotten the session (404:
   * 2025-03-26, basic/transports, session management), any request may be repeated: a tool call by its sender, after
   * the tool of the new session has been compared.
   */
  async #send<T>({ send, isRepeatable }: Request<T>, limits: RequestLimits): Promise<T> {
    if (isRepeatable) {
      // For a tool call, the gate waits, and then compares the tool.
      await this.#context.current.renewed(limits.signal);
    }
    const { session } = this.#context.current;
    if (!session || session.hasEnded) {
      throw new HostError('notRunning', 'the server is not running');
    }
    try {
      return await send(session, limits);
    } catch (error) {
      const { code } = await requestFailure(error);
      if (code === 'lost' && session.isClosing) {
        throw new HostError('notRunning', 'the server was stopped before it answered', { cause: error });
      }
      if (limits.signal.aborted || !(code === 'sessionLost' || (code === 'lost' && isRepeatable))) {
        throw error;
      }
      const isOver = code === 'sessionLost' || session.hasEnded;
      const next = isOver ? await this.#context.current.after(session, limits.signal) : session;
      if (!isRepeatable) {
        throw new HostError('notTaken', 'the server has forgotten the session of the call', { cause: error });
      }
      return send(next, limits);
    }
  }
}
