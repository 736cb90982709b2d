import type { UnknownRecord } from '../../../src/base/values/record.ts';
import type { FormField } from '../../../src/form/formField.ts';
import { outlineOf } from '../../../src/host/forms/formOf.ts';

/** What a person would fill in where the form for a tool's arguments wants something. */
export function wantedArguments(inputSchema: unknown): UnknownRecord {
  const outline = outlineOf(inputSchema);
  return outline.kind === 'object' ? wantedIn(outline.fields) : {};
}

function wantedIn(fields: readonly FormField[]): UnknownRecord {
  const required = fields.filter(({ isRequired }) => isRequired);
  return Object.fromEntries(required.map((field) => [field.name, wantedBy(field)]));
}

function wantedBy(field: FormField): unknown {
  switch (field.kind) {
    case 'text':
      return 'text';
    case 'number':
      return field.minimum ?? 1;
    case 'boolean':
      return true;
    case 'choice':
      return field.choices[0]?.value;
    case 'choices':
      return [];
    case 'const':
      return field.value;
    case 'list':
      return [wantedBy(field.item)];
    case 'object':
      return wantedIn(field.fields);
    case 'alternatives':
      return field.options[0] && wantedBy(field.options[0]);
    case 'json':
      return { object: {}, array: [], any: null }[field.accepts];
  }
}
