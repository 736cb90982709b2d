import type { Prompt, Tool } from '@modelcontextprotocol/client';
import type { MissingPart, Parts } from '../../base/parts.ts';
import {
  serverId,
  type DefinitionProblem,
  type ServerDefinition,
  type WorkspaceFolder,
} from '../../host/config/serverDefinition.ts';
import type { ShadowedDefinition } from '../../host/config/serverNames.ts';
import { inOrderOfConcern } from '../../host/tools/toolSummary.ts';
import type { HostTool } from '../../host/tools/hostTool.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { MalformedItem } from '../../host/results/listFaults.ts';
import type { Ledger, RunningRequest } from '../../host/ledger/ledger.ts';
import type { HostError } from '../../host/errors/hostError.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { RootCandidate, RootsView } from '../../host/roots/rootsView.ts';
import type { SharedRoot } from '../../host/folders/sharedRoot.ts';
import type { AgentMode } from './agentMode.ts';
import { failureNodes, type ShownRemedy } from './failureNodes.ts';
import type { ModelAccessSource } from './modelAccess.ts';

/** What the tree of servers is made of. */
export interface TreeSources {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly agentMode: AgentMode;
  readonly access: ModelAccessSource;
  /** What runs at this moment. */
  readonly calls: Pick<Ledger, 'running' | 'onDidChange'>;
  /** What of this extension failed to register. */
  readonly parts: Pick<Parts, 'missing' | 'onDidChange' | 'showLog'>;
}

/** The requests that a server works on for the row of a tool. */
export function callsOf(
  { serverId: id, tool }: HostTool,
  { running }: TreeSources['calls'],
): readonly RunningRequest[] {
  return running.filter(
    ({ isSent, method, serverId, target }) =>
      isSent && method === 'tools/call' && serverId === id && target === tool.name,
  );
}

/** What the tree of servers consists of. */
export type ServerNode =
  | { readonly kind: 'missingPart'; readonly part: MissingPart }
  | { readonly kind: 'server'; readonly server: HostServer }
  | { readonly kind: 'failure'; readonly server: HostServer; readonly reason: HostError }
  /** What may help a server that failed. */
  | { readonly kind: 'remedy'; readonly server: HostServer; readonly remedy: ShownRemedy }
  | { readonly kind: 'tools'; readonly server: HostServer }
  | { readonly kind: 'tool'; readonly server: HostServer; readonly tool: Tool; readonly listed: HostTool }
  /** Something that the server lists, and that cannot be used. */
  | {
      readonly kind: 'malformed';
      readonly server: HostServer;
      readonly what: PagedKind;
      readonly item: MalformedItem;
    }
  | { readonly kind: 'agentMode'; readonly server: HostServer }
  /** How the server stands with the editor's language models. */
  | { readonly kind: 'modelAccess'; readonly server: HostServer }
  | { readonly kind: 'prompts'; readonly server: HostServer; readonly count: number }
  | { readonly kind: 'prompt'; readonly server: HostServer; readonly prompt: Prompt }
  /** What was withdrawn, and the server may still use. */
  | { readonly kind: 'lingering'; readonly server: HostServer; readonly roots: readonly SharedRoot[] }
  | { readonly kind: 'roots'; readonly server: HostServer; readonly view: RootsView }
  /** A folder of the workspace, or one inside it, that the server sees or could see. */
  | {
      readonly kind: 'root';
      readonly server: HostServer;
      readonly candidate: RootCandidate;
      readonly view: RootsView;
    }
  | { readonly kind: 'leftOut'; readonly server: HostServer; readonly folder: WorkspaceFolder }
  | {
      readonly kind: 'count';
      readonly server: HostServer;
      readonly what: 'Resources';
      readonly count: number;
    }
  | {
      readonly kind: 'more';
      readonly server: HostServer;
      readonly what: PagedKind;
      readonly hidden: number;
    }
  | { readonly kind: 'shadowed'; readonly shadowed: ShadowedDefinition }
  /** A definition, or a whole layer, that cannot be read. */
  | { readonly kind: 'unreadable'; readonly problems: readonly [DefinitionProblem, ...DefinitionProblem[]] }
  | { readonly kind: 'problem'; readonly problem: DefinitionProblem };

export type NodeOf<K extends ServerNode['kind']> = ServerNode & { readonly kind: K };

/** Nodes whose children are shown page by page. */
export type PagedKind = 'tools' | 'prompts';

/** Expanding more children at once would hold up the extension host. */
export const PAGE = 500;

/** What of this extension is missing stands above the servers, and takes the place of none. */
export function missingPartNodes({ parts }: Pick<TreeSources, 'parts'>): ServerNode[] {
  return parts.missing.map((part) => ({ kind: 'missingPart', part }));
}

