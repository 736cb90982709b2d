import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/record.ts';
import { visibleText } from '../../../base/visibleText.ts';
import { textBounds } from '../../errors/bounds.ts';
import { withoutJson } from '../../errors/schemaIssues.ts';
import { asMessage } from '../../json/receivedMessage.ts';
import { isAnswerTo } from './posted.ts';

/**
 * Where a JSON body says why, the most telling first: OAuth (RFC 6749, 5.2), problem details (RFC 9457), JSON-RPC and
 * what web frameworks write. A short `error` or `title` often stands beside a longer `message`.
 */
const places = ['error_description', 'detail', 'message', 'msg', 'error', 'errors', 'title'];
/** Levels of objects and lists in which words are looked for. */
const MAX_LEVELS = 4;

/** What a server says in the body of a refusal: one line, bounded, and nothing of a page. */
export function refusalWords(body: string): string | undefined {
  const text = body.trim();
  const json = jsonIn(text);
  const words = json === undefined ? firstLineOf(text) : wordsIn(json, MAX_LEVELS);
  if (words === undefined) {
    return undefined;
  }
  const line = withoutJson(words).replaceAll(/\s+/g, ' ').trim();
  return visibleText(line.length > textBounds.words ? `${line.slice(0, textBounds.words)}…` : line);
}

/** The JSON-RPC error that a body is, for that request or for nobody; undefined for all else. */
export function errorIn(body: string, request: RequestId = 0): JSONRPCErrorResponse | undefined {
  const value = jsonIn(body.trim());
  const isError = isRecord(value) && isRecord(value['error']) && value['result'] === undefined;
  const message = isError ? asMessage(value, request) : undefined;
  // What is no sound error becomes one of ours, with words of ours.
  const isSound = message && 'error' in message && isRecord(value) && isTheirs(message, value);
  return isSound ? message : undefined;
}

/** As `errorIn`, unless the body is the answer to another request. */
export function errorAnswer(body: string, request: RequestId): JSONRPCErrorResponse | undefined {
  const error = errorIn(body, request);
  return error && isAnswerTo(request, error) ? error : undefined;
}

/**
 * Whether an error is one that only a server of the protocol gives to what is posted to it: for an unknown method, for
 * a version, parameters, headers or capabilities (2026-07-28, basic: error codes). The codes of earlier revisions have
 * been given any meaning.
 */
export function isOfProtocol({ error: { code } }: JSONRPCErrorResponse): boolean {
  return code === -32601 || code === -32602 || (code <= -32020 && code >= -32099);
}

function isTheirs(
  { error }: JSONRPCErrorResponse,
  { error: sent }: Readonly<Record<string, unknown>>,
): boolean {
  return isRecord(sent) && sent['code'] === error.code && sent['message'] === error.message;
}

function jsonIn(text: string): unknown {
  if (!/^[[{"]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function wordsIn(value: unknown, levels: number): string | undefined {
  if (typeof value === 'string') {
    return value.trim() === '' ? undefined : value;
  }
  if (levels === 0 || typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return wordsIn(value[0], levels - 1);
  }
  for (const place of places) {
    const words = wordsIn((value as Readonly<Record<string, unknown>>)[place], levels - 1);
    if (words !== undefined) {
      return words;
    }
  }
  return undefined;
}

/** What is a page, cut JSON or no text says nothing in its first line. */
function firstLineOf(text: string): string | undefined {
  const [line = ''] = text.split(/[\r\n]/, 1);
  return line === '' || /^[<{]/.test(line) || ['\0', '\uFFFD'].some((one) => line.includes(one))
    ? undefined
    : line;
}
