import { isRecord } from '../../base/values/record.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import { longText, type LongText, type PanelText } from '../questions/panelText.ts';

/** Structured data for a page: a value, a list, the members of an object, or a table. All of it is text. */
export type DataView =
  | { readonly kind: 'value'; readonly text: LongText }
  | { readonly kind: 'list'; readonly size: number; readonly items: readonly DataView[] }
  | { readonly kind: 'object'; readonly size: number; readonly members: readonly DataMember[] }
  /** Objects with simple, short values, a row each. */
  | {
      readonly kind: 'table';
      readonly size: number;
      readonly columns: readonly PanelText[];
      /** A cell without text is that of a member that the object doesn't have. */
      readonly rows: readonly (readonly PanelText[])[];
    };

interface DataMember {
  readonly name: PanelText;
  readonly data: DataView;
}

/** Values that are shown, levels, and characters of one value. */
const MAX_VALUES = 2_000;
const MAX_DEPTH = 20;
const MAX_TEXT = 5_000;
const MAX_COLUMNS = 12;
/** Characters in a cell of a table; in a tree, a longer text is folded. */
const MAX_CELL = 300;

/** How many values may still be shown. */
interface Budget {
  left: number;
}

/** A value of JSON for a page. Of a large one the beginning: `size` says how many parts there are. */
export function dataView(value: unknown): DataView {
  return viewOf(value, 0, { left: MAX_VALUES });
}

function viewOf(value: unknown, depth: number, budget: Budget): DataView {
  budget.left -= 1;
  if (!Array.isArray(value) && !isRecord(value)) {
    return { kind: 'value', text: valueText(value) };
  }
  if (depth >= MAX_DEPTH) {
    return { kind: 'value', text: longText('…') };
  }
  if (Array.isArray(value)) {
    return tableOf(value, budget) ?? listOf(value, depth, budget);
  }
  const members: DataMember[] = [];
  const entries = Object.entries(value);
  for (const [name, member] of entries) {
    if (budget.left <= 0) {
      break;
    }
    members.push({ name: visibleParts(cut(name)), data: viewOf(member, depth + 1, budget) });
  }
  return { kind: 'object', size: entries.length, members };
}

function listOf(values: readonly unknown[], depth: number, budget: Budget): DataView {
  const items: DataView[] = [];
  for (const value of values) {
    if (budget.left <= 0) {
      break;
    }
    items.push(viewOf(value, depth + 1, budget));
  }
  return { kind: 'list', size: values.length, items };
}

/** A list of objects with the same few members, all of them simple and short. */
function tableOf(values: readonly unknown[], budget: Budget): DataView | undefined {
  if (values.length < 2 || !values.every(isFlat)) {
    return undefined;
  }
  const names = [...new Set(values.slice(0, MAX_VALUES).flatMap((value) => Object.keys(value)))];
  if (names.length === 0 || names.length > MAX_COLUMNS) {
    return undefined;
  }
  const shown = values.slice(0, Math.max(1, Math.floor(budget.left / names.length)));
  budget.left -= shown.length * names.length;
  return {
    kind: 'table',
    size: values.length,
    columns: names.map((name) => visibleParts(cut(name))),
    rows: shown.map((value) =>
      names.map((name) => (Object.hasOwn(value, name) ? valueText(value[name]).text : [])),
    ),
  };
}

function isFlat(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    isRecord(value) &&
    !Array.isArray(value) &&
    Object.values(value).every((one) =>
      typeof one === 'string' ? one.length <= MAX_CELL : typeof one !== 'object' || one === null,
    )
  );
}

function valueText(value: unknown): LongText {
  return longText(typeof value === 'string' ? cut(value) : (JSON.stringify(value) ?? 'none'));
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
