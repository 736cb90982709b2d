import type { FoundSummary, NodeOf, ServerNode, ShownRemedy, PagedKind } from '../../nodes/serverNode.ts';
import type { Parts } from '../../../base/lifetime/parts.ts';
import {
  serverId,
  type DefinitionProblem,
  type ServerDefinition,
  type ServerId,
} from '../../../host/config/serverDefinition.ts';
import { inOrderOfConcern } from '../../../host/tools/toolSummary.ts';
import type { HostTool } from '../../../host/tools/hostTool.ts';
import type { StartRequest } from '../../../host/state/connectionState.ts';
import type { HostTools } from '../../../host/gate/hostTools.ts';
import type { Ledger, RunningRequest } from '../../../host/ledger/ledger.ts';
import type { HostServer, McpHost } from '../../../host/servers/mcpHost.ts';
import type { AgentModeSource } from '../../chat/agentModeState.ts';
import { BELOW } from './openRows.ts';
import type { AccountSource } from '../../../host/auth/accountText.ts';
import { signInActions } from '../../../host/auth/signInActions.ts';
import { isTroubled } from '../../../host/sampling/accessText.ts';
import type { ModelAccessSource } from '../../sampling/modelAccessSource.ts';
import { failureOf, remediesFor } from '../../../host/servers/serverRemedies.ts';

/** The sources of the tree of servers. */
export interface TreeSources {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly agentMode: AgentModeSource;
  readonly access: ModelAccessSource;
  readonly accounts: AccountSource;
  /** What is running. */
  readonly calls: Pick<Ledger, 'running' | 'onDidChange'>;
  /** The parts of this extension that failed to register. */
  readonly parts: Pick<Parts, 'missing' | 'onDidChange' | 'showLog'>;
}

/** The running calls of a tool. */
export function callsOf(
  { serverId: id, tool }: HostTool,
  { running }: TreeSources['calls'],
): readonly RunningRequest[] {
  return running.filter(
    ({ isSent, method, serverId, target }) =>
      isSent && method === 'tools/call' && serverId === id && target === tool.name,
  );
}

/** The id of a row below a server; `what` distinguishes rows of one kind. */
export function idBelow(id: ServerId, kind: ServerNode['kind'], what?: string): string {
  return `${id}${BELOW}${kind}${what === undefined ? '' : ` ${what}`}`;
}

export function serverNode(server: HostServer): NodeOf<'server'> {
  return { kind: 'server', id: server.connection.definition.id, server };
}

/** A node that a server has once, and that has nothing but the server. */
export function onlyNode<K extends 'tools' | 'agentMode' | 'modelAccess'>(
  kind: K,
  server: HostServer,
): { readonly kind: K; readonly id: string; readonly server: HostServer } {
  return { kind, id: idBelow(server.connection.definition.id, kind), server };
}

/** Parts of this extension that are missing, above the servers. */
export function missingPartNodes({ parts }: Pick<TreeSources, 'parts'>): ServerNode[] {
  return parts.missing.map((part) => ({ kind: 'missingPart', id: `missing ${part.name}`, part }));
}

/** In place of the text of an empty view, which can't say what was found. */
export function startNodes(found: FoundSummary): ServerNode[] {
  return [
    { kind: 'start', id: 'start importServers', does: 'importServers', found },
    ...(found.ofCopilot > 0
      ? [{ kind: 'start', id: 'start useCopilotServers', does: 'useCopilotServers', found } as const]
      : []),
    ...(['addServer', 'trySampleServer'] as const).map((does): ServerNode => ({
      kind: 'start',
      id: `start ${does}`,
      does,
    })),
  ];
}

export function topNodes(host: McpHost): ServerNode[] {
  return [
    ...host.servers.map(serverNode),
    ...host.shadowed.map((shadowed): ServerNode => ({
      kind: 'shadowed',
      id: `shadowed ${shadowed.definition.id}`,
      shadowed,
    })),
    ...unreadableNodes(host),
  ];
}

