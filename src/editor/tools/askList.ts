import type { ListStep } from '../../host/schemas/argumentSteps.ts';
import { expectation, readItems, typedText, type TypedValue } from '../../host/schemas/typedValue.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { type Frame, askText, inputButton } from '../quickInput/quickInputs.ts';

/** Items that a prompt names. */
const MAX_NAMED = 5;
const MAX_CHARACTERS = 40;

const removeButton = inputButton('trash', 'Remove the Last Item');

export interface ListRequest {
  readonly step: ListStep;
  readonly frame: Frame;
  readonly prompt: string;
  /** What the list begins with. */
  readonly start: readonly unknown[];
  /** Returns what is wrong with a whole list. */
  readonly check: (value: readonly unknown[]) => Promise<TypedValue>;
}

/** The list, or how you left it, with the items at that time. */
export type ListAnswer =
  | TypedValue
  | { readonly kind: 'back'; readonly items: readonly unknown[] }
  | { readonly kind: 'cancelled' | 'run' };

/** Asks for a list item by item: an empty box ends the list, and a list in JSON is the whole list. */
export async function askList({ step, frame, prompt, start, check }: ListRequest): Promise<ListAnswer> {
  let items = start;
  let { problem } = frame;
  for (;;) {
    const answer = await askText(
      { ...frame, problem, buttons: items.length > 0 ? [removeButton] : frame.buttons },
      {
        value: '',
        prompt: `${prompt} ${whatNext(step, items)}`,
        placeholder: inQuickInput(`Item ${items.length + 1}: ${expectation(step.item)}`),
        isPassword: false,
        check: async (typed) => {
          const next = await nextOf(step, items, typed, check);
          return next.kind === 'problem' ? inQuickInput(next.message) : undefined;
        },
      },
    );
    problem = undefined;
    switch (answer.kind) {
      case 'accepted': {
        const next = await nextOf(step, items, answer.value, check);
        if (next.kind !== 'items') {
          return next;
        }
        items = next.values;
        break;
      }
      case 'pressed':
        if (answer.button !== removeButton) {
          return { kind: 'run' };
        }
        items = items.slice(0, -1);
        break;
      case 'back':
        return { kind: 'back', items };
      case 'cancelled':
        return answer;
    }
  }
}

/** What an entered text means: the items so far, or the end of the list. */
async function nextOf(
  step: ListStep,
  items: readonly unknown[],
  typed: string,
  check: ListRequest['check'],
): Promise<TypedValue | { readonly kind: 'items'; readonly values: readonly unknown[] }> {
  if (typed.trim() === '') {
    return items.length === 0 && step.whenEmpty !== 'refuse' ? emptied(step) : check(items);
  }
  const read = readItems(step, typed);
  if (read.kind === 'problem') {
    return read;
  }
  if (read.kind === 'list') {
    return check(read.values);
  }
  const values = [...items, ...read.values];
  return values.length >= step.maxItems ? check(values) : { kind: 'items', values };
}

function emptied({ whenEmpty }: ListStep): TypedValue {
  return whenEmpty === 'null' ? { kind: 'value', value: null } : { kind: 'omitted' };
}

function whatNext({ item, whenEmpty }: ListStep, items: readonly unknown[]): string {
  if (items.length === 0) {
    return whenEmpty === 'refuse'
      ? 'Type the first item, or press Enter for an empty list.'
      : 'Type the first item, or press Enter to leave it out.';
  }
  const named = items.slice(-MAX_NAMED).map((value) => inQuickInput(shortened(typedText(item, value))));
  const more = items.length > MAX_NAMED ? '…, ' : '';
  const count = items.length === 1 ? '1 item' : `${items.length} items`;
  return `${count}: ${more}${named.join(', ')}. Type the next one, or press Enter to continue.`;
}

/** The end of a text tells more: paths and addresses often begin alike. */
function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `…${text.slice(1 - MAX_CHARACTERS)}` : text;
}
