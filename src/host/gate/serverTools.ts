import type { Tool } from '@modelcontextprotocol/client';
import { frozenDeep } from '../../base/values/frozenDeep.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { IsExposed } from './exposure.ts';
import type { HostTool, ToolStanding } from '../tools/hostTool.ts';
import { withoutComments } from './pins/comparedSchema.ts';
import { isAsPinned, renamesIn, type Listing, type Pins, type ToolPin } from './pins/pins.ts';
import { changesOf, type ServerChanges } from './pins/serverChanges.ts';
import { listedTool, type ListedTool } from './pins/toolFingerprint.ts';

/** The decisions by which a server's tools are shown. */
export interface ToolsContext {
  readonly serverId: ServerId;
  readonly isExposed: IsExposed;
  readonly isTrusted: boolean;
  /** Whether tools that came after the first list are held back until you have seen them. */
  readonly holdsNew: boolean;
  /** Whether nobody can call the tool, because the server doesn't run it in the way in which it can run. */
  readonly lacksTasks: (tool: Tool) => boolean;
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

/** One tool compared with its pin; `renamed` is the pin under its former name. */
export function hostTool(tool: Tool, context: ToolsContext, pin?: ToolPin, renamed?: ToolPin): HostTool {
  const { serverId, isTrusted, holdsNew } = context;
  // Callers get this very object, and the next one gets the same.
  return frozenDeep({
    serverId,
    tool,
    offered: offeredTool(tool, isTrusted, pin),
    standing: standingOf(listedTool(tool), holdsNew, pin, renamed),
    isExposed: context.isExposed(tool.name),
    ...(context.lacksTasks(tool) && { lacksTasks: true as const }),
  });
}

/**
 * A tool as a model gets it: annotations only where they are trusted, no icon that would be fetched, no
 * `_meta`, the approved texts where they vary, and schemas as compared.
 */
function offeredTool(
  { _meta, annotations, icons, ...rest }: Tool,
  isTrusted: boolean,
  pin: ToolPin | undefined,
): Tool {
  const embedded = icons?.filter(({ src }) => /^data:/i.test(src)) ?? [];
  const { title, description, ...untitled } = rest;
  const texts = pin?.varies ? pin.tool : { title, description };
  return {
    ...untitled,
    inputSchema: withoutComments(untitled.inputSchema),
    ...(untitled.outputSchema && { outputSchema: withoutComments(untitled.outputSchema) }),
    ...(texts.title !== undefined && { title: texts.title }),
    ...(texts.description !== undefined && { description: texts.description }),
    ...(isTrusted && annotations && { annotations }),
    ...(embedded.length > 0 && { icons: embedded }),
  };
}

function standingOf(
  listed: ListedTool | undefined,
  holdsNew: boolean,
  pin?: ToolPin,
  renamed?: ToolPin,
): ToolStanding {
  if (listed && pin) {
    // Never approved, whether or not it has changed since.
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
    changes: frozenDeep(changesOf(all, listing.instructions, pins, context.serverId)),
  };
}
