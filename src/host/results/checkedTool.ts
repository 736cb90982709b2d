import { isRecord } from '../../base/values/record.ts';
import { checkedAs, type Checked, type SpecSchemas } from './faults.ts';

/**
 * As `checkedAs` for a tool, in a third of the time: the SDK tries six kinds of values for each value in the properties of
 * an input schema, although JSON has no others.
 */
export function checkedTool(schemas: SpecSchemas, tool: unknown): Checked {
  const inputSchema = isRecord(tool) ? tool['inputSchema'] : undefined;
  const properties = isRecord(inputSchema) ? inputSchema['properties'] : undefined;
  if (!isRecord(tool) || !isRecord(inputSchema) || !isRecord(properties) || !areKept(properties)) {
    return checkedAs(schemas, 'Tool', tool);
  }
  const checked = checkedAs(schemas, 'Tool', { ...tool, inputSchema: { ...inputSchema, properties: {} } });
  if ('fault' in checked || !isRecord(checked.value) || !isRecord(checked.value['inputSchema'])) {
    return checked;
  }
  const { value } = checked;
  return { value: { ...value, inputSchema: { ...checked.value['inputSchema'], properties } } };
}

/** Whether the SDK takes a value of JSON as it is: it refuses numbers that are too large, and leaves out `__proto__`. */
function areKept(value: unknown): boolean {
  if (typeof value === 'number') {
    return Number.isFinite(value);
  }
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  if (Array.isArray(value)) {
    return value.every(areKept);
  }
  for (const name in value) {
    if (name === '__proto__' || !areKept((value as Readonly<Record<string, unknown>>)[name])) {
      return false;
    }
  }
  return true;
}
