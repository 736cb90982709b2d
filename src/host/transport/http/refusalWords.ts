import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import { cutTo } from '../../../base/text/words.ts';
import { textBounds } from '../../json/bounds.ts';
import { withoutJson } from '../../errors/schemaIssues.ts';
import { answeredBy, asMessage } from '../../json/receivedMessage.ts';

/**
 * The members of a JSON body that may have the reason, the most specific first: OAuth (RFC 6749, 5.2), problem details
 * (RFC 9457), JSON-RPC and web frameworks. A short `error` or `title` often comes with a longer `message`.
 */
const places = ['error_description', 'detail', 'message', 'msg', 'error', 'errors', 'title'];
/** Levels of objects and lists that are searched for the reason. */
const MAX_LEVELS = 4;

/** The reason in the body of a refusal, as one bounded line; undefined for an HTML page. */
export function refusalWords(body: string): string | undefined {
  const text = body.trim();
  const json = jsonIn(text);
  const words = json === undefined ? firstLineOf(text) : wordsIn(json, MAX_LEVELS);
  if (words === undefined) {
    return undefined;
  }
  const line = withoutJson(words).replaceAll(/\s+/g, ' ').trim();
  return visibleText(cutTo(line, textBounds.words));
}

/** A body as JSON-RPC error, with that request's id or none; undefined for any other body. */
export function errorIn(body: string, request: RequestId = 0): JSONRPCErrorResponse | undefined {
  const value = jsonIn(body.trim());
  const isError = isRecord(value) && isRecord(value['error']) && value['result'] === undefined;
  const message = isError ? asMessage(value, request) : undefined;
  // `asMessage` replaces an invalid error by one of our own.
  const isSound = message && 'error' in message && isRecord(value) && isTheirs(message, value);
  return isSound ? message : undefined;
}

/** As `errorIn`, unless the body is the response to another request. */
export function errorAnswer(body: string, request: RequestId): JSONRPCErrorResponse | undefined {
  const error = errorIn(body, request);
  return error && answeredBy(error) === request ? error : undefined;
}

/**
 * Whether only an MCP server responds with this error: for an unknown method, a version, parameters, headers or
 * capabilities (2026-07-28, basic: error codes). Other programs use the codes of earlier revisions for anything.
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

/** The first line, unless the text is an HTML page, incomplete JSON or binary. */
function firstLineOf(text: string): string | undefined {
  const [line = ''] = text.split(/[\r\n]/, 1);
  return line === '' || /^[<{]/.test(line) || ['\0', '\uFFFD'].some((one) => line.includes(one))
    ? undefined
    : line;
}
