import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { textsOf, type Arguments, type CallOptions, type Peer, type PeerOptions } from './peer.ts';

/** The SDK's own client and transports, as its documentation shows them: what has a default keeps it. */
export class BarePeer implements Peer {
  requestMs: number;
  readonly ended: Promise<string>;
  knownTools: readonly string[] = [];
  heard = '';
  readonly complaints: string[] = [];
  readonly #client: Client;
  readonly #transport: Transport;

  constructor(definition: ServerDefinition, directory: string, options: PeerOptions) {
    const { requestMs = 60_000, folders = [], consent } = options;
    this.requestMs = requestMs;
    this.#client = new Client(
      { name: 'bare', version: '1.0.0' },
      {
        capabilities: { roots: { listChanged: true } },
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: requestMs } },
        listChanged: {
          tools: {
            onChanged: (_error, tools) => (this.knownTools = tools?.map(({ name }) => name) ?? []),
            debounceMs: 2_000, // on a machine under load, its own 300 ms are a pause of any server
          },
        },
      },
    );
    this.#client.setRequestHandler('roots/list', async () => {
      await consent?.();
      return { roots: folders.map(({ uri, name }) => ({ uri, name })) };
    });
    this.#client.setNotificationHandler('notifications/message', ({ params }) => {
      this.heard += `${String(params.data)}\n`;
    });
    this.#client.onerror = ({ message }) => this.complaints.push(message);
    this.ended = new Promise((resolve) => {
      this.#client.onclose = () => resolve(this.complaints.join('\n'));
    });
    this.#transport = this.#transportTo(definition, options.cwd ?? directory);
  }

  async connect(): Promise<void> {
    await this.#client.connect(this.#transport, { timeout: this.requestMs });
  }

  async listTools(): Promise<readonly string[]> {
    const { tools } = await this.#client.listTools({}, { timeout: this.requestMs });
    return tools.map(({ name }) => name);
  }

  async callTool(name: string, args: Arguments = {}, { onProgress, signal }: CallOptions = {}) {
    const { content } = await this.#client.callTool(
      { name, arguments: args },
      {
        timeout: this.requestMs,
        ...(signal && { signal }),
        ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
      },
    );
    return textsOf(content);
  }

  async readResource(uri: string): Promise<string> {
    const { contents } = await this.#client.readResource({ uri }, { timeout: this.requestMs });
    return textsOf(contents);
  }

  codeOf(error: unknown): unknown {
    return (error as { readonly code?: unknown }).code;
  }

  async close(): Promise<void> {
    await this.#client.close();
    // While it connects, the client has no transport yet: a process that it probes would be started again.
    await this.#transport.close();
  }

  #transportTo(definition: ServerDefinition, cwd: string): Transport {
    switch (definition.type) {
      case 'stdio': {
        const { command, args, env } = definition;
        const transport = new StdioClientTransport({ command, args: [...args], env, cwd, stderr: 'pipe' });
        transport.stderr?.on('data', (chunk: Buffer) => (this.heard += chunk.toString()));
        return transport;
      }
      case 'http':
        return new StreamableHTTPClientTransport(new URL(definition.url));
      case 'sse':
        return new SSEClientTransport(new URL(definition.url));
    }
  }
}
