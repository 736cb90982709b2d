import type { McpHttpHandler, Server } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Emitter } from '../../base/lifetime/event.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { isRecord } from '../../base/values/record.ts';
import type { ListKind } from '../connection/lists/serverList.ts';
import type { ServerSdk } from '../sdk/loadSdk.ts';
import type { AdmittedRequest } from './loopbackListener.ts';
import { sendFailure } from './sessionAnswer.ts';
import { SessionTransport } from './sessionTransport.ts';
import { sendWebResponse, webRequestOf } from './webRequest.ts';

/** Milliseconds for which changes of a list are gathered before clients are notified. */
const LIST_CHANGED_MS = 50;
/** How many sessions (legacy) and subscriptions (modern) clients of one server may hold open. */
const MAX_SESSIONS = 32;

interface LegacySession {
  readonly server: Server;
  readonly transport: SessionTransport;
}

/**
 * One server as clients of the gateway reach it: a session over Streamable HTTP for a legacy client
 * (basic/transports, session management), an answer to each request and `subscriptions/listen` for a modern one.
 */
export class ServedServer {
  readonly #sdk: ServerSdk;
  readonly #createServer: () => Server;
  readonly #modern: McpHttpHandler;
  /** The most recently used come last. */
  readonly #sessions = new Map<string, LegacySession>();
  readonly #changed = new Set<ListKind>();
  readonly #announcement = new Gathered(LIST_CHANGED_MS, () => this.#announce());
  readonly #onDidLoseListener = new Emitter<void>();
  /** The last client that listened for changes is gone. */
  readonly onDidLoseListener = this.#onDidLoseListener.event;
  readonly #watch: () => Disposable;
  #streams = 0;
  #isClosed = false;

  /**
   * `createServer` returns a new server each time; `failed` gets the errors of clients; `watch` is called when a
   * client begins to listen, and its result is disposed when that ends.
   */
  constructor(
    sdk: ServerSdk,
    createServer: () => Server,
    failed: (error: Error) => void,
    watch: () => Disposable,
  ) {
    this.#sdk = sdk;
    this.#watch = watch;
    this.#createServer = createServer;
    this.#modern = sdk.createMcpHandler(createServer, {
      legacy: 'reject',
      maxSubscriptions: MAX_SESSIONS,
      onerror: failed,
    });
  }

  /** Whether a client holds a stream open for changes. */
  get isListenedTo(): boolean {
    return this.#streams > 0;
  }

  async answer(request: AdmittedRequest): Promise<void> {
    const { headers, body, response } = request;
    const id = headers['mcp-session-id'];
    const session = this.#sessions.get(String(id));
    if (session) {
      this.#answerIn(session, request);
      return;
    }
    const web = webRequestOf(request);
    if (!(await this.#sdk.isLegacyRequest(web, body))) {
      this.#countStream(response, isListening(body));
      await sendWebResponse(response, await this.#modern.fetch(web, { parsedBody: body }));
    } else if (id !== undefined) {
      // A client that gets this begins a new session.
      sendFailure(response, 404, 'Session not found');
    } else if (this.#sdk.isInitializeRequest(body)) {
      this.#answerIn(await this.#openSession(), request);
    } else {
      sendFailure(response, 400, 'Bad Request: Mcp-Session-Id header is required');
    }
  }

  /** Notifies clients soon that one of the lists has changed. */
  changed(kind: ListKind): void {
    if (!this.#isClosed) {
      this.#changed.add(kind);
      this.#announcement.soon();
    }
  }

  /** Ends every session and stream. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#announcement.dispose();
    this.#onDidLoseListener.dispose();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all([this.#modern.close(), ...sessions.map(({ server }) => server.close())]);
  }

  #answerIn(session: LegacySession, request: AdmittedRequest): void {
    const { sessionId } = session.transport;
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    this.#countStream(request.response, request.method === 'GET');
    session.transport.answer(request);
  }

  async #openSession(): Promise<LegacySession> {
    const server = this.#createServer();
    const transport = new SessionTransport(randomUUID());
    const session = { server, transport };
    server.onclose = () => this.#sessions.delete(transport.sessionId);
    await server.connect(transport);
    this.#sessions.set(transport.sessionId, session);
    const [oldest] = this.#sessions.values();
    if (oldest && this.#sessions.size > MAX_SESSIONS) {
      await oldest.server.close();
    }
    return session;
  }

  #countStream(response: ServerResponse, isStream: boolean): void {
    if (isStream && !response.closed) {
      this.#streams += 1;
      const watching = this.#watch();
      response.once('close', () => {
        this.#streams -= 1;
        watching.dispose();
        if (this.#streams === 0) {
          this.#onDidLoseListener.fire();
        }
      });
    }
  }

  #announce(): void {
    for (const kind of this.#changed) {
      switch (kind) {
        case 'tools':
          this.#modern.notify.toolsChanged();
          this.#tell((server) => server.sendToolListChanged());
          break;
        case 'resources':
          this.#modern.notify.resourcesChanged();
          this.#tell((server) => server.sendResourceListChanged());
          break;
        case 'prompts':
          this.#modern.notify.promptsChanged();
          this.#tell((server) => server.sendPromptListChanged());
          break;
      }
    }
    this.#changed.clear();
  }

  /** A session that can't be notified has ended, or has not declared the list. */
  #tell(send: (server: Server) => Promise<void>): void {
    for (const { server } of this.#sessions.values()) {
      send(server).catch(() => {});
    }
  }
}

function isListening(body: unknown): boolean {
  return isRecord(body) && body['method'] === 'subscriptions/listen';
}
