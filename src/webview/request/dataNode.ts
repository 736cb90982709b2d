import type { LongText } from '../../host/questions/panelText.ts';
import type { DataView } from '../../host/requestForms/dataView.ts';
import { element, plainText, shownText, nodeOf } from '../dom.ts';
import { foldedText } from '../foldedText.ts';

/** Levels that are open at first, and parts up to which a list or an object is. */
const OPEN_LEVELS = 2;
const OPEN_PARTS = 50;

type Table = Extract<DataView, { kind: 'table' }>;

const SEE_ALL = 'Open the result as a document to see all of it.';

/** Where a part stands. */
interface Place {
  readonly name: string;
  /** Unique in the page. */
  readonly id: string;
  readonly level: number;
}

/** Structured data: a table where its objects are alike, otherwise a tree that opens and closes. */
export function dataNode(data: DataView, name: string, id: string): HTMLElement {
  return element('div', { class: 'structured' }, ...partNodes(data, { name, id, level: 0 }));
}

function partNodes(data: DataView, place: Place): readonly Node[] {
  const partAt = (index: number, name: string, of: DataView): HTMLElement =>
    partNode(of, { name, id: `${place.id}-${index}`, level: place.level });
  switch (data.kind) {
    case 'value':
      return [valueNode(data.text, place)];
    case 'table':
      return [tableNode(data, place), ...moreNode(data.rows.length, data.size)];
    case 'list':
      return [
        element('ol', {}, ...data.items.map((item, index) => partAt(index, `${index + 1}`, item))),
        ...moreNode(data.items.length, data.size),
      ];
    case 'object':
      return [
        element(
          'ul',
          {},
          ...data.members.map(({ name, data: of }, index) => partAt(index, plainText(name), of)),
        ),
        ...moreNode(data.members.length, data.size),
      ];
  }
}

function valueNode(text: LongText, { name, id }: Place): HTMLElement {
  if (!text.isLong) {
    return element('span', { class: 'value' }, ...shownText(text.text));
  }
  const folded = nodeOf(foldedText(text, name, id, 'prose'));
  return text.whole ? element('div', {}, folded, element('p', { class: 'hint' }, SEE_ALL)) : folded;
}

/** A named part: a value beside its name, or parts below it. */
function partNode(data: DataView, place: Place): HTMLElement {
  const label = element('span', { class: 'key' }, place.name);
  if (data.kind === 'value' || data.size === 0) {
    const nodes =
      data.kind === 'value' ? partNodes(data, place) : [element('span', { class: 'hint' }, '(empty)')];
    return element('li', { class: 'pair' }, label, ...nodes);
  }
  const isOpen = place.level < OPEN_LEVELS && data.size <= OPEN_PARTS;
  const size = element('span', { class: 'hint' }, sizeText(data));
  return element(
    'li',
    {},
    element(
      'details',
      isOpen ? { open: '' } : {},
      element('summary', {}, label, ' ', size),
      ...partNodes(data, { ...place, level: place.level + 1 }),
    ),
  );
}

function tableNode({ columns, rows }: Table, place: Place): HTMLElement {
  return element(
    'div',
    { class: 'scrolling', tabindex: '0', role: 'region', 'aria-label': 'Table' },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, ...shownText(name)))),
      ),
      element(
        'tbody',
        {},
        ...rows.map((row, number) =>
          element(
            'tr',
            {},
            ...row.map((cell, index) =>
              cellNode(cell, {
                name: plainText(columns[index] ?? []),
                id: `${place.id}-${number}-${index}`,
                level: place.level + 1,
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A cell; what is more than its text is made when you open it. */
function cellNode({ text, more }: Table['rows'][number][number], place: Place): HTMLElement {
  if (!more) {
    return element('td', {}, ...shownText(text));
  }
  const size = element('span', { class: 'hint' }, sizeText(more));
  const details = element('details', {}, element('summary', {}, size, ' ', ...shownText(text)));
  details.addEventListener('toggle', () => details.append(...partNodes(more, place)), { once: true });
  return element('td', {}, details);
}

function moreNode(shown: number, size: number): readonly Node[] {
  return size > shown ? [element('p', { class: 'hint' }, moreText(size - shown))] : [];
}

/** How many parts are not shown, as a sentence. */
function moreText(count: number): string {
  return `${count.toLocaleString('en')} more. ${SEE_ALL}`;
}

function sizeText(data: DataView): string {
  const [count, one, many] = sizeOf(data);
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

function sizeOf(data: DataView): readonly [number, one: string, many: string] {
  switch (data.kind) {
    case 'value':
      return [data.text.whole?.characters ?? data.text.characters, 'character', 'characters'];
    case 'object':
      return [data.size, 'member', 'members'];
    case 'list':
    case 'table':
      return [data.size, 'item', 'items'];
  }
}
