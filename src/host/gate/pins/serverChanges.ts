import type { ServerId } from '../../config/serverDefinition.ts';
import { itemKinds, type ItemKind, type PinnedItem, type Standing } from '../../tools/pinnedItem.ts';
import { ItemFingerprint, type ListedItem } from './itemFingerprint.ts';
import { canVary, type InstructionsPin, type ItemPin, type Listing, type Pins } from './pins.ts';

/** One change of a tool, prompt or resource template that you have seen. */
export interface SeenChange {
  /** See `keyOf`. */
  readonly name: string;
  /** Undefined for an item that came after the launch was approved, or whose pin is lost. */
  readonly before: PinnedItem | undefined;
  readonly now: PinnedItem;
  readonly renamedFrom?: string;
  /** True from the second change of its texts, if everything else is unchanged. */
  readonly canVary: boolean;
}

/** A resource whose texts have changed: what they were is not kept. */
export interface ChangedResource {
  readonly uri: string;
  readonly key: string;
  readonly before: string;
  readonly now: string;
  readonly texts: {
    readonly name: string;
    readonly title?: string | undefined;
    readonly description?: string | undefined;
    readonly mimeType?: string | undefined;
  };
}

/** What has changed of one server since it was approved. */
export interface ServerChanges {
  readonly serverId: ServerId;
  /** What was approved is lost: then everything that the server lists is new. */
  readonly isLost?: boolean;
  /** What is held back; absent, nothing. */
  readonly tools: readonly SeenChange[];
  readonly prompts?: readonly SeenChange[];
  readonly templates?: readonly SeenChange[];
  /** Of these, models get the URI alone. */
  readonly resources?: readonly ChangedResource[];
  /** The server's `instructions`, when they have changed. */
  readonly instructions?: {
    readonly before: string | undefined;
    readonly now: string | undefined;
    readonly canVary: boolean;
  };
}

/** The changes of one list: how each of its items stands to what is pinned. */
export function changesOf(
  standings: Iterable<readonly [key: string, standing: Standing]>,
  listed: ReadonlyMap<string, ListedItem> | undefined,
  pins: ReadonlyMap<string, ItemPin> | undefined,
): readonly SeenChange[] {
  return [...standings].flatMap(([name, standing]) => {
    const now = listed?.get(name);
    if ((standing.kind !== 'changed' && standing.kind !== 'added') || !now) {
      return [];
    }
    const { before, renamedFrom } = standing.kind === 'changed' ? standing : { before: undefined };
    const pin = pins?.get(name);
    return {
      name,
      before,
      now: now.pinned,
      ...(renamedFrom !== undefined && { renamedFrom }),
      canVary: before !== undefined && pin !== undefined && canVary(now, pin),
    };
  });
}

/** All changes of a server, with those of its instructions; undefined when nothing has changed. */
export function allChanges(
  serverId: ServerId,
  lists: Pick<ServerChanges, ItemKind | 'resources'>,
  { instructions: now }: Listing,
  { instructions: pin, isLost }: Pins,
): ServerChanges | undefined {
  const { tools, prompts, templates, resources } = lists;
  const instructions =
    pin && !pin.varies && pin.text !== now
      ? { before: pin.text, now, canVary: pin.textChanges > 0 }
      : undefined;
  return [tools, prompts, templates, resources].every((list) => !list?.length) && !instructions
    ? undefined
    : {
        serverId,
        ...(isLost && { isLost: true }),
        tools,
        ...(prompts?.length && { prompts }),
        ...(templates?.length && { templates }),
        ...(resources?.length && { resources }),
        ...(instructions && { instructions }),
      };
}

/**
 * Makes what was shown the approved state. A pin that is no longer as it was shown
 * stays; so does an item that has changed again, as `isStill` says.
 */
