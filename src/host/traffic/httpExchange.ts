import { HIDDEN } from '../../base/logging/redacting.ts';
import { messageOf } from '../errors/hostError.ts';
import type { HttpExchange } from './trafficEntry.ts';

/** Headers whose values say how both sides talk, and nothing about who you are. */
const shown: ReadonlySet<string> = new Set([
  'accept',
  'allow',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'retry-after',
  'server',
  'transfer-encoding',
  'vary',
  'www-authenticate',
]);
const shownPrefix = 'mcp-param-';

/** What was requested, and how that ended: with a response, or with an error. `redact` removes what is known to be secret. */
export function exchangeOf(
  url: string,
  { method = 'GET', headers }: RequestInit,
  ms: number,
  end: unknown,
  redact: (text: string) => string,
): HttpExchange {
  const isResponse = end instanceof Response;
  return {
    method,
    ...placeOf(url, redact),
    headers: headersOf(new Headers(headers), redact),
    outcome: redact(isResponse ? `${end.status} ${end.statusText}`.trim() : messageOf(end)),
    responseHeaders: isResponse ? headersOf(end.headers, redact) : [],
    ms,
  };
}

/** An exchange as text: what happened on the first line, then the headers. `number` is that of the message posted. */
export function exchangeText(exchange: HttpExchange, number: number | undefined): string {
  const { method, url, query, headers, outcome, responseHeaders, ms } = exchange;
  const place = `${url}${query.length > 0 ? `?${query.map((name) => `${name}=${HIDDEN}`).join('&')}` : ''}`;
  const type = responseHeaders.find(([name]) => name === 'content-type')?.[1];
  const facts = [...(number === undefined ? [] : [`message ${number}`]), `${ms} ms`, ...(type ? [type] : [])];
  return [
    `${method} ${place}: ${outcome} (${facts.join(', ')})`,
    '',
    ...headers.map(headerText),
    '',
    ...responseHeaders.map(headerText),
  ].join('\n');
}

/** A command for a POSIX shell that posts the same message. Values that may be secret are variables to set before. */
export function curlCommand({ method, url, query, headers }: HttpExchange, json: string): string {
  const values = query.map(
    (name, index) =>
      `${quoted(`${index === 0 ? '?' : '&'}${encodeURIComponent(name)}=`)}"$${variableFor(name)}"`,
  );
  const named = headers.map(([name, value]) =>
    value === undefined ? `${quoted(`${name}: `)}"$${variableFor(name)}"` : quoted(`${name}: ${value}`),
  );
  return [
    `curl --request ${method} ${quoted(url)}${values.join('')}`,
    ...named.map((header) => `--header ${header}`),
    `--data-raw ${quoted(json)}`,
  ].join(' \\\n  ');
}

/** In single quotes nothing has a meaning but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function variableFor(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/\W/g, '_')
    .replace(/^(?=\d)/, '_');
}

/** A query may have the ID of a session in it, as HTTP+SSE has, or a key. */
function placeOf(text: string, redact: (text: string) => string): Pick<HttpExchange, 'url' | 'query'> {
  const { origin, pathname, searchParams } = new URL(text);
  return { url: redact(origin + pathname), query: [...searchParams.keys()].map(redact) };
}

function headersOf(headers: Headers, redact: (text: string) => string): HttpExchange['headers'] {
  return [...headers].map(([name, value]) => [
    name,
    shown.has(name) || name.startsWith(shownPrefix) ? redact(value) : undefined,
  ]);
}

function headerText([name, value = HIDDEN]: HttpExchange['headers'][number]): string {
  return `${name}: ${value}`;
}
