import { isRecord, type UnknownRecord } from '../../../src/base/values/record.ts';
import { sampleOf } from '../../../src/form/fieldKinds.ts';
import { outlineOf } from '../../../src/host/forms/formOf.ts';

/** What a person would fill in where the form for a tool's arguments wants something. */
export function wantedArguments(inputSchema: unknown): UnknownRecord {
  const sample = sampleOf(outlineOf(inputSchema));
  return isRecord(sample) ? sample : {};
}
