import { redacted } from '../../base/redacting.ts';

/** What was said in a request, as JSON text without the values of secrets; text that was cut is JSON no more. */
export interface LedgerContent {
  readonly args?: string;
  readonly result?: string;
}

/** A character of a secret takes up to so many, escaped in JSON and in an address. */
const ENCODED_LENGTH = 32;

/** The text without the secrets, of which parts may stand in JSON inside JSON; undefined stays. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.length === 0
    ? text
    : redacted(text, [...secrets, ...secrets.map((secret) => JSON.stringify(secret).slice(1, -1))]);
}

/** JSON text as it may be kept: without the secrets, and not longer than `limit` but for a note. */
export function keptText(json: string, secrets: readonly string[], limit: number): string {
  // A secret that the cut goes through would not be found: what could be part of one is cut off after it.
  const margin = ENCODED_LENGTH * Math.max(0, ...secrets.map(({ length }) => length));
  if (json.length <= limit + margin) {
    const text = withoutSecrets(json, secrets);
    return text.length <= limit ? text : cut(text, limit, json.length);
  }
  const text = withoutSecrets(json.slice(0, limit + margin), secrets);
  return cut(text, Math.min(limit, text.length - margin), json.length);
}

function cut(text: string, end: number, length: number): string {
  // A copy: a slice would keep the whole text in memory.
  const start = Buffer.from(text.slice(0, Math.max(0, end))).toString();
  return `${start}… (${length - start.length} more characters were not kept)`;
}

/** Keeps what was said in the latest requests, as long as it is not too much. */
export class ContentMemory {
  readonly #limit: number;
  readonly #contents = new Map<string, LedgerContent>();
  #length = 0;

  /** `limit` in characters of all that is kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(id: string): LedgerContent | undefined {
    return this.#contents.get(id);
  }

  add(id: string, content: LedgerContent): void {
    this.#contents.set(id, content);
    this.#length += lengthOf(content);
    for (const [oldest, old] of this.#contents) {
      if (this.#length <= this.#limit) {
        break;
      }
      this.#contents.delete(oldest);
      this.#length -= lengthOf(old);
    }
  }
}

function lengthOf({ args = '', result = '' }: LedgerContent): number {
  return args.length + result.length;
}
