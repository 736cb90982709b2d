import type { Logger } from '../../../base/logging/logger.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import type { ListKind, ServerList } from './serverList.ts';

/** Malformed items of one list that the log names. */
const MAX_NAMED = 20;

/** Writes to the log what is wrong with the lists of one server, again only when it is different. */
export class ListReports {
  readonly #logger: Logger;
  readonly #reported = new Map<ListKind, string>();
  readonly #repeated = new Set<ListKind>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  report(kind: ListKind, lists: readonly ServerList<unknown>[]): void {
    const key = JSON.stringify(lists.map(({ cut, malformed, notes }) => [cut, malformed, [...notes]]));
    if (this.#reported.get(kind) !== key) {
      this.#reported.set(kind, key);
      lists.forEach((list) => this.#report(kind, list));
    }
  }

  /** Warns once of a server that keeps saying that a list has changed. */
  repeats(kind: ListKind): void {
    if (!this.#repeated.has(kind)) {
      this.#repeated.add(kind);
      this.#logger.log('warn', `The server ${repeatsText([kind])}`);
    }
  }

  #report(kind: ListKind, { cut, malformed, notes }: ServerList<unknown>): void {
    if (cut !== undefined) {
      this.#logger.log('warn', `Its list of ${kind} is incomplete: ${cut}.`);
    }
    const [corrected] = notes;
    if (corrected) {
      const [name, note] = corrected;
      const others = notes.size > 1 ? ` Corrected ${notes.size - 1} more of its ${kind} the same way.` : '';
      const text = `In its list of ${kind}, '${visibleText(name)}' is corrected. ${note}${others}`;
      this.#logger.log('info', text);
    }
    for (const { name, place, reason } of malformed.slice(0, MAX_NAMED)) {
      const what = name === undefined ? `number ${place}` : `'${visibleText(name)}'`;
      this.#logger.log('warn', `In its list of ${kind}, ${what} is left out: ${visibleText(reason)}.`);
    }
    if (malformed.length > MAX_NAMED) {
      this.#logger.log('warn', `Left out ${malformed.length - MAX_NAMED} more of its ${kind}.`);
    }
  }
}

/** What a server repeats, and what MCP Host does about it; follows the server's name. */
export function repeatsText(kinds: readonly ListKind[]): string {
  const [lists, have, them] = kinds.length === 1 ? ['list', 'has', 'that list'] : ['lists', 'have', 'them'];
  const names = new Intl.ListFormat('en-GB').format(kinds);
  return `keeps saying that its ${lists} of ${names} ${have} changed. MCP Host reads ${them} less and less often, down to once a minute.`;
}
