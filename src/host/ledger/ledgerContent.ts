import { redacted } from '../../base/logging/redacting.ts';
import { beginningOfJson } from '../json/beginningOfJson.ts';
import { compactJson } from '../json/readableText.ts';
import { receivedBytes } from '../json/receivedBytes.ts';

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

/**
 * JSON as it may be kept: without the secrets, and cut after `limit` characters, with a note. `length` is that of the whole
 * JSON, Infinity if only its beginning was printed.
 */
export function keptText(
  json: string,
  secrets: readonly string[],
  limit: number,
  length = json.length,
): string {
  const margin = marginFor(secrets);
  if (length <= limit + margin) {
    const text = withoutSecrets(json, secrets);
    return text.length <= limit ? text : cut(text, limit, length);
  }
  const text = withoutSecrets(json.slice(0, limit + margin), secrets);
  return cut(text, Math.min(limit, text.length - margin), length);
}

/** A result as JSON as it may be kept, and its bytes. If those are known, only as much is printed as is kept. */
export function keptResult(
  result: unknown,
  secrets: readonly string[],
  limit: number,
): { readonly text?: string; readonly bytes: number } {
  const bytes = receivedBytes(result);
  const most = limit + marginFor(secrets);
  if (bytes === undefined || bytes <= most) {
    const json = compactJson(result);
    return json === undefined
      ? { bytes: 0 }
      : { text: keptText(json, secrets, limit), bytes: bytes ?? Buffer.byteLength(json) };
  }
  const beginning = beginningOfJson(result, most + 1);
  const length = beginning.length > most ? Infinity : beginning.length;
  return { text: keptText(beginning, secrets, limit, length), bytes };
}

/** Characters by which a text is longer at first: a secret that was cut would not be found. */
function marginFor(secrets: readonly string[]): number {
  return ENCODED_LENGTH * Math.max(0, ...secrets.map(({ length }) => length));
}

function cut(text: string, end: number, length: number): string {
  // A copy: a slice would keep the whole text in memory.
  const start = Buffer.from(text.slice(0, Math.max(0, end))).toString();
  const rest = Number.isFinite(length) ? `${length - start.length} more characters were` : 'the rest was';
  return `${start}… (${rest} not kept)`;
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
