import {
  countProblem,
  indexIn,
  otherShape,
  readNothing,
  readValue,
  type FieldKind,
  type FieldPart,
  type FieldProblem,
  type ReadField,
} from './fieldKind.ts';
import {
  canBeAbsent,
  type AlternativesField,
  type Entered,
  type FormField,
  type ListField,
  type ObjectField,
} from './formField.ts';
import { isSame, memberOf } from './isSame.ts';
import {
  booleanKind,
  choiceKind,
  choicesKind,
  constKind,
  jsonKind,
  numberKind,
  textKind,
} from './valueKinds.ts';

/**
 * Reads what is entered in a field: required, type, length, range, choice and format are checked. A pattern never is,
 * because it is the server's, and might run forever.
 */
export function readField(field: FormField, entered: Entered): ReadField {
  return kindOf(field).read(field, entered);
}

/** The value of a field, or what is typed in it; undefined for nothing. */
export function draftOf(field: FormField, entered: Entered): unknown {
  const read = readField(field, entered);
  if (read.kind !== 'problems') {
    return read.kind === 'value' ? read.value : undefined;
  }
  if (typeof entered === 'string') {
    return entered.trim() === '' ? undefined : entered;
  }
  return kindOf(field).draft?.(field, entered);
}

/**
 * What a field shows before anything is entered: its default, or those of what is in it. An object that need not be there
 * is absent, so that a default in it doesn't require the rest.
 */
export function initiallyEntered(field: FormField): Entered {
  const { initial } = field;
  const shown = initial === undefined ? undefined : enteredOf(field, initial);
  return shown ?? kindOf(field).begin?.(field) ?? nothingEntered(field);
}

/** What an object shows when it is added. */
export function addedEntered({ fields }: ObjectField): readonly Entered[] {
  return fields.map(initiallyEntered);
}

/** A field in which nothing is entered, whatever its defaults are. */
export function nothingEntered(field: FormField): Entered {
  return kindOf(field).empty(field);
}

/** A field as it is for a value, or for a draft; undefined if the field can't show it. */
export function enteredOf(field: FormField, given: unknown, isDraft = false): Entered | undefined {
  return given === null && field.isNullable
    ? nothingEntered(field)
    : kindOf(field).show(field, given, isDraft);
}

/** Whether something can be entered in a field. */
export function fitsField(field: FormField, entered: Entered): boolean {
  return kindOf(field).fits(field, entered);
}

/** The fields that can be in a field. */
export function fieldsWithin(field: FormField): readonly FormField[] {
  return kindOf(field).within?.(field) ?? [];
}

/** The fields that are in a field, by the indexes of paths. */
export function partsOf(field: FormField, entered: Entered): readonly FieldPart[] {
  return kindOf(field).parts?.(field, entered) ?? [];
}

/** A value of the right shape to start from: the default, or an empty one with the required properties. */
export function sampleOf(field: FormField): unknown {
  return field.initial ?? kindOf(field).sample(field);
}

/** What the value of a field is, in a few words: `a whole number, 1 to 10`. */
export function expectationOf(field: FormField): string {
  return kindOf(field).expectation(field);
}

const listKind: FieldKind<ListField> = {
  empty: () => [],
  /** What must be there anyway is shown at once. */
  begin: ({ item, isRequired, minItems }) =>
    Array.from({ length: isRequired ? Math.min(minItems, 20) : 0 }, () => initiallyEntered(item)),
  show: ({ item }, given, isDraft) =>
    Array.isArray(given)
      ? all(
          given.map((one) => {
            const entered = enteredOf(item, one, isDraft);
            return isDraft && one === null ? (entered ?? nothingEntered(item)) : entered;
          }),
        )
      : undefined,
  read(field, entered) {
    const { item, isRequired, minItems, maxItems = Infinity } = field;
    if (typeof entered === 'string') {
      return otherShape();
    }
    if (entered.length === 0 && (!isRequired || minItems > 0)) {
      return readNothing(field);
    }
    const read = entered.map((one) => readField(item, one));
    return (
      problemsBelow(read) ??
      countProblem(read.length, minItems, maxItems) ??
      readValue(read.map((one) => (one.kind === 'value' ? one.value : null)))
    );
  },
  draft: ({ item }, entered) => entered.map((one) => draftOf(item, one) ?? null),
  fits: ({ item }, entered) => typeof entered !== 'string' && entered.every((one) => fitsField(item, one)),
  within: ({ item }) => [item],
  parts: ({ item: field }, entered) =>
    typeof entered === 'string'
      ? []
      : entered.map((one, index) => ({ name: String(index), field, entered: one })),
  sample: ({ item, minItems }) => (minItems > 0 ? [sampleOf(item)] : []),
  expectation: ({ item }) => `a list, each item ${expectationOf(item)}`,
};

