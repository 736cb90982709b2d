import { pathToFileURL } from 'node:url';
import type { Client, Resource } from '@modelcontextprotocol/client';
import type { BenchServer, Side, ToolResult } from './side.ts';

const mostBytes = 64 * 1_024 * 1_024;

/** Clients of the SDK, started in parallel, with nothing around them. */
export class BareSide implements Side {
  #clients: Client[] = [];
  #servers: readonly BenchServer[] = [];
  #folders: readonly string[] = [];

  async start(servers: readonly BenchServer[]): Promise<void> {
    this.#servers = servers;
    const sdk = await import('./bareSdk.ts');
    this.#clients = await Promise.all(servers.map((server) => this.#connect(sdk, server)));
  }

  async #connect(sdk: typeof import('./bareSdk.ts'), server: BenchServer): Promise<Client> {
    const client = new sdk.Client(
      { name: 'bare', version: '1.0.0' },
      { capabilities: { roots: { listChanged: true } }, listMaxPages: 1_000 },
    );
    client.setRequestHandler('roots/list', () => ({
      roots: this.#folders.map((path) => ({ uri: pathToFileURL(path).href, name: path })),
    }));
    await client.connect(
      'url' in server
        ? new sdk.StreamableHTTPClientTransport(new URL(server.url))
        : new sdk.StdioClientTransport({
            command: process.execPath,
            args: [...server.args],
            maxBufferSize: mostBytes,
          }),
    );
    await pagesOf(async (params) => client.listTools(params));
    return client;
  }

  call(server: number, tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    return this.#client(server).callTool({ name: tool, arguments: { ...args } });
  }

  callAsAgent(server: number, tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    return this.call(server, tool, args);
  }

  async setFolders(paths: readonly string[]): Promise<void> {
    this.#folders = paths;
    await Promise.all(this.#clients.map((client) => client.sendRootsListChanged()));
  }

  async showResources(): Promise<{ readonly count: number; readonly shownMs: number }> {
    const resources: Resource[] = [];
    await pagesOf(async (params) => {
      const page = await this.#client(0).listResources(params);
      resources.push(...page.resources);
      return page;
    });
    this.kept = resources;
    return { count: resources.length, shownMs: 0 };
  }

  /** What is kept in memory, as a client keeps it that shows it. */
  kept: readonly Resource[] = [];

  async restart(): Promise<void> {
    await this.close();
    await this.start(this.#servers);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  #client(index: number): Client {
    const client = this.#clients[index];
    if (!client) {
      throw new Error(`There is no server ${index}.`);
    }
    return client;
  }
}

async function pagesOf(
  read: (params: { cursor?: string }) => Promise<{ readonly nextCursor?: string | undefined }>,
): Promise<void> {
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    cursor = (await read(cursor === undefined ? {} : { cursor })).nextCursor;
  }
}
