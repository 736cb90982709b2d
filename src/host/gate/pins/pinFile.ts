import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { isRecord } from '../../../base/values/record.ts';
import { Slices } from '../../../base/time/slices.ts';
import { itemKinds, keyOf, type ItemKind, type PinnedItem } from '../../tools/pinnedItem.ts';
import { ItemFingerprint } from './itemFingerprint.ts';
import type { InstructionsPin, ItemPin, Pins } from './pins.ts';
import { HASH_DIGITS } from './resourcePins.ts';

/** The version that this code writes. */
const VERSION = 1;

/** Characters that are written at once. */
const CHUNK = 256 * 1024;

/** The file has another format, or is cut short. */
export class UnreadablePins extends Error {}

/** How many lines of each kind follow; absent before the first list. */
type Counts = { readonly [K in ItemKind | 'resources']?: number };

/** The first line; one for each item and each resource follows. */
interface Head extends Counts {
  readonly version: number;
  readonly instructions?: InstructionsPin;
  readonly isLost: boolean;
}

/** How the line of each kind names its item. */
const fields = { tools: 'tool', prompts: 'prompt', templates: 'template' } as const satisfies Record<
  ItemKind,
  string
>;

type ItemLine = Omit<ItemPin, 'fingerprint' | 'item'> & {
  readonly [F in (typeof fields)[ItemKind]]?: PinnedItem;
};

/** Writes pins, a line for each item, in slices, because there may be thousands. */
export async function writePins(file: FileHandle, pins: Pins): Promise<void> {
  const { resources, instructions, isLost } = pins;
  const slices = new Slices();
  const counted = itemKinds.flatMap((kind) => (pins[kind] ? [[kind, pins[kind].size]] : []));
  const head: Head = {
    version: VERSION,
    ...(Object.fromEntries(counted) as Counts),
    ...(resources && { resources: resources.size }),
    ...(instructions && { instructions }),
    isLost,
  };
  let text = `${JSON.stringify(head)}\n`;
  for (const line of linesFor(pins)) {
    text += `${JSON.stringify(line)}\n`;
    if (text.length > CHUNK) {
      await file.writeFile(text);
      text = '';
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  await file.writeFile(text);
}

/** A resource is one text: the hash of its URI, then that of its texts. */
function* linesFor(pins: Pins): Generator<ItemLine | string> {
  for (const kind of itemKinds) {
    for (const { item, isNew, textChanges, varies } of pins[kind]?.values() ?? []) {
      yield { [fields[kind]]: item, isNew, textChanges, varies };
    }
  }
  for (const [key, hash] of pins.resources ?? []) {
    yield key + hash;
  }
}

/**
 * @throws UnreadablePins when the file has another format; what the file system says when it can't be
 * read.
 */
export async function readPins(path: string): Promise<Pins> {
  const slices = new Slices();
  let head: Head | undefined;
  const items = { tools: new Map(), prompts: new Map(), templates: new Map() } satisfies Record<
    ItemKind,
    Map<string, ItemPin>
  >;
  const resources = new Map<string, string>();
  for await (const line of linesOf(path)) {
    if (!head) {
      head = parsed(line, isHead);
    } else {
      const read = parsed(line, isLine);
      if (typeof read === 'string') {
        resources.set(read.slice(0, HASH_DIGITS), read.slice(HASH_DIGITS));
      } else {
        const [kind, item] = itemIn(read);
        const { isNew, textChanges, varies } = read;
        const fingerprint = new ItemFingerprint(item);
        items[kind].set(keyOf(item), { item, fingerprint, isNew, textChanges, varies });
      }
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  const lists = { ...items, resources };
  const kinds = [...itemKinds, 'resources'] as const;
  if (!head || kinds.some((kind) => lists[kind].size !== (head[kind] ?? 0))) {
    throw new UnreadablePins();
  }
  const { instructions, isLost } = head;
  return {
    ...Object.fromEntries(kinds.flatMap((kind) => (head[kind] === undefined ? [] : [[kind, lists[kind]]]))),
    instructions: instructions && { ...instructions, text: instructions.text },
    isLost,
  };
}

function itemIn(line: ItemLine): readonly [ItemKind, PinnedItem] {
  for (const kind of itemKinds) {
    const item = line[fields[kind]];
    if (item) {
      return [kind, item];
    }
  }
  throw new UnreadablePins();
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest: string[] = [];
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK })) {
    const [first = '', ...lines] = String(chunk).split('\n');
    rest.push(first);
    for (const line of lines) {
      yield rest.join('');
      rest = [line];
    }
  }
  if (rest.join('') !== '') {
    throw new UnreadablePins();
  }
}

function parsed<T>(line: string, isIt: (value: unknown) => value is T): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UnreadablePins();
  }
  if (!isIt(value)) {
    throw new UnreadablePins();
  }
  return value;
}

function isHead(value: unknown): value is Head {
  return (
    isRecord(value) &&
    value['version'] === VERSION &&
    [...itemKinds, 'resources'].every((kind) => value[kind] === undefined || Number.isInteger(value[kind])) &&
    typeof value['isLost'] === 'boolean' &&
    (value['instructions'] === undefined ||
      (isText(value['instructions']) && isTextOrAbsent(value['instructions']['text'])))
  );
}

function isLine(value: unknown): value is ItemLine | string {
  return typeof value === 'string'
    ? value.length === 2 * HASH_DIGITS
    : isText(value) &&
        typeof value['isNew'] === 'boolean' &&
        itemKinds.some((kind) => isPinned(kind, value[fields[kind]]));
}

function isPinned(kind: ItemKind, value: unknown): value is PinnedItem {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    (typeof value['uriTemplate'] === 'string') === (kind === 'templates') &&
    ['title', 'description', 'taskSupport', 'mimeType'].every((field) => isTextOrAbsent(value[field]))
  );
}

function isText(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Number.isInteger(value['textChanges']) && typeof value['varies'] === 'boolean';
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