/** Without notes, which matter only to readers of the file. */
function problemsIn(host: McpHost): readonly DefinitionProblem[] {
  return host.problems.filter(({ severity }) => severity !== 'note');
}

/** Problems of definitions that have no row of their own, those of one definition together. */
function unreadableNodes(host: McpHost): ServerNode[] {
  const definitions = [
    ...host.servers.map(({ connection }) => connection.definition),
    ...host.shadowed.map(({ definition }) => definition),
  ];
  const shown = new Set(definitions.map(({ id }) => id));
  const groups = Map.groupBy(problemsIn(host), ({ origin, name }) => serverId(origin, name ?? ''));
  return [...groups].flatMap(([id, [first, ...others]]): ServerNode[] =>
    shown.has(id) || !first
      ? []
      : [{ kind: 'unreadable', id: `unreadable ${id}`, problems: [first, ...others] }],
  );
}

function problemNode(problem: DefinitionProblem): ServerNode {
  const { origin, name, message } = problem;
  return { kind: 'problem', id: `problem ${serverId(origin, name ?? '')} ${message}`, problem };
}

/** What the tree shows below a node; at most `shown` tools or prompts. */
export function treeNodes(sources: TreeSources, node: ServerNode, shown: number): ServerNode[] {
  return childNodes(sources, node, shown).filter((child) => isInTree(child, sources));
}

/** The account, chat, model access and resources of a server are on its page only, unless one needs a look. */
function isInTree(node: ServerNode, { access }: TreeSources): boolean {
  switch (node.kind) {
    case 'account':
    case 'agentMode':
    case 'resources':
      return false;
    case 'modelAccess':
      return isTroubled(access.accessOf(node.server.connection.definition));
    default:
      return true;
  }
}

/** The children of a node, on the page of the server; at most `shown` tools or prompts. */
export function childNodes(sources: TreeSources, node: ServerNode, shown: number): ServerNode[] {
  switch (node.kind) {
    case 'server':
      return childrenOfServer(sources, node.server);
    case 'tools': {
      const { server } = node;
      const tools = inOrderOfConcern(sources.tools.of(server.connection.definition.id));
      const nodes = tools.map((listed): ServerNode => {
        const { tool, serverId: id } = listed;
        return { kind: 'tool', id: idBelow(id, 'tool', tool.name), server, tool, listed };
      });
      return paged(node, nodes, shown);
    }
    case 'prompts': {
      const { server } = node;
      const { catalogue, definition } = server.connection;
      const nodes = (catalogue?.prompts ?? []).map((prompt): ServerNode => {
        const id = idBelow(definition.id, 'prompt', prompt.name);
        return { kind: 'prompt', id, server, prompt };
      });
      return paged(node, nodes, shown);
    }
    case 'roots':
      return childrenOfRoots(node);
    case 'unreadable':
      return node.problems.map(problemNode);
    default:
      return [];
  }
}

function childrenOfRoots({ server, view }: NodeOf<'roots'>): ServerNode[] {
  const { id } = server.connection.definition;
  return [
    ...view.candidates.map((candidate): ServerNode => {
      const { uri } = candidate.root;
      return { kind: 'root', id: idBelow(id, 'root', uri), server, candidate, view };
    }),
    ...view.leftOut.map((folder): ServerNode => ({
      kind: 'leftOut',
      id: idBelow(id, 'leftOut', folder.uri),
      server,
      folder,
    })),
  ];
}

/** The first `shown` of these and of what the server lists but cannot be used, and a row for the others. */
function paged(
  { kind, server }: ServerNode & { readonly kind: PagedKind },
  nodes: readonly ServerNode[],
  shown: number,
): ServerNode[] {
  const { catalogue, definition } = server.connection;
  const malformed = (catalogue?.malformed(kind) ?? []).map((item): ServerNode => {
    const id = idBelow(definition.id, 'malformed', `${kind} ${item.place}`);
    return { kind: 'malformed', id, server, what: kind, item };
  });
  const all = [...nodes, ...malformed];
  const hidden = all.length - shown;
  return hidden > 0
    ? [
        ...all.slice(0, shown),
        { kind: 'more', id: idBelow(definition.id, 'more', kind), server, what: kind, hidden },
      ]
    : all;
}

