import type { Tool } from '@modelcontextprotocol/client';
import { frozenDeep } from '../../base/frozenDeep.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { IsExposed } from './exposure.ts';
import type { HostTool, ToolStanding } from '../tools/hostTool.ts';
import type { ServerChanges } from './pins/serverChanges.ts';
import { offeredTool } from './offeredTool.ts';
import { canToolVary, isAsPinned, type Listing, type Pins, renamesIn, type ToolPin } from './pins/pins.ts';
import { listedTool, type ListedTool } from './pins/toolFingerprint.ts';

/** What of a server's tools is decided elsewhere. */
export interface ToolsContext {
  readonly serverId: ServerId;
  readonly isExposed: IsExposed;
  readonly isTrusted: boolean;
  /** Whether tools that came after the first list are held back until you have seen them. */
  readonly holdsNew: boolean;
}

const unseen: ToolStanding = { kind: 'unseen' };
const known: ToolStanding = { kind: 'known' };
const fresh: ToolStanding = { kind: 'new' };
const added: ToolStanding = { kind: 'added' };

/** Each name once: of tools that share one, the first counts. */
export function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const named = new Map<string, Tool>();
  for (const tool of tools) {
    if (!named.has(tool.name)) {
      named.set(tool.name, tool);
    }
  }
  return named;
}

/** One tool as it stands to what is pinned; `renamed` is what was pinned under the name it had before. */
export function hostTool(tool: Tool, context: ToolsContext, pin?: ToolPin, renamed?: ToolPin): HostTool {
  const { serverId, isTrusted, holdsNew } = context;
  // Callers get this very object, and the next one gets the same.
  return frozenDeep({
    serverId,
    tool,
    offered: offeredTool(tool, isTrusted, pin),
    standing: standingOf(listedTool(tool), holdsNew, pin, renamed),
    isExposed: context.isExposed(tool.name),
  });
}

function standingOf(
  listed: ListedTool | undefined,
  holdsNew: boolean,
  pin?: ToolPin,
  renamed?: ToolPin,
): ToolStanding {
  if (listed && pin) {
    // It was never approved, whether or not it has changed since.
    if (pin.isNew && holdsNew) {
      return added;
    }
    if (isAsPinned(listed, pin)) {
      return pin.isNew ? fresh : known;
    }
    return { kind: 'changed', before: pin.tool };
  }
  return listed && renamed
    ? { kind: 'changed', before: renamed.tool, renamedFrom: renamed.tool.name }
    : unseen;
}

/** One server's tools, compared with what is pinned. */
export interface ServerTools {
  readonly tools: readonly HostTool[];
  readonly named: ReadonlyMap<string, HostTool>;
  readonly changes: ServerChanges | undefined;
}

export function serverTools(
  tools: ReadonlyMap<string, Tool>,
  listing: Listing,
  pins: Pins,
  context: ToolsContext,
): ServerTools {
  const renames = renamesIn(listing.tools ?? new Map(), pins);
  const all = [...tools.values()].map((tool) =>
    hostTool(tool, context, pins.tools?.get(tool.name), renames.get(tool.name)),
  );
  return {
    tools: Object.freeze(all),
    named: new Map(all.map((one) => [one.tool.name, one])),
    changes: frozenDeep(changesOf(all, listing, pins, context.serverId)),
  };
}

function changesOf(
  all: readonly HostTool[],
  { instructions: now }: Listing,
  pins: Pins,
  serverId: ServerId,
): ServerChanges | undefined {
  const tools = all.flatMap(({ tool, standing }) => {
    const listed = listedTool(tool);
    if ((standing.kind !== 'changed' && standing.kind !== 'added') || !listed) {
      return [];
    }
    const { before, renamedFrom } = standing.kind === 'changed' ? standing : { before: undefined };
    const pin = pins.tools?.get(tool.name);
    return {
      name: tool.name,
      before,
      now: listed.pinned,
      ...(renamedFrom !== undefined && { renamedFrom }),
      canVary: before !== undefined && pin !== undefined && canToolVary(listed, pin),
    };
  });
  const pin = pins.instructions;
  const instructions =
    pin && !pin.varies && pin.text !== now
      ? { before: pin.text, now, canVary: pin.textChanges > 0 }
      : undefined;
  return tools.length === 0 && !instructions
    ? undefined
    : { serverId, ...(pins.isLost && { isLost: true }), tools, ...(instructions && { instructions }) };
}
