import type { Prompt, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { canonicalJson, isNestedTooDeep } from '../../../base/values/canonicalJson.ts';
import { picked } from '../../../base/values/record.ts';
import { sameJson } from '../../../base/values/sameJson.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import { schemaText, shapeText, withoutComments } from './comparedSchema.ts';
import type { ItemKind, PinnedItem, PinnedTool } from '../../tools/pinnedItem.ts';

/**
 * Identifies one state of an item, as a whole and in parts. Hashes are computed when they are asked for: of an item that
 * is listed as it is pinned, which most are, nobody needs them.
 */
export class ItemFingerprint {
  readonly item: PinnedItem;
  /** The same object for items that were found equal. */
  #state = {};
  #whole: string | undefined;
  #withoutTexts: string | undefined;
  #shape: string | undefined;

  /** The item must not change. @throws RangeError when it is nested too deeply to be compared. */
  constructor(item: PinnedItem) {
    if (isNestedTooDeep(item)) {
      throw new RangeError('an item is nested too deep');
    }
    this.item = item;
  }

  get whole(): string {
    const { name, title, description } = this.item;
    this.#whole ??= sha256(JSON.stringify([name, title ?? null, description ?? null, this.withoutTexts]));
    return this.#whole;
  }

  /** Without the title and the description, which can be allowed to vary. */
  get withoutTexts(): string {
    this.#withoutTexts ??= sha256(textWithoutTexts(this.item));
    return this.#withoutTexts;
  }

  /** Of a tool's parameters without their descriptions: identifies a renamed tool. */
  get shape(): string {
    this.#shape ??= 'inputSchema' in this.item ? sha256(shapeText(this.item.inputSchema)) : this.whole;
    return this.#shape;
  }

  /** Whether `whole` is the same. Items with the same content have the same, which takes no hash to find out. */
  equals(other: ItemFingerprint): boolean {
    if (this.#state === other.#state) {
      return true;
    }
    if (!sameJson(this.item, other.item) && this.whole !== other.whole) {
      return false;
    }
    this.#state = other.#state;
    return true;
  }
}

function textWithoutTexts(item: PinnedItem): string {
  if ('inputSchema' in item) {
    const { inputSchema, outputSchema, annotations, taskSupport } = item;
    return JSON.stringify([
      schemaText(inputSchema),
      schemaText(outputSchema),
      canonicalJson(annotations),
      ...(taskSupport === undefined ? [] : [taskSupport]),
    ]);
  }
  const { name: _name, title: _title, description: _description, ...rest } = item;
  return canonicalJson(rest);
}

/** An item as a server lists it, by its kind. */
export interface ServerItems {
  readonly tools: Tool;
  readonly prompts: Prompt;
  readonly templates: ResourceTemplateType;
}

/** An item that a server lists, ready to be compared. */
export interface ListedItem {
  readonly pinned: PinnedItem;
  readonly fingerprint: ItemFingerprint;
}

/**
 * What of a tool is pinned: everything that a model reads, and everything by which it is called. How it can run as a
 * task is part of that. Its icons are not: only people see them, and only those that came with the list. `_meta` is not:
 * no caller gets it.
 */
function pinnedTool(tool: Tool): PinnedTool {
  const { inputSchema, outputSchema, execution: { taskSupport = 'forbidden' } = {} } = tool;
  return {
    ...picked(tool, 'name', 'title', 'description'),
    inputSchema: withoutComments(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: withoutComments(outputSchema) }),
    ...picked(tool, 'annotations'),
    ...(taskSupport !== 'forbidden' && { taskSupport }),
  };
}

const pinnedOf: { readonly [K in ItemKind]: (item: ServerItems[K]) => PinnedItem } = {
  tools: pinnedTool,
  // Their icons and `_meta` are not pinned either.
  prompts: (prompt) => picked(prompt, 'name', 'title', 'description', 'arguments'),
  templates: (template) => picked(template, 'uriTemplate', 'name', 'title', 'description', 'mimeType'),
};

/** By the item's object, which does not change. */
const listed = new WeakMap<object, ListedItem | 'unfit'>();

/** Undefined for an item that can't be compared: it stays `unseen`. */
export function listedItem<K extends ItemKind>(kind: K, item: ServerItems[K]): ListedItem | undefined {
  let known = listed.get(item);
  if (!known) {
    try {
      const pinned = pinnedOf[kind](item);
      known = { pinned, fingerprint: new ItemFingerprint(pinned) };
    } catch (error) {
      if (!(error instanceof RangeError)) {
        throw error;
      }
      known = 'unfit';
    }
    listed.set(item, known);
  }
  return known === 'unfit' ? undefined : known;
}
