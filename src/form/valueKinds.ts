import { isSame } from './isSame.ts';
import {
  countProblem,
  indexIn,
  otherShape,
  readProblem,
  readNothing,
  readValue,
  type FieldKind,
  type ReadField,
} from './fieldKind.ts';
import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  ConstField,
  FieldChoice,
  FormField,
  JsonField,
  NumberField,
  TextField,
} from './formField.ts';
import { textFormats } from './textFormat.ts';

/** Choices that are named. */
const MAX_NAMED = 10;

export const textKind: FieldKind<TextField> = {
  ...typed((field, text) => {
    const isText = field.isRequired && field.initial === '' && !field.isNullable;
    return text === '' && !isText ? readNothing(field) : readString(field, text);
  }),
  show: (_field, given) => (typeof given === 'string' ? given : undefined),
  sample: () => '',
  expectation({ format, minLength, maxLength }) {
    const rule = format && textFormats[format];
    const range = rangeText(minLength > 0 ? minLength : undefined, maxLength);
    const unit = (maxLength ?? minLength) === 1 ? 'character' : 'characters';
    return `${rule ? `${rule.words}, such as ${rule.example}` : 'text'}${range && `, ${range} ${unit}`}`;
  },
};

export const numberKind: FieldKind<NumberField> = {
  ...typed(trimmed(readNumber)),
  show(_field, given, isDraft) {
    if (isDraft && typeof given === 'string') {
      return given;
    }
    return typeof given === 'number' ? JSON.stringify(given) : undefined;
  },
  sample: ({ minimum = 0 }) => minimum,
  expectation({ isInteger, minimum, maximum }) {
    const range = rangeText(minimum, maximum);
    return `${isInteger ? 'a whole number' : 'a number'}${range && `, ${range}`}`;
  },
};

export const booleanKind: FieldKind<BooleanField> = {
  ...typed(
    trimmed((_field, text) => (isAnswer(text) ? readValue(text === 'yes') : otherShape())),
    (_field, text) => text === '' || isAnswer(text),
  ),
  show: (_field, given) => (typeof given === 'boolean' ? (given ? 'yes' : 'no') : undefined),
  sample: () => false,
  expectation: () => 'true or false',
};

export const choiceKind: FieldKind<ChoiceField> = {
  ...typed(
    trimmed(({ choices }, text) => {
      const choice = choices[indexIn(text, choices.length)];
      return choice ? readValue(choice.value) : otherShape();
    }),
    ({ choices }, text) => text === '' || indexIn(text, choices.length) >= 0,
  ),
  show({ choices }, given) {
    const index = indexOf(choices, given);
    return index < 0 ? undefined : String(index);
  },
  sample: ({ choices }) => choices[0]?.value,
  expectation: ({ choices }) => `one of ${labelsOf(choices)}`,
};

export const choicesKind: FieldKind<ChoicesField> = {
  empty: () => [],
  show({ choices }, given) {
    const indexes = Array.isArray(given) ? given.map((one) => indexOf(choices, one)) : [-1];
    return indexes.includes(-1) ? undefined : [...new Set(indexes)].map(String);
  },
  read(field, entered) {
    const { choices, minItems, maxItems = Infinity } = field;
    if (typeof entered === 'string') {
      return otherShape();
    }
    if (entered.length === 0 && (!field.isRequired || minItems > 0)) {
      return readNothing(field);
    }
    const indexes = new Set(entered.map((one) => indexIn(one, choices.length)));
    const chosen = choices.filter((_choice, index) => indexes.has(index));
    if (chosen.length !== entered.length) {
      return otherShape();
    }
    return countProblem(chosen.length, minItems, maxItems) ?? readValue(chosen.map((choice) => choice.value));
  },
  draft: ({ choices }, entered) =>
    entered.flatMap((one) => {
      const choice = choices[indexIn(one, choices.length)];
      return choice ? [choice.value] : [];
    }),
  fits: ({ choices }, entered) =>
    typeof entered !== 'string' && entered.every((one) => indexIn(one, choices.length) >= 0),
  sample: () => [],
  expectation: ({ choices }) => `any of ${labelsOf(choices)}`,
};

