import { isRecord } from '../../../base/record.ts';
import type { InputDeclaration } from '../serverDefinition.ts';

/** The declarations of the inputs that these texts refer to; what is missing or unknown is asked for as text. */
export function inputsFor(
  texts: readonly string[],
  declared: readonly unknown[],
  notes: string[],
): readonly InputDeclaration[] {
  const ids = new Set(
    texts.flatMap((text) => [...text.matchAll(/\$\{input:([^}]+)\}/g)].map(([, id]) => id ?? '')),
  );
  return [...ids].map((id) => {
    const found = declared.find((one) => isRecord(one) && one['id'] === id);
    return declarationOf(id, isRecord(found) ? found : undefined, notes);
  });
}

function declarationOf(
  id: string,
  value: Record<string, unknown> | undefined,
  notes: string[],
): InputDeclaration {
  if (!value) {
    notes.push(`The input '${id}' is not declared: it will be asked for as a password.`);
    return { type: 'promptString', id, password: true };
  }
  const { description, default: preset } = value;
  const common = {
    id,
    ...(typeof description === 'string' && { description }),
    ...(typeof preset === 'string' && { default: preset }),
  };
  const options: unknown = value['options'];
  if (value['type'] === 'pickString' && Array.isArray(options)) {
    return { type: 'pickString', ...common, options: options.flatMap(optionOf) };
  }
  if (value['type'] !== 'promptString') {
    notes.push(`The input '${id}' is of the type "${String(value['type'])}": it will be asked for as text.`);
  }
  return { type: 'promptString', ...common, password: value['password'] === true };
}

function optionOf(option: unknown): readonly { readonly label: string; readonly value: string }[] {
  if (typeof option === 'string') {
    return [{ label: option, value: option }];
  }
  if (isRecord(option) && typeof option['value'] === 'string') {
    const { label, value } = option;
    return [{ label: typeof label === 'string' ? label : value, value }];
  }
  return [];
}
