import { visibleJson, visibleText } from '../../base/text/visibleText.ts';
import { sizeText } from '../../base/text/words.ts';
import { indentJson } from '../json/indentJson.ts';
import { readable } from '../json/readableText.ts';
import { exchangeText } from './httpExchange.ts';
import type { TrafficEntry } from './trafficEntry.ts';
import { nameOf, relationText, timeText } from './trafficLine.ts';

const kinds = {
  request: 'Request',
  notification: 'Notification',
  result: 'Result of',
  error: 'Error for',
} as const;
const sources = {
  stderr: ' on stderr',
  stdout: ' on stdout, no message',
  http: ' over HTTP',
  session: '',
} as const;

/** An entry of the traffic of a server as a document to read: JSON with comments above it. */
export function trafficDocument(entry: TrafficEntry, label: string): string {
  const time = timeText(entry.at);
  if (entry.kind !== 'message') {
    const title = `Entry ${entry.number} of '${label}', at ${time}${sources[entry.kind]}`;
    return `${comment([title, ...faultsOf(entry)])}\n${comment(entry.text.split('\n'))}\n`;
  }
  const { number, direction, json, bytes, relation, ms, note, answer, isCancelled, exchange } = entry;
  const facts = [
    `${kinds[entry.is]} ${nameOf(entry)}`,
    relationText(relation),
    ms === undefined ? undefined : `after ${ms} ms`,
    note,
    answer === undefined ? undefined : `answered by ${answer}`,
    isCancelled === true ? 'cancelled' : undefined,
  ].filter((fact) => fact !== undefined);
  const head = [
    `Message ${number} of '${label}', ${direction} at ${time}, ${sizeText(bytes)}`,
    facts.join(', '),
    ...faultsOf(entry),
    ...(exchange ? ['', ...exchangeText(exchange, undefined).split('\n')] : []),
  ];
  const body = json === undefined ? comment(['It is too large to keep.']) : indentJson(visibleJson(json));
  return `${comment(head)}\n${body}\n`;
}

function faultsOf({ faults }: TrafficEntry): readonly string[] {
  return faults.map(({ text, clause, revision, isAdvice }) => {
    return `${isAdvice ? 'Advice' : 'Fault'}: ${text} (${revision}, ${clause})`;
  });
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => `// ${visibleText(readable(line))}`.trimEnd()).join('\n');
}
