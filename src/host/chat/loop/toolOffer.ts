import type { ServerId } from '../../config/serverDefinition.ts';
import { modelNamesOf } from '../../gateway/modelTools.ts';
import { serverPrefix } from '../../gateway/modelNames.ts';
import type { HostTools } from '../../gate/hostTools.ts';
import type { SamplingTool } from '../../sampling/request/samplingRequest.ts';
import type { HostServer } from '../../servers/mcpHost.ts';
import { isOffered, type HostTool } from '../../tools/hostTool.ts';
import { tokensOfTools } from '../../tools/tokenEstimate.ts';
import type { ChatIndex } from '../chatIndex.ts';

/** What a call of a tool becomes: a call of a server's tool, or one of MCP Host's own tools with the same input. */
export type OfferedCall =
  | { readonly kind: 'tool'; readonly serverId: ServerId; readonly server: string; readonly tool: string }
  | { readonly kind: 'find' }
  | { readonly kind: 'call' }
  | { readonly kind: 'read' };

/** A tool as a model gets it in @mcp. */
export interface OfferedTool extends SamplingTool {
  readonly target: OfferedCall;
}

/** MCP Host's own tools as models get them. */
export type OwnTools = Readonly<Record<'find' | 'call' | 'read', SamplingTool>>;

export interface OfferContext {
  /** The running servers that are available to chat, and no other. */
  readonly servers: readonly HostServer[];
  readonly tools: Pick<HostTools, 'of'>;
  readonly index: Pick<ChatIndex, 'find'>;
  readonly own: OwnTools;
  readonly maxTools: number;
  /** About how many tokens the tools of servers may take. */
  readonly maxTokens: number;
}

/** A tool that was called before, in this conversation. */
export interface UsedTool {
  readonly serverId: ServerId;
  readonly tool: string;
}

/**
 * The tools that a model gets: all, if there are few enough. Otherwise those that were used before and those that fit
 * the request best, and MCP Host's own tools by which it finds and calls the others.
 */
export async function offerTools(
  { servers, tools, index, own, maxTools, maxTokens }: OfferContext,
  request: string,
  used: readonly UsedTool[],
): Promise<readonly OfferedTool[]> {
  const all = namedTools(servers, tools);
  const read = servers.some(({ connection }) => connection.offers('resources')) ? [ownTool(own, 'read')] : [];
  const fits = (offered: readonly NamedTool[], beside: number): boolean =>
    offered.length + beside <= maxTools && tokensOfTools(offered.map(({ tool }) => tool)) <= maxTokens;
  if (fits(all, read.length)) {
    return [...all.map(({ offered }) => offered), ...read];
  }
  const beside = [ownTool(own, 'find'), ownTool(own, 'call'), ...read];
  const found = await index.find(servers, request, maxTools);
  const wanted = [
    ...used.map(({ serverId, tool }) => ({ serverId, name: tool })),
    ...found.map(({ tool, name }) => ({ serverId: tool.serverId, name })),
  ];
  const chosen = new Set<NamedTool>();
  for (const { serverId, name } of wanted) {
    const one = all.find(({ tool }) => tool.serverId === serverId && tool.tool.name === name);
    if (one && !chosen.has(one) && fits([...chosen, one], beside.length)) {
      chosen.add(one);
    }
  }
  return [...[...chosen].map(({ offered }) => offered), ...beside];
}

/** The tool that a model has named: by its exact name, in another case, or as its server names it; never one of two. */
export function toolNamed(offered: readonly OfferedTool[], name: string): OfferedTool | undefined {
  const matches: readonly ((tool: OfferedTool) => boolean)[] = [
    (tool) => tool.name === name,
    (tool) => tool.name.toLowerCase() === name.toLowerCase(),
    ({ target }) => target.kind === 'tool' && target.tool === name,
  ];
  const [found = []] = matches.map((match) => offered.filter(match)).filter(({ length }) => length > 0);
  return found.length === 1 ? found[0] : undefined;
}

interface NamedTool {
  readonly tool: HostTool;
  readonly offered: OfferedTool;
}

/** The tools with names that are unique among all of them, and the same whichever of them are chosen. */
function namedTools(servers: readonly HostServer[], tools: Pick<HostTools, 'of'>): readonly NamedTool[] {
  const taken = new Set<string>();
  return servers.flatMap(({ connection: { definition }, label }) => {
    const { id, name: ownName } = definition;
    const isShared = servers.some(
      ({ connection: other }) => other.definition.id !== id && other.definition.name === ownName,
    );
    const listed = tools.of(id);
    const names = modelNamesOf(listed);
    const prefixes = [isShared, true].map((isHashed) => serverPrefix(ownName, id, undefined, isHashed));
    return listed.filter(isOffered).flatMap((tool) => {
      const last = names.modelName(tool.tool.name);
      // The name of a server may end as the name of another server's tool begins: then the prefix with a hash is used.
      const name = prefixes
        .map((prefix) => `${prefix}__${last}`)
        .find((full) => !taken.has(full.toLowerCase()));
      if (last === undefined || name === undefined) {
        return [];
      }
      taken.add(name.toLowerCase());
      const { description = '', inputSchema } = tool.offered;
      const target = { kind: 'tool', serverId: id, server: label, tool: tool.tool.name } as const;
      return [{ tool, offered: { name, description, inputSchema, target } }];
    });
  });
}

function ownTool(own: OwnTools, kind: keyof OwnTools): OfferedTool {
  return { ...own[kind], target: { kind } };
}
