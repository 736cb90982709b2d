import { isDeeperThan } from '../../base/values/isDeeperThan.ts';
import { isRecord } from '../../base/values/record.ts';
import { definitionBounds, fieldCharacters } from '../json/bounds.ts';
import { textFault, type TextLimits } from '../json/textFault.ts';
import { MAX_DEPTH, weightOf } from '../json/weight.ts';

const { serverCharacters, serverValues, nameCharacters, textCharacters } = definitionBounds;
const limits: TextLimits = { names: nameCharacters, others: textCharacters, isPassedOn: true };

const tooLarge = `makes the definition too large: it can have ${serverCharacters.toLocaleString('en-US')} characters and ${serverValues.toLocaleString('en-US')} values`;

/** What exceeds the bounds: a sentence, and the path in the definition. */
export interface DefinitionFault {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/**
 * What is too much in the definition of a server or in an input, before anything else looks at it. Nothing is cut, because
 * it is run or sent.
 */
export function definitionFault(written: unknown, name = ''): DefinitionFault | undefined {
  const left = { values: serverValues, characters: serverCharacters };
  const wrongName = textFault(name, limits, nameCharacters);
  if (wrongName) {
    return { message: `The name ${wrongName.reason}.`, path: [] };
  }
  for (const [field, value] of Object.entries(isRecord(written) ? written : {})) {
    const wrongField = textFault(field, limits, nameCharacters);
    if (wrongField) {
      return { message: `The name of a field ${wrongField.reason}.`, path: [field] };
    }
    const { values, characters } = weightOf(value, left);
    left.values -= values;
    left.characters -= characters;
    const fault = isDeeperThan(value, MAX_DEPTH)
      ? { path: [], reason: `is nested more than ${MAX_DEPTH} levels deep` }
      : left.values < 0 || left.characters < 0
        ? { path: [], reason: tooLarge }
        : textFault(value, limits, fieldCharacters.get(field));
    if (fault) {
      const path = [field, ...fault.path];
      return { message: `"${path.join('.')}" ${fault.reason}.`, path };
    }
  }
  return undefined;
}
