import { isRecord } from '../../base/values/record.ts';
import { definitionBounds } from '../json/bounds.ts';
import { definitionFault } from './definitionFault.ts';
import { inputFields } from './fields.ts';
import { readFields, reportMissing, type Complain } from './fieldTypes.ts';
import { ProblemList } from './problemList.ts';
import type { DefinitionOrigin, DefinitionProblem, InputDeclaration } from './serverDefinition.ts';

/** What one layer declares, by id, and what is wrong with it. */
export interface InputsReading {
  readonly inputs: ReadonlyMap<string, InputDeclaration>;
  readonly problems: readonly DefinitionProblem[];
}

/**
 * Reads the inputs of one layer. What is wrong with a declaration is a warning: only servers that refer to the input
 * cannot start, and each of them has an error.
 */
export function readInputs(origin: DefinitionOrigin, value: unknown): InputsReading {
  const list = new ProblemList(origin, 'inputs');
  const inputs = new Map<string, InputDeclaration>();
  if (value === undefined) {
    return { inputs, problems: [] };
  }
  if (!Array.isArray(value)) {
    list.warning('The inputs must be a list of the form [{ "type": "promptString", "id": "…" }].', []);
    return { inputs, problems: list.problems };
  }
  for (const [index, item] of (value as unknown[]).slice(0, definitionBounds.inputs).entries()) {
    const declaration = readInput(item, (message, path = []) => list.warning(message, [index, ...path]));
    if (declaration && inputs.has(declaration.id)) {
      list.warning(`The input "${declaration.id}" is already declared above; this one is not used.`, [
        index,
        'id',
      ]);
    } else if (declaration) {
      inputs.set(declaration.id, declaration);
    }
  }
  if (value.length > definitionBounds.inputs) {
    list.warning(`Only the first ${definitionBounds.inputs} inputs are read.`, [definitionBounds.inputs]);
  }
  return { inputs, problems: list.problems };
}

function readInput(value: unknown, complain: Complain): InputDeclaration | undefined {
  const fault = definitionFault(value);
  if (fault) {
    return complain(fault.message, fault.path);
  }
  if (!isRecord(value)) {
    return complain('An input must be an object with "type" and "id".');
  }
  const { type } = value;
  if (type !== 'promptString' && type !== 'pickString') {
    return complain('"type" must be "promptString" or "pickString".', 'type' in value ? ['type'] : []);
  }
  let isValid = true;
  const report: Complain = (message, path) => {
    isValid = false;
    complain(message, path);
  };
  reportMissing(inputFields[type], value, report);
  const input = readFields<(typeof inputFields)[typeof type]>(inputFields[type], value, report);
  return isValid ? input : undefined;
}
