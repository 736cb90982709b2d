import { visibleText } from '../../base/text/visibleText.ts';
import { cutTo, sizeText } from '../../base/text/words.ts';
import { trafficBounds } from '../json/bounds.ts';
import type { Relation, TrafficEntry, TrafficMessage } from './trafficEntry.ts';

const signs = { sent: '→', received: '←', note: '·' } as const;
const notes = { stderr: '[stderr] ', stdout: '[stdout, no message] ', http: '', session: '' } as const;
const kinds = { request: '', notification: '', result: 'result of ', error: 'error for ' } as const;
const NUMBER_WIDTH = 5;

/** What follows what a message carries, if all of that is on the line. */
const envelope = /,"jsonrpc":"2\.0"(?:,"id":(?:\d{1,15}|"[^"]{0,40}"))?$/;

/** An entry on one line of at most 200 characters: time, number, direction, what it is, and the beginning of its JSON. */
export function trafficLine(entry: TrafficEntry): string {
  const sign = entry.kind === 'message' ? signs[entry.direction] : signs.note;
  const words = entry.kind === 'message' ? messageWords(entry) : noteWords(entry.kind, entry.text);
  const number = String(entry.number).padStart(NUMBER_WIDTH);
  const line = `${timeText(entry.at)} ${number} ${entry.isFailure ? '✗' : ' '} ${sign} ${visibleText(words).trimEnd()}`;
  return cutTo(line, trafficBounds.lineCharacters - 1);
}

/** What a line begins with. */
const lineStart = /^\d\d:\d\d:\d\d\.\d{3} {1,5}(\d{1,15}) [ ✗] [→←·] /;

/** The number on a line of the list; undefined for any other line. */
export function numberOnLine(line: string): number | undefined {
  const [, number] = lineStart.exec(line) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** From where to where a line says what its entry is. */
export function wordsOnLine(line: string): readonly [start: number, end: number] {
  const start = lineStart.exec(line)?.[0].length ?? 0;
  const end = line.indexOf(' (', start);
  return [start, end === -1 ? line.length : end];
}

/** A local time of day with milliseconds. */
export function timeText(at: number): string {
  const date = new Date(at);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** What a message is about, such as `tools/call echo`. */
export function nameOf({ method = 'a request that was not recorded', target }: TrafficMessage): string {
  return target === undefined ? method : `${method} ${target}`;
}

/** What a message belongs to; undefined if to nothing that is known. */
export function relationText(relation: Relation | undefined): string | undefined {
  if (!relation) {
    return undefined;
  }
  const isSure = relation.numbers.length === 1;
  const word = relation.as === 'within' && !isSure ? 'during' : relation.as;
  return `${word} ${relation.numbers.slice(0, 5).join(', ')}${relation.numbers.length > 5 ? '…' : ''}`;
}

function messageWords(message: TrafficMessage): string {
  const { relation, ms, bytes, note, json } = message;
  const facts = [
    relationText(relation),
    ms === undefined ? undefined : `${ms} ms`,
    json === undefined ? 'too large to keep' : sizeText(bytes),
    note,
  ].filter((fact) => fact !== undefined);
  return `${kinds[message.is]}${nameOf(message)} (${facts.join(', ')})  ${beginningOf(json ?? '')}`;
}

function noteWords(kind: keyof typeof notes, text: string): string {
  const end = text.indexOf('\n');
  return notes[kind] + beginning(end === -1 ? text : text.slice(0, end));
}

/** The beginning of what the message carries: the line says the rest. */
function beginningOf(json: string): string {
  const [found] = /"(?:params|result|error)":/.exec(json.slice(0, 1_000)) ?? [];
  return found === undefined
    ? ''
    : beginning(json.slice(json.indexOf(found) + found.length, -1)).replace(envelope, '');
}

function beginning(text: string): string {
  return text.slice(0, trafficBounds.lineCharacters);
}
