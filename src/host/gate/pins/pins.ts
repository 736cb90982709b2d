import type { PinnedTool } from '../../tools/hostTool.ts';
import { ToolFingerprint, type ListedTool } from './toolFingerprint.ts';

/** A text that was approved, and how it has changed since. */
interface TextPin {
  /** How many changes of the texts you have accepted. */
  readonly textChanges: number;
  /** You allow the texts to vary: a model gets the approved ones. */
  readonly varies: boolean;
}

/** A tool as it was approved, or as it was when it came. */
export interface ToolPin extends TextPin {
  readonly tool: PinnedTool;
  readonly fingerprint: ToolFingerprint;
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
  /** Something was pinned that is gone or unreadable: then no tool is known, not even of the first list. */
  readonly isLost: boolean;
  /** False for pins from before `taskSupport` was pinned: the next list tells it. */
  readonly knowsTasks: boolean;
}

/** How many tools are kept that disappeared before you approved them. */
const MAX_GONE = 1_000;

export const noPins: Pins = { tools: undefined, instructions: undefined, isLost: false, knowsTasks: true };

/** Whether nothing was pinned. */
export function isNothing({ tools, instructions, isLost }: Pins): boolean {
  return tools === undefined && instructions === undefined && !isLost;
}

/** What a server lists at one moment. */
export interface Listing {
  /** Each name once; undefined before the first list. */
  readonly tools: ReadonlyMap<string, ListedTool> | undefined;
  readonly instructions: string | undefined;
}

/** Whether a tool is as it was pinned, or differs only in texts that may vary. */
export function isAsPinned({ fingerprint }: ListedTool, pin: ToolPin): boolean {
  return (
    pin.fingerprint.equals(fingerprint) ||
    (pin.varies && pin.fingerprint.withoutTexts === fingerprint.withoutTexts)
  );
}

/** Whether a changed tool's texts can be allowed to vary: not for its first change. */
export function canToolVary({ fingerprint }: ListedTool, pin: ToolPin): boolean {
  return pin.textChanges > 0 && pin.fingerprint.withoutTexts === fingerprint.withoutTexts;
}

/** The tools that are gone, and those that came: none unless there are both, or nothing can have another name. */
function movedTools(
  listed: ReadonlyMap<string, ListedTool>,
  pins: Pins,
): { readonly gone: readonly ToolPin[]; readonly added: readonly (readonly [string, ListedTool])[] } {
  const gone: ToolPin[] = [];
  pins.tools?.forEach((pin, name) => {
    if (!listed.has(name)) {
      gone.push(pin);
    }
  });
  const added = gone.length === 0 ? [] : [...listed].filter(([name]) => !pins.tools?.has(name));
  return added.length === 0 ? { gone: [], added: [] } : { gone, added };
}

/**
 * Computes what `withNew` and the view of a server's tools compare, one tool with each step: there may be thousands.
 * `others` are the pins of other revisions.
 */
export function* warmComparison(
  listed: ReadonlyMap<string, ListedTool>,
  pins: Pins,
  others: readonly Pins[],
): Generator<void, void> {
  for (const { tools } of [pins, ...others]) {
    for (const [name, one] of listed) {
      const pin = tools?.get(name);
      if (pin) {
        isAsPinned(one, pin);
        yield;
      }
    }
  }
  const { gone, added } = movedTools(listed, pins);
  for (const { fingerprint } of [...gone, ...added.map(([, one]) => one)]) {
    textsKey(fingerprint);
    shapeKey(fingerprint);
    yield;
  }
}

