import { isRecord } from '../../base/record.ts';
import { definitionBounds } from '../errors/bounds.ts';
import { ProblemList } from './problemList.ts';
import type { DefinitionOrigin, DefinitionProblem, InputDeclaration } from './serverDefinition.ts';

/** What one layer declares, by id, and what is wrong with it. */
export interface InputsReading {
  readonly inputs: ReadonlyMap<string, InputDeclaration>;
  readonly problems: readonly DefinitionProblem[];
}

/**
 * Reads the inputs of one layer. What is wrong with a declaration is a warning: it keeps from starting only
 * the servers that refer to it, and they say so themselves.
 */
export function readInputs(origin: DefinitionOrigin, value: unknown): InputsReading {
  const list = new ProblemList(origin, 'inputs');
  const inputs = new Map<string, InputDeclaration>();
  if (value === undefined) {
    return { inputs, problems: [] };
  }
  if (!Array.isArray(value)) {
    list.warning('The inputs must be a list of the form [{ "type": "promptString", "id": "…" }].', {
      path: [],
    });
    return { inputs, problems: list.problems };
  }
  for (const [index, item] of (value as unknown[]).slice(0, definitionBounds.inputs).entries()) {
    const declaration = readInput(item, (message, field) =>
      list.warning(message, { path: field === undefined ? [index] : [index, field] }),
    );
    if (declaration && inputs.has(declaration.id)) {
      list.warning(`The input "${declaration.id}" is declared above already; this one is not used.`, {
        path: [index, 'id'],
      });
    } else if (declaration) {
      inputs.set(declaration.id, declaration);
    }
  }
  if (value.length > definitionBounds.inputs) {
    list.warning(`Only the first ${definitionBounds.inputs} inputs here are read.`, {
      path: [definitionBounds.inputs],
    });
  }
  return { inputs, problems: list.problems };
}

type Complain = (message: string, field?: string) => undefined;

function readInput(value: unknown, complain: Complain): InputDeclaration | undefined {
  if (!isRecord(value)) {
    return complain('An input must be an object with "type" and "id".');
  }
  const { id, type, description, default: preset } = value;
  if (typeof id !== 'string' || id === '' || /[{}]/.test(id)) {
    return complain('An input needs an "id", a text without braces.', 'id' in value ? 'id' : undefined);
  }
  for (const [field, found] of [
    ['description', description],
    ['default', preset],
  ] as const) {
    if (found !== undefined && typeof found !== 'string') {
      return complain(`"${field}" must be a text.`, field);
    }
  }
  const base = {
    id,
    ...(typeof description === 'string' && { description }),
    ...(typeof preset === 'string' && { default: preset }),
  };
  if (type === 'promptString') {
    const { password = false } = value;
    return typeof password === 'boolean'
      ? { type, ...base, password }
      : complain('"password" must be true or false.', 'password');
  }
  if (type === 'pickString') {
    const options = readOptions(value['options']);
    return options
      ? { type, ...base, options }
      : complain('"options" must be a list of texts, or of { "label", "value" }.', 'options');
  }
  return complain('"type" must be "promptString" or "pickString".', 'type' in value ? 'type' : undefined);
}

function readOptions(value: unknown): readonly { label: string; value: string }[] | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    return undefined;
  }
  const options: { label: string; value: string }[] = [];
  for (const item of value as unknown[]) {
    if (typeof item === 'string') {
      options.push({ label: item, value: item });
    } else if (isRecord(item) && typeof item['value'] === 'string') {
      const label = typeof item['label'] === 'string' ? item['label'] : item['value'];
      options.push({ label, value: item['value'] });
    } else {
      return undefined;
    }
  }
  return options;
}