export function withAccepted(
  pins: Pins,
  shown: ServerChanges,
  isStill: (kind: ItemKind, change: SeenChange) => boolean,
): Pins {
  const lists = changedLists(pins, (kind, items) => {
    for (const change of shown[kind] ?? []) {
      const from = change.renamedFrom ?? change.name;
      const pin = items.get(from);
      if (pin && isAbout(pin, change) && isStill(kind, change)) {
        items.delete(from);
        items.set(change.name, acceptedPin(pin, change));
      }
    }
    if (pins.isLost) {
      forgetOthers(items, shown[kind] ?? []);
    }
  });
  const isAllKnown =
    pins.tools !== undefined &&
    itemKinds.every((kind) => [...(lists[kind]?.values() ?? [])].every(({ isNew }) => !isNew));
  const accepted = { ...pins, ...lists, isLost: pins.isLost && !isAllKnown };
  return withResources(withInstructions(accepted, shown, acceptedText), shown);
}

/** Copies the lists, changed. */
function changedLists(
  pins: Pins,
  change: (kind: ItemKind, items: Map<string, ItemPin>) => void,
): Pick<Pins, ItemKind> {
  const lists: { [K in ItemKind]?: Map<string, ItemPin> } = {};
  for (const kind of itemKinds) {
    if (pins[kind]) {
      change(kind, (lists[kind] = new Map(pins[kind])));
    }
  }
  return lists;
}

function acceptedText(pin: InstructionsPin, now: string | undefined): InstructionsPin {
  return { ...pin, text: now, textChanges: pin.textChanges + 1 };
}

function withResources(pins: Pins, { resources: shown = [] }: ServerChanges): Pins {
  const seen = shown.filter(({ key, before }) => pins.resources?.get(key) === before);
  const hashes = seen.map(({ key, now }) => [key, now] as const);
  return seen.length === 0 ? pins : { ...pins, resources: new Map([...(pins.resources ?? []), ...hashes]) };
}

/** An item that was not shown, because it is gone or came since, is new when it is listed again, and no longer lost. */
function forgetOthers(items: Map<string, ItemPin>, shown: readonly SeenChange[]): void {
  const names = new Set(shown.map(({ name }) => name));
  for (const [name, { isNew }] of items) {
    if (isNew && !names.has(name)) {
      items.delete(name);
    }
  }
}

/** Allows the texts of what was shown to vary from then on, where they can. */
export function withVarying(pins: Pins, shown: ServerChanges): Pins {
  const lists = changedLists(pins, (kind, items) => {
    for (const change of shown[kind] ?? []) {
      const pin = items.get(change.name);
      if (pin && change.canVary && isAbout(pin, change)) {
        items.set(change.name, { ...pin, varies: true });
      }
    }
  });
  return withInstructions({ ...pins, ...lists }, shown, (pin) =>
    shown.instructions?.canVary ? { ...pin, varies: true } : pin,
  );
}

/** Makes new tools that were offered known, unless pins are lost. */
export function withAcknowledged(pins: Pins, names: readonly string[]): Pins {
  if (pins.isLost) {
    return pins;
  }
  const fresh = names.flatMap((name) => {
    const pin = pins.tools?.get(name);
    return pin?.isNew ? [[name, { ...pin, isNew: false }] as const] : [];
  });
  return fresh.length === 0 ? pins : { ...pins, tools: new Map([...(pins.tools ?? []), ...fresh]) };
}

function isAbout(pin: ItemPin, { before }: SeenChange): boolean {
  return before ? pin.fingerprint.equals(new ItemFingerprint(before)) : pin.isNew;
}

function acceptedPin(pin: ItemPin, { now }: SeenChange): ItemPin {
  const haveTextsChanged =
    !pin.isNew && (now.title !== pin.item.title || now.description !== pin.item.description);
  return {
    ...pin,
    item: now,
    fingerprint: new ItemFingerprint(now),
    isNew: false,
    textChanges: pin.textChanges + (haveTextsChanged ? 1 : 0),
  };
}

function withInstructions(
  pins: Pins,
  { instructions: change }: ServerChanges,
  make: (pin: InstructionsPin, now: string | undefined) => InstructionsPin,
): Pins {
  const pin = pins.instructions;
  return pin && change && pin.text === change.before
    ? { ...pins, instructions: make(pin, change.now) }
    : pins;
}
