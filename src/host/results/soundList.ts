import type { ProtocolEra } from '../connection/connectionState.ts';
import { isRecord, textAt, type Schema } from '../tools/jsonSchema.ts';
import { faultOf, type SpecSchemas } from './faults.ts';
import { headerFault } from './headerFault.ts';
import { ListFaults, type MalformedItem } from './listFaults.ts';

/** Items of one list that are kept; more than that no view, model or person has a use for. */
export const MAX_ITEMS = 100_000;

/** What decides about the items of a connection's lists. */
export interface ListRules {
  readonly schemas: SpecSchemas;
  readonly era: ProtocolEra;
  /** Whether requests are sent with HTTP headers. */
  readonly isHttp: boolean;
}

/** The four lists, by method: where their items stand, and what each has to be. */
export const lists = {
  'tools/list': { field: 'tools', type: 'Tool' },
  'prompts/list': { field: 'prompts', type: 'Prompt' },
  'resources/list': { field: 'resources', type: 'Resource' },
  'resources/templates/list': { field: 'resourceTemplates', type: 'ResourceTemplate' },
} as const;

export type ListMethod = keyof typeof lists;

/** A page of a list with those of its items that the SDK accepts; it says in its `_meta` what is left out. */
export function soundList(rules: ListRules, method: ListMethod, page: Schema): Schema {
  const { field, type } = lists[method];
  const items: unknown = page[field] ?? [];
  if (!Array.isArray(items)) {
    return page;
  }
  const sound: unknown[] = [];
  const malformed: MalformedItem[] = [];
  for (const [index, item] of items.slice(0, MAX_ITEMS).entries()) {
    const fault =
      faultOf(rules.schemas, type, item) ?? (type === 'Tool' ? toolFault(rules, item as Schema) : undefined);
    if (fault === undefined) {
      sound.push(item);
    } else {
      malformed.push({ name: nameOf(item), place: index + 1, reason: fault });
    }
  }
  const { nextCursor, _meta, ...rest } = page;
  const isText = typeof nextCursor === 'string';
  const cut = isText || nextCursor === undefined ? undefined : 'the cursor of the next page is no text';
  const faults = new ListFaults(items.length, malformed, cut);
  return {
    ...rest,
    [field]: sound,
    ...(isText && { nextCursor }),
    _meta: { ...(isRecord(_meta) ? _meta : {}), ...faults.meta },
  };
}

/** What the SDK asks of a tool beyond its type: each era has a schema of its own. */
function toolFault({ schemas, era, isHttp }: ListRules, tool: Schema): string | undefined {
  const { inputSchema, outputSchema } = tool;
  if (era === 'legacy') {
    // Until 2025-11-25 an output schema was bound to the shape of an input schema.
    return outputSchema === undefined
      ? undefined
      : faultOf(schemas, 'Tool', { name: '', inputSchema: outputSchema })?.replace(
          '`inputSchema',
          '`outputSchema',
        );
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
    .map((field) => textAt(item, field)?.slice(0, 1_000))
    .find((text) => text !== undefined && text.trim() !== '');
}