/** Its value is given whatever is entered. */
export const constKind: FieldKind<ConstField> = {
  ...typed(
    () => otherShape(),
    (_field, text) => text === '',
  ),
  show: (field, given) => (isSame(field.value, given) ? '' : undefined),
  read: (field) => (field.isRequired ? readValue(field.value) : { kind: 'omitted' }),
  sample: (field) => field.value,
  expectation: ({ shown }) => shown,
};

export const jsonKind: FieldKind<JsonField> = {
  ...typed(trimmed(readJson)),
  show({ accepts }, given, isDraft) {
    if (isDraft && accepts !== 'any' && typeof given === 'string') {
      return given;
    }
    return given === undefined ? undefined : JSON.stringify(given, undefined, 2);
  },
  sample: ({ accepts }) => ({ object: {}, array: [], any: null })[accepts],
  expectation: ({ accepts }) => (accepts === 'any' ? 'a JSON value' : `a JSON ${accepts}`),
};

/** A kind whose fields have one text. */
function typed<F extends FormField>(
  read: (field: F, text: string) => ReadField,
  fits: (field: F, text: string) => boolean = () => true,
): Pick<FieldKind<F>, 'empty' | 'read' | 'fits'> {
  return {
    empty: () => '',
    read: (field, entered) => (typeof entered === 'string' ? read(field, entered) : otherShape()),
    fits: (field, entered) => typeof entered === 'string' && fits(field, entered),
  };
}

/** Without spaces around it; nothing may be entered where the field isn't required. */
function trimmed<F extends FormField>(
  read: (field: F, text: string) => ReadField,
): (field: F, entered: string) => ReadField {
  return (field, entered) => {
    const text = entered.trim();
    return text === '' ? readNothing(field) : read(field, text);
  };
}

function readString({ minLength, maxLength = Infinity, format }: TextField, text: string): ReadField {
  const length = Array.from(text).length;
  if (length < minLength || length > maxLength) {
    const [few, many] = [length < minLength, characters(length < minLength ? minLength : maxLength)];
    return readProblem(
      `This has ${characters(length)}; ${few ? 'at least' : 'at most'} ${many} can be sent.`,
    );
  }
  const rule = format && textFormats[format];
  return rule && !rule.isValid(text)
    ? readProblem(`This must be ${rule.words}, such as ${rule.example}`)
    : readValue(text);
}

function readNumber(field: NumberField, text: string): ReadField {
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
  const number = Number(text);
  if (!isNumber || !Number.isFinite(number)) {
    return readProblem(`This must be ${field.isInteger ? 'a whole number' : 'a number'}.`);
  }
  if (field.isInteger && !Number.isInteger(number)) {
    return readProblem('This must be a whole number.');
  }
  // A number that JSON can't represent exactly would reach the server as another one.
  if (field.isInteger && !Number.isSafeInteger(number)) {
    return readProblem('This number is too large to be sent exactly.');
  }
  const { minimum = -Infinity, maximum = Infinity, above = -Infinity, below = Infinity } = field;
  if (number < minimum) {
    return readProblem(`This must be at least ${minimum}.`);
  }
  if (number > maximum) {
    return readProblem(`This must be at most ${maximum}.`);
  }
  if (number <= above) {
    return readProblem(`This must be more than ${above}.`);
  }
  // JSON has no negative zero.
  return number >= below
    ? readProblem(`This must be less than ${below}.`)
    : readValue(number === 0 ? 0 : number);
}

function readJson({ accepts }: JsonField, text: string): ReadField {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return readProblem('This must be JSON.');
  }
  const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
  if (accepts === 'object' && !isObject) {
    return readProblem('This must be a JSON object, such as {"name": "value"}');
  }
  return accepts === 'array' && !Array.isArray(read)
    ? readProblem('This must be a JSON array, such as ["value"]')
    : readValue(read);
}

function isAnswer(text: string): boolean {
  return text === 'yes' || text === 'no';
}

function indexOf(choices: readonly FieldChoice[], given: unknown): number {
  return choices.findIndex((choice) => isSame(choice.value, given));
}

function labelsOf(choices: readonly FieldChoice[]): string {
  const labels = choices.slice(0, MAX_NAMED).map(({ label }) => label);
  return [...labels, ...(choices.length > MAX_NAMED ? ['…'] : [])].join(', ');
}

function rangeText(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) {
    return `${least} to ${most}`;
  }
  return least !== undefined ? `at least ${least}` : most !== undefined ? `at most ${most}` : '';
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}
