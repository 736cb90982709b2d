import type { HostTools } from '../gate/hostTools.ts';
import type { HostServer } from '../servers/mcpHost.ts';
import { isOffered, type HostTool } from '../tools/hostTool.ts';
import { ToolSearch, type SearchedTool } from '../tools/search/toolSearch.ts';

/** A tool that a model may find. */
export interface ChatTool extends SearchedTool {
  /** The server's name as you see it. */
  readonly server: string;
  readonly tool: HostTool;
}

/** What an index was made of: it is valid as long as these are the same. */
interface Source {
  readonly server: HostServer;
  readonly label: string;
  readonly tools: readonly HostTool[];
}

/** The search over the tools of the servers that are available to chat. It is made again when these change. */
export class ChatIndex {
  readonly #tools: Pick<HostTools, 'of'>;
  #sources: readonly Source[] = [];
  #search: Promise<ToolSearch<ChatTool>> | undefined;

  constructor(tools: Pick<HostTools, 'of'>) {
    this.#tools = tools;
  }

  /** The tools that fit a task, best first, of one server or of all. */
  async find(
    servers: readonly HostServer[],
    query: string,
    limit: number,
    only?: HostServer,
  ): Promise<readonly ChatTool[]> {
    const search = await this.#current(servers);
    const found = await search.find(query, only ? Infinity : limit);
    return found
      .filter(({ tool }) => !only || tool.serverId === only.connection.definition.id)
      .slice(0, limit);
  }

  #current(servers: readonly HostServer[]): Promise<ToolSearch<ChatTool>> {
    const sources = servers.map((server) => ({
      server,
      label: server.label,
      tools: this.#tools.of(server.connection.definition.id),
    }));
    if (!this.#search || !isSame(sources, this.#sources)) {
      this.#sources = sources;
      this.#search = ToolSearch.over(sources.flatMap(chatTools));
    }
    return this.#search;
  }
}

function isSame(sources: readonly Source[], others: readonly Source[]): boolean {
  return (
    sources.length === others.length &&
    sources.every(
      ({ tools, label }, index) => tools === others[index]?.tools && label === others[index].label,
    )
  );
}

function chatTools({ server, label, tools }: Source): readonly ChatTool[] {
  const { serverInfo } = server.connection;
  const serverTitles = [label, serverInfo?.name, serverInfo?.title].filter((title) => title !== undefined);
  return tools.filter(isOffered).map((tool) => {
    const { name, title, description, inputSchema, annotations } = tool.offered;
    const titles = [title, annotations?.title].filter((text) => text !== undefined);
    return { server: label, tool, serverTitles, name, titles, description, inputSchema };
  });
}
