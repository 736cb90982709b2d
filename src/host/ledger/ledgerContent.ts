import { redacted } from '../../base/logging/redacting.ts';

/** Arguments and result of a request as JSON, without secrets. A text that was cut is no longer valid JSON. */
export interface LedgerContent {
  readonly args?: string;
  readonly result?: string;
}

/** Characters that one character of a secret takes at most, escaped in JSON and in a URL. */
const ENCODED_LENGTH = 32;

/** The text without the secrets, also where they are in JSON inside JSON. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.length === 0
    ? text
    : redacted(text, [...secrets, ...secrets.map((secret) => JSON.stringify(secret).slice(1, -1))]);
}

/** JSON as it may be kept: without the secrets, and cut after `limit` characters, with a note. */
export function keptText(json: string, secrets: readonly string[], limit: number): string {
  // A secret that was cut would not be found: replace first in a longer text, then cut off the margin.
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

/** Keeps the contents of the latest requests, up to a limit. */
export class ContentMemory {
  readonly #limit: number;
  readonly #contents = new Map<string, LedgerContent>();
  #length = 0;

  /** `limit` in characters of all contents. */
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
