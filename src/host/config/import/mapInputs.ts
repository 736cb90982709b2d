import { isRecord } from '../../../base/values/record.ts';
import { bracedParts } from '../braces.ts';
import { inputFields, inputOption } from '../fields.ts';
import { readFields } from '../fieldTypes.ts';
import type { InputDeclaration, WrittenLaunch } from '../serverDefinition.ts';
import { expandableTexts } from '../variables.ts';

const input = 'input:';

function isInput(inside: string): boolean {
  return inside.startsWith(input) && inside.length > input.length;
}

/** Declarations for the inputs that a launch refers to. One that is missing or of an unknown type becomes a text. */
export function inputsFor(
  launch: WrittenLaunch,
  declared: readonly unknown[],
  notes: string[],
): readonly InputDeclaration[] {
  const ids = new Set(
    expandableTexts(launch).flatMap(({ text }) =>
      bracedParts(text).flatMap(({ inside = '' }) => (isInput(inside) ? [inside.slice(input.length)] : [])),
    ),
  );
  return [...ids].map((id) => {
    const found = declared.find((one) => isRecord(one) && one['id'] === id);
    return declarationOf(id, isRecord(found) ? found : undefined, notes);
  });
}

function declarationOf(
  id: string,
  value: Readonly<Record<string, unknown>> | undefined,
  notes: string[],
): InputDeclaration {
  if (!value) {
    notes.push(`The input '${id}' is not declared: you enter it as a password.`);
    return { type: 'promptString', id, password: true };
  }
  const { type, options } = value;
  const { password, ...rest } = readFields(inputFields.promptString, value, () => undefined);
  if (type === 'pickString' && Array.isArray(options)) {
    return { ...rest, type, id, options: options.map(inputOption).filter((option) => option !== undefined) };
  }
  if (type !== 'promptString') {
    notes.push(`The input '${id}' is of the type "${String(type)}": you enter it as text.`);
  }
  return { ...rest, type: 'promptString', id, password };
}
