import type { Prompt } from '@modelcontextprotocol/client';
import type { ServerId } from '../../../host/config/serverDefinition.ts';
import type { HostServer } from '../../../host/servers/mcpHost.ts';
import type { HostTool } from '../../../host/tools/hostTool.ts';
import { PAGE } from '../row.ts';
import { serverNode, treeNodes, type TreeSources } from './serverNodes.ts';
import type { ServerNode } from '../../nodes/serverNode.ts';
import { serverMarks } from './serverRow.ts';
import { rowOf } from './serverRows.ts';

/** What the rows of a server say. */
interface Drawing {
  /** All rows, except those of its tools, whose changes are found separately. */
  readonly text: string;
  /** The list that its rows of prompts are made of. */
  readonly prompts: readonly Prompt[] | undefined;
  /** How they stand to what was approved. */
  readonly standings: unknown;
}

/**
 * What was drawn last of each server. Many changes of a server aren't visible in its rows: then they are not drawn
 * again, and a press on one is not lost.
 */
export class DrawnServers {
  readonly #sources: TreeSources;
  readonly #drawings = new Map<ServerId, Drawing>();
  readonly #marks = new Map<ServerId, string>();
  readonly #tools = new Map<ServerId, readonly HostTool[]>();

  constructor(sources: TreeSources) {
    this.#sources = sources;
  }

  /** A row is drawn now. */
  note(node: ServerNode): void {
    if (node.kind === 'server') {
      this.#marks.set(node.id, serverMarks(node.server, this.#sources));
      this.#drawings.set(node.id, this.#drawingOf(node.server));
    } else if (node.kind === 'tools') {
      const { id } = node.server.connection.definition;
      this.#tools.set(id, this.#sources.tools.of(id));
    }
  }

  /** Whether the rows of a server still say the same. */
  isSame(id: ServerId): boolean {
    const server = this.#sources.host.server(id);
    const [before, now] = [this.#drawings.get(id), server && this.#drawingOf(server)];
    return (
      before !== undefined &&
      now?.text === before.text &&
      now.prompts === before.prompts &&
      now.standings === before.standings
    );
  }

  /** Whether the row of a server says the same of its tools, and the rows of its prompts say the same. */
  areMarksSame(server: HostServer): boolean {
    const { id } = server.connection.definition;
    return (
      serverMarks(server, this.#sources) === this.#marks.get(id) &&
      this.#sources.tools.prompts(id) === this.#drawings.get(id)?.standings
    );
  }

  /** Whether the rows of a server's tools were drawn of the same list. */
  areToolsSame(id: ServerId): boolean {
    return this.#sources.tools.of(id) === this.#tools.get(id);
  }

  #drawingOf(server: HostServer): Drawing {
    const top = serverNode(server);
    const below = treeNodes(this.#sources, top, PAGE);
    const roots = below.filter(({ kind }) => kind === 'roots');
    const all = [top, ...below, ...roots.flatMap((node) => treeNodes(this.#sources, node, PAGE))];
    return {
      text: JSON.stringify(all.map((node) => [node.id, rowOf(node, this.#sources)])),
      prompts: server.connection.catalogue?.prompts,
      standings: this.#sources.tools.prompts(server.connection.definition.id),
    };
  }
}
