import type {
  McpHttpHandler,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { Emitter } from '../../base/lifetime/event.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { isRecord } from '../../base/values/record.ts';
import type { ListKind } from '../connection/lists/serverList.ts';
import type { ServerSdk } from '../sdk/loadSdk.ts';

/** Milliseconds for which changes of a list are gathered before clients are notified. */
const LIST_CHANGED_MS = 50;
/** How many sessions (legacy) and subscriptions (modern) clients of one server may hold open. */
const MAX_SESSIONS = 32;

interface LegacySession {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
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

  /** Answers one request, whose body is parsed already. */
  async answer(request: Request, body: unknown): Promise<Response> {
    if (await this.#sdk.isLegacyRequest(request, body)) {
      return this.#answerLegacy(request, body);
    }
    this.#countStream(request, isListening(body));
    return this.#modern.fetch(request, { parsedBody: body });
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

  async #answerLegacy(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null && this.#sdk.isInitializeRequest(body)) {
      const { transport } = await this.#openSession();
      return transport.handleRequest(request, { parsedBody: body });
    }
    if (id === null) {
      return failure(400, 'Bad Request: Mcp-Session-Id header is required');
    }
    const session = this.#sessions.get(id);
    if (!session) {
      // A client that gets this begins a new session.
      return failure(404, 'Session not found');
    }
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    this.#countStream(request, request.method === 'GET');
    return session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
  }

  async #openSession(): Promise<LegacySession> {
    const server = this.#createServer();
    const id = randomUUID();
    const transport = new this.#sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
    });
    const session = { server, transport };
    server.onclose = () => this.#sessions.delete(id);
    await server.connect(transport);
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions.values();
    if (oldest && this.#sessions.size > MAX_SESSIONS) {
      await oldest.server.close();
    }
    return session;
  }

  #countStream(request: Request, isStream: boolean): void {
    if (isStream && !request.signal.aborted) {
      this.#streams += 1;
      const watching = this.#watch();
      const ended = (): void => {
        this.#streams -= 1;
        watching.dispose();
        if (this.#streams === 0) {
          this.#onDidLoseListener.fire();
        }
      };
      request.signal.addEventListener('abort', ended, { once: true });
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

function failure(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status });
}
