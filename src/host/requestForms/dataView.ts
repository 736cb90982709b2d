import { isRecord } from '../../base/values/record.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import { cutTo } from '../../base/text/words.ts';
import { beginningOf, longText, type LongText, type PanelText } from '../questions/panelText.ts';

/** Structured data for a page: a value, a list, the members of an object, or a table. All of it is text. */
export type DataView =
  | { readonly kind: 'value'; readonly text: LongText }
  | { readonly kind: 'list'; readonly size: number; readonly items: readonly DataView[] }
  | { readonly kind: 'object'; readonly size: number; readonly members: readonly DataMember[] }
  /** Objects with mostly simple, short values, a row each. */
  | {
      readonly kind: 'table';
      readonly size: number;
      readonly columns: readonly PanelText[];
      readonly rows: readonly (readonly CellView[])[];
    };

interface CellView {
  /** Empty for a member that the object doesn't have. */
  readonly text: PanelText;
  /** The whole, if the text is only its beginning. */
  readonly more?: DataView;
}

interface DataMember {
  readonly name: PanelText;
  readonly data: DataView;
}

/** Values that are shown, levels, and characters of one value. */
const MAX_VALUES = 6_000;
const MAX_DEPTH = 20;
const MAX_TEXT = 5_000;
const MAX_COLUMNS = 12;
/** Characters in a cell of a table, of nested values in it, and of the beginning of what has more. */
const MAX_CELL = 300;
const MAX_NESTED = 60;
/** Values that open from one cell, and from all cells. */
const MAX_IN_CELL = 200;
const MAX_IN_CELLS = 20_000;

/** How many values may still be shown, and opened from cells. */
interface Budget {
  left: number;
  inCells: number;
}

/** A value of JSON for a page. Of a large one the beginning: `size` says how many parts there are. */
export function dataView(value: unknown): DataView {
  return viewOf(value, 0, { left: MAX_VALUES, inCells: MAX_IN_CELLS });
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
    return tableOf(value, depth, budget) ?? listOf(value, depth, budget);
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

/** A list of objects with the same few members, of which at least half fit into their cells. */
function tableOf(values: readonly unknown[], depth: number, budget: Budget): DataView | undefined {
  if (values.length < 2 || !values.every(isObject)) {
    return undefined;
  }
  const names = [...new Set(values.slice(0, MAX_VALUES).flatMap((value) => Object.keys(value)))];
  if (names.length === 0 || names.length > MAX_COLUMNS) {
    return undefined;
  }
  const shown = values.slice(0, Math.max(1, Math.floor(budget.left / names.length)));
  const rows = shown.map((value) =>
    names.map((name) => (Object.hasOwn(value, name) ? cellOf(value[name]) : { text: '' })),
  );
  const folded = names.filter((_name, index) => rows.some((row) => row[index]?.more !== undefined));
  if (2 * folded.length > names.length || (folded.length > 0 && budget.inCells <= 0)) {
    return undefined;
  }
  budget.left -= shown.length * names.length;
  return {
    kind: 'table',
    size: values.length,
    columns: names.map((name) => visibleParts(cut(name))),
    rows: rows.map((row) => row.map((cell) => cellView(cell, depth, budget))),
  };
}

/** The text of a cell, and the value if that is more. */
function cellOf(value: unknown): { readonly text: string; readonly more?: unknown } {
  const isNested = typeof value === 'object' && value !== null;
  const text = typeof value === 'string' ? value : jsonText(value);
  return text.length <= (isNested ? MAX_NESTED : MAX_CELL)
    ? { text }
    : { text: `${text.slice(0, MAX_NESTED)}…`, more: value };
}

function cellView({ text, more }: ReturnType<typeof cellOf>, depth: number, budget: Budget): CellView {
  if (more === undefined || budget.inCells <= 0) {
    return { text: longText(text).text };
  }
  const most = Math.min(MAX_IN_CELL, budget.inCells);
  const within: Budget = { left: most, inCells: 0 };
  const opened = viewOf(more, depth + 1, within);
  budget.inCells -= most - within.left;
  return { text: visibleParts(text), more: opened };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !Array.isArray(value);
}

function valueText(value: unknown): LongText {
  return typeof value === 'string' ? beginningOf(value, MAX_TEXT, longText) : longText(jsonText(value));
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'none';
  } catch {
    return '…'; // nested too deeply
  }
}

function cut(text: string): string {
  return cutTo(text, MAX_TEXT);
}
