import type { PinnedTool } from './hostTool.ts';
import type { ListedTool, ToolPrint } from './toolPrint.ts';

/** A text that was approved, and how it has changed since. */
export interface TextPin {
  /** How many changes of the texts the person has accepted. */
  readonly textChanges: number;
  /** The person lets the texts vary: a model gets the approved ones. */
  readonly varies: boolean;
}

/** A tool as it was approved, or as it was when it came. */
export interface ToolPin extends TextPin {
  readonly tool: PinnedTool;
  readonly print: ToolPrint;
  readonly isNew: boolean;
}

/** The server's `instructions` as they were approved. */
export interface InstructionsPin extends TextPin {
  readonly text: string | undefined;
}

/** What is pinned of one launch of one server in one revision. */
export interface Pins {
  /** By their names; undefined before the first list. */
  readonly tools: ReadonlyMap<string, ToolPin> | undefined;
  readonly instructions: InstructionsPin | undefined;
  /** Something was pinned that cannot be read: then even the first list holds nothing that is known. */
  readonly isLost: boolean;
}

/** How many tools are kept that went before the person approved of them. */
const MAX_GONE = 1_000;

export const noPins: Pins = { tools: undefined, instructions: undefined, isLost: false };

/** What a server shows of itself at one moment. */
export interface Listing {
  /** Each name once; undefined before the first list. */
  readonly tools: ReadonlyMap<string, ListedTool> | undefined;
  readonly instructions: string | undefined;
}

/** What is compared of a tool is as it was pinned, or differs in what was let vary only. */
export function isAsPinned({ print }: ListedTool, pin: ToolPin): boolean {
  return pin.print.whole === print.whole || (pin.varies && pin.print.withoutTexts === print.withoutTexts);
}

/** Whether a changed tool's texts may be let vary: not for its first change. */
export function canToolVary({ print }: ListedTool, pin: ToolPin): boolean {
  return pin.textChanges > 0 && pin.print.withoutTexts === print.withoutTexts;
}

/** By their new names, tools that take the place of one with the same input schema that is gone. */
export function renamesIn(listed: ReadonlyMap<string, ListedTool>, pins: Pins): ReadonlyMap<string, ToolPin> {
  const renames = new Map<string, ToolPin>();
  const gone = [...(pins.tools ?? [])].flatMap(([name, pin]) => (listed.has(name) ? [] : pin));
  const added = [...listed].filter(([name]) => pins.tools && !pins.tools.has(name));
  if (gone.length === 0 || added.length === 0) {
    return renames;
  }
  const taken = new Set<ToolPin>();
  // Those that are the same but for their names first.
  for (const keyOf of [textsKey, schemaKey]) {
    const candidates = Map.groupBy(gone, ({ print, tool }) => keyOf(print, tool));
    for (const [name, { print, pinned }] of added) {
      const fitting = renames.has(name) ? undefined : candidates.get(keyOf(print, pinned));
      for (let pin = fitting?.pop(); pin; pin = fitting?.pop()) {
        if (!taken.has(pin)) {
          taken.add(pin);
          renames.set(name, pin);
          break;
        }
      }
    }
  }
  return renames;
}

function schemaKey({ inputSchema }: ToolPrint): string {
  return inputSchema;
}

function textsKey({ withoutTexts }: ToolPrint, { title, description }: PinnedTool): string {
  return JSON.stringify([withoutTexts, title, description]);
}

/**
 * Pins what is not pinned yet. The first list is known, but for what differs from what the same launch
 * showed in `others`, its other revisions; what comes later is new, and what takes the place of another is
 * held back.
 */
export function withNew(pins: Pins, listing: Listing, others: readonly Pins[] = []): Pins {
  const instructions = pins.instructions ?? firstInstructions(listing, others);
  const shownBefore = others.flatMap(({ tools }) => tools ?? []);
  const differs = ({ pinned, print }: ListedTool): boolean =>
    shownBefore.length > 0 &&
    shownBefore.every((tools) => tools.get(pinned.name)?.print.whole !== print.whole);
  const tools = listing.tools && withNewTools(pins, listing.tools, differs);
  return instructions === pins.instructions && (tools === undefined || tools === pins.tools)
    ? pins
    : { ...pins, instructions, tools: tools ?? pins.tools };
}

/** What was approved in another revision, when it is something else: nothing asks about instructions later. */
function firstInstructions({ instructions: text }: Listing, others: readonly Pins[]): InstructionsPin {
  const approved = others.flatMap(({ instructions }) => instructions ?? []);
  const before = approved.some((one) => one.text === text) ? undefined : approved[0];
  return { text: before ? before.text : text, textChanges: 0, varies: false };
}

function withNewTools(
  pins: Pins,
  listed: ReadonlyMap<string, ListedTool>,
  differs: (one: ListedTool) => boolean,
): ReadonlyMap<string, ToolPin> {
  const { tools: before, isLost } = pins;
  const renames = renamesIn(listed, pins);
  const added = [...listed]
    .filter(([name]) => !before?.has(name) && !renames.has(name))
    .map(([name, one]): [string, ToolPin] => [
      name,
      pinOf(one, before !== undefined || isLost || differs(one)),
    ]);
  if (before && added.length === 0) {
    return before;
  }
  const tools = new Map(before);
  for (const name of forgettable(tools, listed)) {
    tools.delete(name);
  }
  added.forEach(([name, pin]) => tools.set(name, pin));
  return tools;
}

/** A server that lists other names each time fills no disk: what came and went unapproved is forgotten. */
function forgettable(
  tools: ReadonlyMap<string, ToolPin>,
  listed: ReadonlyMap<string, ListedTool>,
): readonly string[] {
  const gone = [...tools].filter(([name, { isNew }]) => isNew && !listed.has(name)).map(([name]) => name);
  return gone.slice(0, Math.max(0, gone.length - MAX_GONE));
}

function pinOf({ pinned, print }: ListedTool, isNew: boolean): ToolPin {
  return { tool: pinned, print, isNew, textChanges: 0, varies: false };
}