export function topNodes(host: McpHost): ServerNode[] {
  return [
    ...host.servers.map((server): ServerNode => ({ kind: 'server', server })),
    ...host.shadowed.map((shadowed): ServerNode => ({ kind: 'shadowed', shadowed })),
    ...unreadableNodes(host),
  ];
}

/** Problems that stand under no server, those of one definition together. */
function unreadableNodes(host: McpHost): ServerNode[] {
  const definitions = [
    ...host.servers.map(({ connection }) => connection.definition),
    ...host.shadowed.map(({ definition }) => definition),
  ];
  const shown = new Set(definitions.map(({ id }) => id));
  const groups = Map.groupBy(host.problems, ({ origin, name }) => serverId(origin, name ?? ''));
  return [...groups].flatMap(([id, [first, ...others]]): ServerNode[] =>
    shown.has(id) || !first ? [] : [{ kind: 'unreadable', problems: [first, ...others] }],
  );
}

/** The children of a node; at most `shown` tools or prompts. */
export function childNodes(sources: TreeSources, node: ServerNode, shown: number): ServerNode[] {
  switch (node.kind) {
    case 'server':
      return childrenOfServer(sources, node.server);
    case 'tools': {
      const { server } = node;
      const tools = inOrderOfConcern(sources.tools.of(server.connection.definition.id));
      return paged(
        node,
        [
          ...tools.map((listed): ServerNode => ({ kind: 'tool', server, tool: listed.tool, listed })),
          ...malformedNodes(server, 'tools'),
        ],
        shown,
      );
    }
    case 'prompts': {
      const { server } = node;
      const prompts = server.connection.catalogue?.prompts ?? [];
      return paged(
        node,
        [
          ...prompts.map((prompt): ServerNode => ({ kind: 'prompt', server, prompt })),
          ...malformedNodes(server, 'prompts'),
        ],
        shown,
      );
    }
    case 'roots': {
      const { server, view } = node;
      return [
        ...view.candidates.map((candidate): ServerNode => ({ kind: 'root', server, candidate, view })),
        ...view.leftOut.map((folder): ServerNode => ({ kind: 'leftOut', server, folder })),
      ];
    }
    case 'unreadable':
      return node.problems.map((problem) => ({ kind: 'problem', problem }));
    case 'missingPart':
    case 'failure':
    case 'remedy':
    case 'tool':
    case 'malformed':
    case 'agentMode':
    case 'modelAccess':
    case 'prompt':
    case 'lingering':
    case 'root':
    case 'leftOut':
    case 'count':
    case 'more':
    case 'shadowed':
    case 'problem':
      return [];
  }
}

/** What a server lists of a kind and cannot be used; it counts nowhere. */
function malformedNodes(server: HostServer, what: PagedKind): readonly ServerNode[] {
  const items = server.connection.catalogue?.malformed(what) ?? [];
  return items.map((item) => ({ kind: 'malformed', server, what, item }));
}

function paged(
  { kind, server }: ServerNode & { readonly kind: PagedKind },
  all: readonly ServerNode[],
  shown: number,
): ServerNode[] {
  const nodes = all.slice(0, shown);
  const hidden = all.length - nodes.length;
  return hidden > 0 ? [...nodes, { kind: 'more', server, what: kind, hidden }] : nodes;
}

/** What is wrong with one definition, which runs nevertheless. */
export function problemsOf(host: McpHost, { id }: ServerDefinition): readonly DefinitionProblem[] {
  return host.problems.filter(({ name, origin }) => name !== undefined && serverId(origin, name) === id);
}

/** What stands under a server, in the order of use: what needs a look, what it offers, what it is given. */
function childrenOfServer({ host, tools }: TreeSources, server: HostServer): ServerNode[] {
  const { catalogue, definition, rootsKnowledge } = server.connection;
  const nodes: ServerNode[] = problemsOf(host, definition).map((problem) => ({ kind: 'problem', problem }));
  nodes.push(...failureNodes(server));
  const { mayStillUse } = rootsKnowledge;
  if (mayStillUse.length > 0) {
    nodes.push({ kind: 'lingering', server, roots: mayStillUse });
  }
  if (catalogue) {
    // A row that gets children only later stays closed, whatever was open before.
    if (tools.of(definition.id).length + catalogue.malformed('tools').length > 0) {
      nodes.push({ kind: 'tools', server });
    }
    const resources = catalogue.resources.length + catalogue.resourceTemplates.length;
    if (resources > 0) {
      nodes.push({ kind: 'count', server, what: 'Resources', count: resources });
    }
    if (catalogue.prompts.length + catalogue.malformed('prompts').length > 0) {
      nodes.push({ kind: 'prompts', server, count: catalogue.prompts.length });
    }
  }
  nodes.push({ kind: 'roots', server, view: host.rootsOf(definition) });
  if (catalogue) {
    nodes.push({ kind: 'agentMode', server });
  }
  nodes.push({ kind: 'modelAccess', server });
  return nodes;
}
