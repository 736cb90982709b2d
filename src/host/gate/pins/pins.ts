import { itemKinds, type ItemKind, type PinnedItem } from '../../tools/pinnedItem.ts';
import type { ItemFingerprint, ListedItem } from './itemFingerprint.ts';
import { withNewResources, type ResourceHashes } from './resourcePins.ts';

/** A text that was approved, and how it has changed since. */
interface TextPin {
  /** How many changes of the texts you have accepted. */
  readonly textChanges: number;
  /** You allow the texts to vary: a model gets the approved ones. */
  readonly varies: boolean;
}

/** A tool, prompt or resource template as it was approved, or as it was when it came. */
export interface ItemPin extends TextPin {
  readonly item: PinnedItem;
  readonly fingerprint: ItemFingerprint;
  readonly isNew: boolean;
}

/** The server's `instructions` as they were approved. */
export interface InstructionsPin extends TextPin {
  readonly text: string | undefined;
}

/** The lists of a server by their kinds, each by the `keyOf` its items; undefined before the first list. */
type Lists<T> = { readonly [K in ItemKind]?: ReadonlyMap<string, T> | undefined };

/** What is pinned of one launch of one server in one revision. */
export interface Pins extends Lists<ItemPin> {
  /** Undefined before the first list. */
  readonly resources?: ResourceHashes | undefined;
  readonly instructions: InstructionsPin | undefined;
  /** Something was pinned that is gone or unreadable: then nothing is known, not even of the first list. */
  readonly isLost: boolean;
}

/** How many items of a list are kept that disappeared before you approved them. */
const MAX_GONE = 1_000;

export const noPins: Pins = { instructions: undefined, isLost: false };

/** Whether nothing was pinned. */
export function hasNoPins({ tools, instructions, isLost }: Pins): boolean {
  return tools === undefined && instructions === undefined && !isLost;
}

/** What a server lists at one moment. */
export interface Listing extends Lists<ListedItem> {
  /** Undefined before the first list. */
  readonly resources?: ResourceHashes | undefined;
  readonly instructions: string | undefined;
}

/** Whether an item is as it was pinned, or differs only in texts that may vary. */
export function isAsPinned({ fingerprint }: ListedItem, pin: ItemPin): boolean {
  return (
    pin.fingerprint.equals(fingerprint) ||
    (pin.varies && pin.fingerprint.withoutTexts === fingerprint.withoutTexts)
  );
}

/** Whether a changed item's texts can be allowed to vary: not for its first change. */
export function canVary({ fingerprint }: ListedItem, pin: ItemPin): boolean {
  return pin.textChanges > 0 && pin.fingerprint.withoutTexts === fingerprint.withoutTexts;
}

/** The tools that are gone, and those that came: none unless there are both, or nothing can have another name. */
function movedTools(
  listed: ReadonlyMap<string, ListedItem>,
  pins: Pins,
): { readonly gone: readonly ItemPin[]; readonly added: readonly (readonly [string, ListedItem])[] } {
  const gone: ItemPin[] = [];
  pins.tools?.forEach((pin, name) => {
    if (!listed.has(name)) {
      gone.push(pin);
    }
  });
  const added = gone.length === 0 ? [] : [...listed].filter(([name]) => !pins.tools?.has(name));
  return added.length === 0 ? { gone: [], added: [] } : { gone, added };
}

/**
 * Computes what `withNew` and the view of a server's lists compare, one item with each step: there may be thousands.
 * `others` are the pins of other revisions.
 */
export function* warmComparison(
  listing: Listing,
  pins: Pins,
  others: readonly Pins[],
): Generator<void, void> {
  for (const kind of itemKinds) {
    for (const { [kind]: pinned } of [pins, ...others]) {
      for (const [key, one] of listing[kind] ?? []) {
        const pin = pinned?.get(key);
        if (pin) {
          isAsPinned(one, pin);
          yield;
        }
      }
    }
  }
  const { gone, added } = movedTools(listing.tools ?? new Map(), pins);
  for (const { fingerprint } of [...gone, ...added.map(([, one]) => one)]) {
    textsKey(fingerprint);
    shapeKey(fingerprint);
    yield;
  }
}