/** By their new names, tools that replace one that is gone and has the same parameters. */
export function renamesIn(listed: ReadonlyMap<string, ListedTool>, pins: Pins): ReadonlyMap<string, ToolPin> {
  const renames = new Map<string, ToolPin>();
  const { gone, added } = movedTools(listed, pins);
  const taken = new Set<ToolPin>();
  // First those that differ only in their names.
  for (const keyOf of [textsKey, shapeKey]) {
    const candidates = Map.groupBy(gone, ({ fingerprint }) => keyOf(fingerprint));
    for (const [name, { fingerprint }] of added) {
      const fitting = renames.has(name) ? undefined : candidates.get(keyOf(fingerprint));
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

function shapeKey({ shape }: ToolFingerprint): string {
  return shape;
}

function textsKey({ withoutTexts, tool: { title, description } }: ToolFingerprint): string {
  return JSON.stringify([withoutTexts, title, description]);
}

/**
 * Pins what is not pinned yet. Tools of the first list are known if they equal what the same launch listed in `others`,
 * its other revisions, and nothing is lost; later ones are new, and those that replace another tool are
 * held back.
 */
export function withNew(before: Pins, listing: Listing, others: readonly Pins[] = []): Pins {
  const pins = withTasks(before, listing);
  const elsewhere = others.map((one) => withTasks(one, listing));
  const instructions = pins.instructions ?? firstInstructions(listing, elsewhere, pins.isLost);
  const tools = listing.tools && withNewTools(pins, listing.tools, elsewhere);
  return instructions === pins.instructions && (tools === undefined || tools === pins.tools)
    ? pins
    : { ...pins, instructions, tools: tools ?? pins.tools };
}

/** Pins from before `taskSupport` was pinned, completed from the first list since. */
function withTasks(pins: Pins, listing: Listing): Pins {
  if (pins.knowsTasks || !listing.tools) {
    return pins;
  }
  const tools = new Map(pins.tools);
  for (const [name, { pinned }] of listing.tools) {
    const pin = tools.get(name);
    if (pin && pinned.taskSupport !== undefined) {
      const tool = { ...pin.tool, taskSupport: pinned.taskSupport };
      tools.set(name, { ...pin, tool, fingerprint: new ToolFingerprint(tool) });
    }
  }
  return { ...pins, tools: pins.tools && tools, knowsTasks: true };
}

/** The instructions approved in another revision, if they differ; none where what was approved is lost. */
function firstInstructions(
  { instructions: now }: Listing,
  others: readonly Pins[],
  isLost: boolean,
): InstructionsPin {
  const approved = others.flatMap(({ instructions }) => instructions ?? []);
  const before = approved.find(({ text }) => text === now) ?? approved[0];
  const text = before ? before.text : isLost ? undefined : now;
  return { text, textChanges: 0, varies: false };
}

function withNewTools(
  pins: Pins,
  listed: ReadonlyMap<string, ListedTool>,
  others: readonly Pins[],
): ReadonlyMap<string, ToolPin> {
  const { tools: before, isLost } = pins;
  const shownElsewhere = others.flatMap(({ tools }) => tools ?? []);
  const isFirst = before === undefined && !isLost && shownElsewhere.length === 0;
  const renames = renamesIn(listed, pins);
  const added = [...listed]
    .filter(([name]) => !before?.has(name) && !renames.has(name))
    .map(([name, one]): [string, ToolPin] => [
      name,
      (before ? undefined : pinElsewhere(one, shownElsewhere)) ?? pinOf(one, !isFirst),
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

/** The tool as approved in another revision of the launch: if it differs from that, it has changed. */
function pinElsewhere(
  one: ListedTool,
  shownElsewhere: readonly ReadonlyMap<string, ToolPin>[],
): ToolPin | undefined {
  const approved = shownElsewhere
    .flatMap((tools) => tools.get(one.pinned.name) ?? [])
    .filter(({ isNew }) => !isNew);
  return approved.find((pin) => isAsPinned(one, pin)) ?? approved[0];
}

/** Forgets tools that came and went unapproved, so that a server with ever new names does not fill the disk. */
function forgettable(
  tools: ReadonlyMap<string, ToolPin>,
  listed: ReadonlyMap<string, ListedTool>,
): readonly string[] {
  const gone = [...tools].filter(([name, { isNew }]) => isNew && !listed.has(name)).map(([name]) => name);
  return gone.slice(0, Math.max(0, gone.length - MAX_GONE));
}

function pinOf({ pinned, fingerprint }: ListedTool, isNew: boolean): ToolPin {
  return { tool: pinned, fingerprint, isNew, textChanges: 0, varies: false };
}