/** The problems of a definition that runs nevertheless. */
export function problemsOf(host: McpHost, { id }: ServerDefinition): readonly DefinitionProblem[] {
  return problemsIn(host).filter(({ name, origin }) => name !== undefined && serverId(origin, name) === id);
}

/** What is below a server, in the order of use: what needs a look, what it offers, what it is given. */
function childrenOfServer({ host, tools, accounts }: TreeSources, server: HostServer): ServerNode[] {
  const { catalogue, definition, rootsKnowledge } = server.connection;
  const { id } = definition;
  const nodes: ServerNode[] = [
    ...problemsOf(host, definition).map(problemNode),
    ...failureNodes(server),
    ...signInNodes(server, accounts),
  ];
  const { mayStillUse } = rootsKnowledge;
  if (mayStillUse.length > 0) {
    nodes.push({ kind: 'lingering', id: idBelow(id, 'lingering'), server, roots: mayStillUse });
  }
  if (catalogue) {
    // A row that gets children only later stays closed, whatever was open before.
    if (tools.of(id).length + catalogue.malformed('tools').length > 0) {
      nodes.push(onlyNode('tools', server));
    }
    const resources = catalogue.resources.length + catalogue.resourceTemplates.length;
    if (resources > 0) {
      nodes.push({ kind: 'resources', id: idBelow(id, 'resources'), server, count: resources });
    }
    if (catalogue.prompts.length + catalogue.malformed('prompts').length > 0) {
      nodes.push({ kind: 'prompts', id: idBelow(id, 'prompts'), server, count: catalogue.prompts.length });
    }
  }
  const account = accounts.accountOf(id);
  if (account) {
    nodes.push({ kind: 'account', id: idBelow(id, 'account'), server, account });
  }
  nodes.push({ kind: 'roots', id: idBelow(id, 'roots'), server, view: host.rootsOf(definition) });
  if (catalogue) {
    nodes.push(onlyNode('agentMode', server));
  }
  nodes.push(onlyNode('modelAccess', server));
  return nodes;
}

/** Why a server failed, or what it asks for, and what may help. All of it is there, so that you don't have to hover. */
function failureNodes(server: HostServer): readonly ServerNode[] {
  const { state, definition } = server.connection;
  const { id } = definition;
  const asks = state.kind === 'starting' ? state.asks : undefined;
  const reason = failureOf(server);
  const failure: ServerNode | undefined = reason && {
    kind: 'failure',
    id: idBelow(id, 'failure'),
    server,
    reason,
  };
  const first: ServerNode | undefined = asks
    ? { kind: 'asks', id: idBelow(id, 'asks'), server, asks }
    : failure;
  const remedies = asks ? remediesOf(asks) : [...remediesFor(server), { kind: 'showLog' } as const];
  const nodes = remedies.map((remedy): ServerNode => {
    return { kind: 'remedy', id: idBelow(id, 'remedy', remedy.kind), server, remedy };
  });
  return first ? [first, ...nodes] : [];
}

function remediesOf({ address, code }: StartRequest): readonly ShownRemedy[] {
  return [
    ...(address ? (['open', 'copyAddress'] as const).map((kind) => ({ kind, address })) : []),
    ...(code === undefined ? [] : [{ kind: 'copyCode', code } as const]),
    { kind: 'cancel' },
  ];
}

/** Where the sign-in of a server is, if you have to do something or to wait, and what you can do. */
function signInNodes(server: HostServer, { access }: AccountSource): readonly ServerNode[] {
  const { definition, state } = server.connection;
  const { id } = definition;
  const { signIn } = state;
  if (!signIn) {
    return [];
  }
  return [
    { kind: 'signIn', id: idBelow(id, 'signIn'), server, signIn },
    ...signInActions(signIn, access, definition).map((action): ServerNode => ({
      kind: 'signInAction',
      id: idBelow(id, 'signInAction', action),
      server,
      action,
    })),
  ];
}
