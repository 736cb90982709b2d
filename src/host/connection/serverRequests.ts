import type {
  CallToolResult,
  CompleteRequestParams,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/client';
import { CancellationError } from '../../base/cancellation.ts';
import { HostError } from '../errors/hostError.ts';
import { whole } from '../results/carried.ts';
import type { AllowedTime } from './requests/allowedTime.ts';
import type { Catalogue } from './lists/catalogue.ts';
import { fitToShow } from './failures/connectionFailure.ts';
import { callListedTool } from './lists/listedToolCall.ts';
import type { PersonPause } from './requests/requestWatchdog.ts';
import {
  anyResult,
  requestFailure,
  sendRequest,
  type RequestLimits,
  type RequestOptions,
} from './requests/requests.ts';
import type { RequestInFlight, RequestsInFlight } from './requests/requestsInFlight.ts';
import type { Session } from './session.ts';

/** What the requests to one server need of its connection. */
export interface RequestsContext {
  readonly personPause: PersonPause;
  readonly inFlight: RequestsInFlight;
  /** Values that appear in no failure. */
  readonly secrets: Iterable<string>;
  /** How long a request may take. */
  allowed(): AllowedTime;
  /** The session that serves now. */
  session(): Session | undefined;
  /** What was listed over it. */
  catalogue(): Catalogue | undefined;
  /**
   * The session that serves after that one.
   *
   * @throws HostError when there will be none.
   */
  sessionAfter(session: Session, signal: AbortSignal): Promise<Session>;
  /** Resolves when no session is being replaced that the server had forgotten. */
  renewed(signal: AbortSignal): Promise<void>;
}

interface Request<T> {
  readonly send: (session: Session, limits: RequestLimits) => Promise<T>;
  /** Asking twice does no more than asking once. */
  readonly isRepeatable: boolean;
}

/** The requests to one server, over all its sessions. */
export class ServerRequests {
  readonly #context: RequestsContext;

  constructor(context: RequestsContext) {
    this.#context = context;
  }

  /**
   * Calls a tool (server/tools). A failed tool is still a result: check `isError` before trusting
   * `content`.
   *
   * @throws HostError `notRunning`, `timedOut`, `lost` or `protocol`, and `notTaken` as soon as the tools of the
   * next session, or those behind a changed one, are listed; CancellationError when the signal aborted.
   */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions = {},
    signal?: AbortSignal,
  ): Promise<CallToolResult> {
    return this.#tracked(
      { method: 'tools/call', target: name, args },
      {
        send: ({ client }, limits) =>
          callListedTool(client, this.#context.catalogue(), { name, arguments: args }, limits),
        isRepeatable: false,
      },
      options,
      signal,
    );
  }

  /**
   * Reads a resource (server/resources), anew each time: see `ResourceReader` for what is kept.
   *
   * @throws as `callTool`.
   */
  readResource(uri: string, options: RequestOptions = {}, signal?: AbortSignal): Promise<ReadResourceResult> {
    return this.#tracked(
      { method: 'resources/read', target: uri },
      {
        // The SDK's own cache counts no bytes.
        send: (session, limits) => session.client.readResource({ uri }, { ...limits, cacheMode: 'bypass' }),
        isRepeatable: true,
      },
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
      {
        send: (session, limits) => session.client.getPrompt({ name, arguments: { ...args } }, limits),
        isRepeatable: true,
      },
      options,
      signal,
    );
  }

  /**
   * Asks for values of one argument of a prompt or a template (server/utilities/completion). The result is
   * as the server sent it, for one with more than 100 values is still of use: it has not been checked.
   *
   * @throws as `callTool`.
   */
  complete(params: CompleteRequestParams, signal?: AbortSignal): Promise<unknown> {
    return this.#request(
      {
        send: (session, limits) =>
          session.client.request({ method: 'completion/complete', params: { ...params } }, anyResult, limits),
        isRepeatable: true,
      },
      {},
      signal,
    );
  }

  #tracked<T>(
    inFlight: Omit<RequestInFlight, 'ended'>,
    request: Request<T>,
    options: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return this.#context.inFlight.track(inFlight, () => this.#request(request, options, signal));
  }

  async #request<T>(
    request: Request<T>,
    options: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { personPause, secrets } = this.#context;
    try {
      const result = await sendRequest(
        (limits) => this.#send(request, limits),
        personPause,
        this.#context.allowed(),
        options,
        signal,
      );
      return whole(result);
    } catch (error) {
      throw error instanceof CancellationError ? error : fitToShow(error, secrets);
    }
  }

  /**
   * Sends a request. One that got lost on its way is sent once more when that does no harm (2026-07-28,
   * basic/transports: a broken response stream is a lost request). When the server has not seen it, because it
   * knew the session no more (404: 2025-03-26, basic/transports, session management), it may go out again in any
   * case: a tool call after whoever sent it has looked at the tool of the new session.
   */
  async #send<T>({ send, isRepeatable }: Request<T>, limits: RequestLimits): Promise<T> {
    if (isRepeatable) {
      // A tool call is waited for by the gate, which looks at the tool afterwards.
      await this.#context.renewed(limits.signal);
    }
    const session = this.#context.session();
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
      const next = isOver ? await this.#context.sessionAfter(session, limits.signal) : session;
      if (!isRepeatable) {
        throw new HostError('notTaken', 'the server did not know the session of the call', { cause: error });
      }
      return send(next, limits);
    }
  }
}
