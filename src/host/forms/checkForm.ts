import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import type { Entered, FormField } from '../../form/formField.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import { partsOf, readField } from '../../form/fieldKinds.ts';
import type { PreparedSchema } from '../schemas/schemaCheck.ts';

/** What a form gives: the object as it may be sent, or what is wrong and where. */
export type CheckedForm =
  | { readonly kind: 'content'; readonly content: UnknownRecord }
  | { readonly kind: 'problems'; readonly problems: readonly FieldProblem[] };

/** Levels of what is entered: more than any form has. */
const MAX_LEVELS = 40;
const MAX_PROBLEMS = 20;
const MAX_MESSAGE = 300;

/** Whether something from a page is what can be entered in a form. */
export function isEntered(value: unknown, levels: number = MAX_LEVELS): value is Entered {
  return (
    typeof value === 'string' ||
    (levels > 0 && Array.isArray(value) && value.every((one) => isEntered(one, levels - 1)))
  );
}

/**
 * Reads a form, and checks what it gives against the whole schema, patterns included. A problem that belongs to no field
 * has an empty path. A schema that can't be used lets nothing pass.
 */
export async function checkForm(
  form: FormField,
  entered: Entered,
  prepared: PreparedSchema,
): Promise<CheckedForm> {
  const read = readField(form, entered);
  if (read.kind === 'problems') {
    return { kind: 'problems', problems: read.problems };
  }
  const content = read.kind === 'value' ? read.value : {};
  if (!isRecord(content)) {
    return problem('This must be a JSON object.');
  }
  try {
    const line = prepared.kind === 'ready' ? await prepared.check(content) : prepared.reason;
    if (line === undefined) {
      return { kind: 'content', content };
    }
    return prepared.kind === 'ready'
      ? { kind: 'problems', problems: problemsIn(line, form, entered) }
      : problem(`The schema can't be used: ${line}.`);
  } catch {
    return problem("This can't be checked, because the check takes too long.");
  }
}

function problem(message: string): CheckedForm {
  return { kind: 'problems', problems: [{ path: [], message }] };
}

/** The validator's one line: `data/name must match pattern "…", data must have …`. */
function problemsIn(line: string, form: FormField, entered: Entered): readonly FieldProblem[] {
  const found = line.split(/, (?=data(?:\/| must ))/).slice(0, MAX_PROBLEMS);
  return found.map((one) => {
    const [, pointer = '', message = one] = /^data(\/\S*)? (.*)$/s.exec(one) ?? [];
    const names = pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    return { path: pathTo(form, entered, names), message: sentenceOf(message) };
  });
}

function sentenceOf(message: string): string {
  const words = message.slice(0, MAX_MESSAGE).replace('must NOT', 'must not');
  return `This ${words}${words.endsWith('.') ? '' : '.'}`;
}

/** The path to the innermost field on the way that names lead. */
function pathTo(field: FormField, entered: Entered, names: readonly string[]): readonly number[] {
  const parts = partsOf(field, entered);
  const index = parts.findIndex(({ name }) => name === undefined || name === names[0]);
  const part = parts[index];
  const rest = part?.name === undefined ? names : names.slice(1);
  return part ? [index, ...pathTo(part.field, part.entered, rest)] : [];
}
