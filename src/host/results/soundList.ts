import { isRecord } from '../../base/values/record.ts';
import { ownText } from '../../base/text/ownText.ts';
import { cutTo } from '../../base/text/words.ts';
import { entryTexts, listBounds, textBounds } from '../json/bounds.ts';
import { faultClause, textFault } from '../json/textFault.ts';
import type { ProtocolEra } from '../state/connectionState.ts';
import { textAt, type Schema } from '../schemas/jsonSchema.ts';
import { checkedAs, deepFault, type Checked, type SpecSchemas, type SpecType } from './faults.ts';
import { checkedTool } from './checkedTool.ts';
import { headerFault } from './headerFault.ts';
import type { MalformedItem, SoundEntry, SoundPage } from './soundPage.ts';
import { readAsMeant } from './readAsMeant.ts';
import {
  asClause,
  bytesOf,
  excessOf,
  isOver,
  MAX_DEPTH,
  weightOf,
  workOf,
  type Weight,
} from '../json/weight.ts';

/** What decides about the items of a connection's lists. */
export interface ListRules {
  readonly schemas: SpecSchemas;
  readonly era: ProtocolEra;
  /** Whether requests are sent with HTTP headers. */
  readonly isHttp: boolean;
}

/** The four lists, by method: the member with their items, and the types of these and of a page. */
export const lists = {
  'tools/list': { field: 'tools', item: 'Tool', type: 'ListToolsResult' },
  'prompts/list': { field: 'prompts', item: 'Prompt', type: 'ListPromptsResult' },
  'resources/list': { field: 'resources', item: 'Resource', type: 'ListResourcesResult' },
  'resources/templates/list': {
    field: 'resourceTemplates',
    item: 'ResourceTemplate',
    type: 'ListResourceTemplatesResult',
  },
} as const;

export type ListMethod = keyof typeof lists;

/** Characters of the name of an item that is left out. */
const MAX_NAME = 1_000;
const entryMost = { values: listBounds.entryValues, characters: listBounds.entryBytes / 2 } as const;

/** A page of a list with those of its items that can be used. Yields after each item. Undefined without a list. */
export function* soundList(
  rules: ListRules,
  method: ListMethod,
  page: Schema,
): Generator<number, SoundPage | undefined> {
  const { field, item: type } = lists[method];
  const items: unknown = page[field] ?? [];
  if (!Array.isArray(items)) {
    return undefined;
  }
  const entries: SoundEntry[] = [];
  const malformed: MalformedItem[] = [];
  for (let index = 0; index < Math.min(items.length, listBounds.entries); index += 1) {
    const item: unknown = items[index];
    const weight = weightOf(item, entryMost);
    yield workOf(weight, entryMost);
    const excess = isOver(weight, entryMost) ? asClause(excessOf(item, entryMost)) : undefined;
    let checked: Checked = excess === undefined ? checkedItem(rules, type, item, weight) : { fault: excess };
    let note: string | undefined;
    if ('fault' in checked && excess === undefined && type === 'Tool') {
      const read = readAsMeant(item);
      const meant = read && checkedItem(rules, type, read.tool, weightOf(read.tool, entryMost));
      if (meant && 'value' in meant) {
        [checked, note] = [meant, read.note];
      }
    }
    if ('value' in checked) {
      entries.push({ item: checked.value, place: index + 1, bytes: bytesOf(weight), note });
    } else if (malformed.length < listBounds.leftOut) {
      malformed.push({ name: nameOf(item), place: index + 1, reason: ownText(checked.fault) });
    }
  }
  const { nextCursor, ttlMs } = page;
  const isText = typeof nextCursor === 'string' && nextCursor.length <= textBounds.cursor;
  return {
    count: items.length,
    entries,
    malformed,
    ...(isText && { nextCursor }),
    ttlMs,
    cut: cursorFault(nextCursor),
  };
}

function checkedItem(rules: ListRules, type: SpecType, item: unknown, weight: Weight): Checked {
  // Each level is a value, and each text has characters: what is light enough needs no look for them.
  const tooDeep = weight.values > MAX_DEPTH ? deepFault(item) : undefined;
  if (tooDeep !== undefined) {
    return { fault: tooDeep };
  }
  const checked = type === 'Tool' ? checkedTool(rules.schemas, item) : checkedAs(rules.schemas, type, item);
  if ('fault' in checked) {
    return checked;
  }
  const fault =
    (weight.characters > textBounds.name ? longText(item) : undefined) ??
    (type === 'Tool' ? toolFault(rules, item as Schema) : undefined);
  if (fault !== undefined) {
    return { fault };
  }
  return type === 'Tool' && rules.era === 'modern' ? withoutExecution(checked) : checked;
}

/** Which text is too long, as a clause; the item is not nested too deeply. */
function longText(item: unknown): string | undefined {
  const fault = textFault(item, entryTexts);
  return fault && faultClause(fault);
}

function cursorFault(cursor: unknown): string | undefined {
  if (cursor === undefined) {
    return undefined;
  }
  if (typeof cursor !== 'string') {
    return 'the cursor of the next page is not a string';
  }
  return cursor.length > textBounds.cursor ? 'the cursor of the next page is too long' : undefined;
}

/** Since 2026-07-28, a tool doesn't say whether it runs as a task. */
function withoutExecution(checked: Checked): Checked {
  if (!('value' in checked) || !isRecord(checked.value)) {
    return checked;
  }
  const { execution: _, ...value } = checked.value;
  return { value };
}

/** What the SDK requires of a tool beyond its type: each era has its own schema. */
function toolFault({ schemas, era, isHttp }: ListRules, tool: Schema): string | undefined {
  const { inputSchema, outputSchema } = tool;
  if (era === 'legacy') {
    // Until 2025-11-25 an output schema needed the form of an input schema.
    const checked =
      outputSchema === undefined ? undefined : checkedTool(schemas, { name: '', inputSchema: outputSchema });
    return checked && 'fault' in checked ? checked.fault.replace('`inputSchema', '`outputSchema') : undefined;
  }
  const dialect = isRecord(inputSchema) ? inputSchema['$schema'] : undefined;
  if (dialect !== undefined && typeof dialect !== 'string') {
    return '`inputSchema.$schema` must be a string';
  }
  return isHttp ? headerFault(inputSchema) : undefined;
}

function nameOf(item: unknown): string | undefined {
  if (!isRecord(item)) {
    return undefined;
  }
  return ['name', 'title', 'uri', 'uriTemplate']
    .map((field) => cutName(textAt(item, field)))
    .filter((text) => text !== undefined)
    .map(ownText)
    .find((text) => text.trim() !== '');
}

function cutName(name: string | undefined): string | undefined {
  return name && cutTo(name, MAX_NAME);
}