const objectKind: FieldKind<ObjectField> = {
  empty: (field) => (canBeAbsent(field) ? '' : field.fields.map(nothingEntered)),
  begin: (field) => (canBeAbsent(field) ? '' : addedEntered(field)),
  show({ fields }, given, isDraft) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      return undefined;
    }
    const names = new Set(fields.map(({ name }) => name));
    const entered = fields.map((field) =>
      Object.hasOwn(given, field.name)
        ? enteredOf(field, memberOf(given, field.name), isDraft)
        : nothingEntered(field),
    );
    return Object.keys(given).every((name) => names.has(name)) ? all(entered) : undefined;
  },
  read(field, entered) {
    const { fields } = field;
    if (entered === '' && canBeAbsent(field)) {
      return readNothing(field);
    }
    if (typeof entered === 'string' || entered.length !== fields.length) {
      return otherShape();
    }
    const read = fields.map((one, index) => readField(one, entered[index] ?? ''));
    const values = read.map((one) => (one.kind === 'value' ? one.value : undefined));
    return problemsBelow(read) ?? readValue(membersOf(fields, values));
  },
  draft: ({ fields }, entered) =>
    membersOf(
      fields,
      fields.map((one, index) => draftOf(one, entered[index] ?? '')),
    ),
  fits: (field, entered) =>
    typeof entered === 'string'
      ? entered === '' && canBeAbsent(field)
      : entered.length === field.fields.length &&
        field.fields.every((one, index) => fitsField(one, entered[index] ?? '')),
  within: ({ fields }) => fields,
  parts: ({ fields }, entered) =>
    fields.map((field, index) => ({ name: field.name, field, entered: entered[index] ?? '' })),
  sample({ fields }) {
    const shown = fields.filter(({ isRequired, initial }) => isRequired || initial !== undefined);
    return Object.fromEntries(shown.map((one) => [one.name, sampleOf(one)]));
  },
  expectation: () => 'a JSON object',
};

const alternativesKind: FieldKind<AlternativesField> = {
  empty: () => [],
  /** The first that gives the value again, or else the first that can show it. */
  show({ options }, given) {
    const able = options.flatMap((option, index) => {
      const entered = enteredOf(option, given);
      return entered === undefined ? [] : [{ index, entered, read: readField(option, entered) }];
    });
    const found = able.find(({ read }) => read.kind === 'value' && isSame(read.value, given)) ?? able[0];
    return found && [String(found.index), found.entered];
  },
  read(field, entered) {
    if (typeof entered === 'string') {
      return otherShape();
    }
    if ((entered[0] ?? '') === '') {
      return readNothing(field);
    }
    const chosen = chosenIn(field, entered);
    const read = chosen ? readField(chosen.field, chosen.entered) : otherShape();
    return (chosen && problemsBelow([read])) ?? read;
  },
  draft(field, entered) {
    const chosen = chosenIn(field, entered);
    return chosen && draftOf(chosen.field, chosen.entered);
  },
  fits(field, entered) {
    const chosen = chosenIn(field, entered);
    return chosen
      ? fitsField(chosen.field, chosen.entered)
      : typeof entered !== 'string' && entered.length === 0;
  },
  within: ({ options }) => options,
  parts(field, entered) {
    const chosen = chosenIn(field, entered);
    return chosen ? [chosen] : [];
  },
  sample: ({ options: [first] }) => (first ? sampleOf(first) : null),
  expectation: ({ options }) => options.map(expectationOf).join(', or '),
};

const kinds: { readonly [K in FormField['kind']]: FieldKind<Extract<FormField, { readonly kind: K }>> } = {
  text: textKind,
  number: numberKind,
  boolean: booleanKind,
  choice: choiceKind,
  choices: choicesKind,
  const: constKind,
  json: jsonKind,
  list: listKind,
  object: objectKind,
  alternatives: alternativesKind,
};

/** A field is data, which pages and the host exchange: what it does is found by its kind. */
function kindOf({ kind }: FormField): FieldKind<FormField> {
  return kinds[kind];
}

function chosenIn({ options }: AlternativesField, entered: Entered): FieldPart | undefined {
  const [chosen, within] = typeof entered === 'string' ? [] : entered;
  const field = options[indexIn(chosen, options.length)];
  return field && within !== undefined ? { name: undefined, field, entered: within } : undefined;
}

function all(parts: readonly (Entered | undefined)[]): readonly Entered[] | undefined {
  const shown = parts.filter((part) => part !== undefined);
  return shown.length === parts.length ? shown : undefined;
}

/** The problems of parts, which lead there; undefined if there are none. */
function problemsBelow(read: readonly ReadField[]): ReadField | undefined {
  const problems = read.flatMap((one, index): readonly FieldProblem[] =>
    one.kind === 'problems'
      ? one.problems.map(({ path, message }) => ({ path: [index, ...path], message }))
      : [],
  );
  return problems.length > 0 ? { kind: 'problems', problems } : undefined;
}

/** By their names, which may be any, such as `__proto__`; without those that are undefined. */
function membersOf(fields: readonly FormField[], values: readonly unknown[]): object {
  return Object.fromEntries(
    fields.flatMap(({ name }, index): [string, unknown][] =>
      values[index] === undefined ? [] : [[name, values[index]]],
    ),
  );
}
