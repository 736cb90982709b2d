import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import { redacted } from '../../base/logging/redacting.ts';
import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import { recordingBounds } from '../json/bounds.ts';
import { withoutTaskIds } from '../json/taskIds.ts';
import type { TrafficEntry } from './trafficEntry.ts';

/** The end of the name of a recording. */
export const RECORDING_ENDING = '.mcp.jsonl';
const FORMAT = 'mcp-recording';
const VERSION = 1;

/** What a server was when its traffic was recorded; what isn't known is absent, as while it doesn't run. */
export interface RecordedServer {
  /** Its name in the editor. */
  readonly server: string;
  readonly revision?: string | undefined;
  readonly serverInfo?: Implementation | undefined;
  readonly capabilities?: ServerCapabilities | undefined;
  readonly instructions?: string | undefined;
  /** What it offered, by the member of the list's result: its lists may have been read before. */
  readonly lists?: UnknownRecord | undefined;
}

/** One message in a recording. */
export interface RecordedMessage {
  /** The number of its line in the file. */
  readonly line: number;
  /** Counted from 1: IDs begin again with each session. */
  readonly session: number;
  readonly from: 'client' | 'server';
  readonly message: UnknownRecord;
}

export interface Recording {
  readonly server: RecordedServer;
  readonly messages: readonly RecordedMessage[];
}

/**
 * The traffic of a server as JSON Lines: what the server was, then a line for each entry. Values that are known to be secret,
 * also since the entry was recorded, and IDs of tasks are not in it.
 */
export function* recordingLines(
  server: RecordedServer,
  entries: readonly TrafficEntry[],
  secrets: Iterable<string>,
): Generator<string> {
  const head = JSON.stringify({ format: FORMAT, version: VERSION, ...server }, withoutTaskIds);
  yield `${redacted(head, secrets)}\n`;
  for (const entry of entries) {
    yield `${redacted(lineOf(entry), secrets)}\n`;
  }
}

/**
 * Reads a recording.
 *
 * @throws an Error with a clause: the number of the line that is wrong, and why.
 */
export function readRecording(text: string): Recording {
  const lines = text.split('\n');
  const isCutOff = lines.at(-1) !== '';
  const last = lines.length - (isCutOff ? 0 : 1);
  const server = headIn(objectOn(lines[0] ?? '', 1, isCutOff && last === 1));
  const messages: RecordedMessage[] = [];
  const sent = new Map<string, number>();
  for (let line = 2; line <= last; line += 1) {
    const { session, from, message } = objectOn(lines[line - 1] ?? '', line, isCutOff && line === last);
    if (message === undefined) {
      continue;
    }
    if (!isRecord(message) || typeof session !== 'number' || (from !== 'client' && from !== 'server')) {
      throw fault(line, 'has no message of a client or a server');
    }
    if (from === 'client' && message['method'] !== undefined && message['id'] !== undefined) {
      const key = `${session} ${JSON.stringify(message['id'])}`;
      const before = sent.get(key);
      if (before !== undefined) {
        throw fault(line, `uses the ID of line ${before} again`);
      }
      sent.set(key, line);
    }
    messages.push({ line, session, from, message });
  }
  return { server, messages };
}

/** @throws an Error with a clause if a file is too large to be read as a recording. */
export function checkSize(bytes: number): void {
  if (bytes > recordingBounds.bytes) {
    throw new Error(`a recording has ${recordingBounds.bytes / 2 ** 20} MB at most`);
  }
}

function lineOf(entry: TrafficEntry): string {
  const { session, at: time } = entry;
  const at = new Date(time).toISOString();
  if (entry.kind !== 'message') {
    return JSON.stringify({ session, at, note: entry.kind, text: entry.text });
  }
  const from = entry.direction === 'sent' ? 'client' : 'server';
  const start = JSON.stringify({ session, at, from });
  return entry.json?.startsWith('{') === true ? `${start.slice(0, -1)},"message":${entry.json}}` : start;
}

function headIn({ format, version, server, ...facts }: UnknownRecord): RecordedServer {
  if (format !== FORMAT || typeof server !== 'string') {
    throw fault(1, `is not the beginning of a recording: it has no "format": "${FORMAT}"`);
  }
  if (version !== VERSION) {
    throw fault(1, `says version ${JSON.stringify(version)}: update MCP Host to read it`);
  }
  return { ...facts, server };
}

function objectOn(text: string, line: number, isCutOff: boolean): UnknownRecord {
  if (text.length > recordingBounds.lineCharacters) {
    throw fault(line, `has more than ${recordingBounds.lineCharacters / 2 ** 20} million characters`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fault(line, isCutOff ? 'is cut off' : 'is not JSON');
  }
  if (!isRecord(value)) {
    throw fault(line, 'is not an object of JSON');
  }
  return value;
}

function fault(line: number, why: string): Error {
  return new Error(`line ${line} ${why}`);
}