/** By their new names, tools that replace one that is gone and has the same parameters. */
export function renamesIn(listed: ReadonlyMap<string, ListedItem>, pins: Pins): ReadonlyMap<string, ItemPin> {
  const renames = new Map<string, ItemPin>();
  const { gone, added } = movedTools(listed, pins);
  const taken = new Set<ItemPin>();
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

function shapeKey({ shape }: ItemFingerprint): string {
  return shape;
}

function textsKey({ withoutTexts, item: { title, description } }: ItemFingerprint): string {
  return JSON.stringify([withoutTexts, title, description]);
}

/**
 * Pins what is not pinned yet. Items of the first list are known if they equal what the same launch listed in `others`,
 * its other revisions, and nothing is lost; later ones are new, and those that replace another tool are
 * held back.
 */
export function withNew(pins: Pins, listing: Listing, others: readonly Pins[] = []): Pins {
  const now: Partial<Pins> = {
    instructions: pins.instructions ?? firstInstructions(listing, others, pins.isLost),
    ...Object.fromEntries(itemKinds.map((kind) => [kind, withNewItems(kind, pins, listing, others)])),
    resources: withNewResources(
      pins.resources,
      listing.resources,
      others.map(({ resources }) => resources),
    ),
  };
  const added = (Object.keys(now) as (keyof Pins)[]).filter((part) => now[part] !== pins[part]);
  return added.length === 0
    ? pins
    : { ...pins, ...Object.fromEntries(added.map((part) => [part, now[part]])) };
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

function withNewItems(
  kind: ItemKind,
  pins: Pins,
  listing: Listing,
  others: readonly Pins[],
): ReadonlyMap<string, ItemPin> | undefined {
  const { [kind]: before, isLost } = pins;
  const listed = listing[kind];
  if (!listed) {
    return before;
  }
  const shownElsewhere = others.flatMap(({ [kind]: items }) => items ?? []);
  const isFirst = before === undefined && !isLost && shownElsewhere.length === 0;
  const renames = kind === 'tools' ? renamesIn(listed, pins) : undefined;
  const added = [...listed]
    .filter(([key]) => !before?.has(key) && !renames?.has(key))
    .map(([key, one]): [string, ItemPin] => [
      key,
      (before ? undefined : pinElsewhere(key, one, shownElsewhere)) ?? pinOf(one, !isFirst),
    ]);
  if (before && added.length === 0) {
    return before;
  }
  const items = new Map(before);
  for (const key of forgettable(items, listed)) {
    items.delete(key);
  }
  added.forEach(([key, pin]) => items.set(key, pin));
  return items;
}

/** The item as approved in another revision of the launch: if it differs from that, it has changed. */
function pinElsewhere(
  key: string,
  one: ListedItem,
  shownElsewhere: readonly ReadonlyMap<string, ItemPin>[],
): ItemPin | undefined {
  const approved = shownElsewhere.flatMap((items) => items.get(key) ?? []).filter(({ isNew }) => !isNew);
  return approved.find((pin) => isAsPinned(one, pin)) ?? approved[0];
}

/** Forgets items that came and went unapproved, so that a server with ever new names does not fill the disk. */
function forgettable(
  items: ReadonlyMap<string, ItemPin>,
  listed: ReadonlyMap<string, ListedItem>,
): readonly string[] {
  const gone = [...items].filter(([key, { isNew }]) => isNew && !listed.has(key)).map(([key]) => key);
  return gone.slice(0, Math.max(0, gone.length - MAX_GONE));
}

function pinOf({ pinned, fingerprint }: ListedItem, isNew: boolean): ItemPin {
  return { item: pinned, fingerprint, isNew, textChanges: 0, varies: false };
}
