import { visibleJson, visibleText } from '../../base/text/visibleText.ts';
import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import { indentJson } from '../json/indentJson.ts';
import { targetIn } from './targetIn.ts';
import type { RecordedMessage, Recording } from './recording.ts';

/** Members that differ each time. */
const changing = new Set(['progressToken', 'requestId']);

/** The messages of a recording to compare with those of another one: without times, and without IDs. */
export function comparedText({ messages }: Recording): string {
  const asked = new Map<string, string>();
  return messages.map((recorded) => `${titleOf(recorded, asked)}\n${bodyOf(recorded.message)}`).join('\n');
}

/** `asked` has what was asked for, by who asked and the ID. */
function titleOf({ session, from, message }: RecordedMessage, asked: Map<string, string>): string {
  const sign = from === 'client' ? '→' : '←';
  const { id, method, params, error } = message;
  if (typeof method !== 'string') {
    const by = from === 'client' ? 'server' : 'client';
    const request = asked.get(keyOf(session, by, id)) ?? 'a request that was not recorded';
    return `${sign} ${error === undefined ? 'result of' : 'error for'} ${request}`;
  }
  const words = visibleText([method, targetIn(params) ?? []].flat().join(' '));
  if (id !== undefined) {
    asked.set(keyOf(session, from, id), words);
  }
  return `${sign} ${words}`;
}

function bodyOf({ params, result, error }: UnknownRecord): string {
  const value = params ?? result ?? error;
  const json = JSON.stringify(value, (name, part: unknown) => (isLeftOut(name, part) ? undefined : part));
  return value === undefined ? '' : `${indentJson(visibleJson(json))}\n`;
}

function isLeftOut(name: string, part: unknown): boolean {
  const isOnlyToken =
    name === '_meta' && isRecord(part) && Object.keys(part).every((one) => changing.has(one));
  return isOnlyToken || changing.has(name);
}

function keyOf(session: number, from: string, id: unknown): string {
  return `${session} ${from} ${String(id)}`;
}
