import { isRecord } from '../../base/values/record.ts';
import { visibleProse, visibleText } from '../../base/text/visibleText.ts';
import { bytes, contentSection } from './contentSection.ts';
import { indentJson } from '../json/indentJson.ts';
import { printJson, readable } from '../json/readableText.ts';
import { duration, localTime } from './resultDocument.ts';
import type { LedgerContent } from '../ledger/ledgerContent.ts';
import { isOfServer, type LedgerEntry, type LedgerMethod } from '../ledger/ledgerEntry.ts';
import {
  askerText,
  countWords,
  decisionWords,
  endWords,
  figuresWords,
  targetWords,
} from '../ledger/ledgerWords.ts';

/** Pieces of a result that are shown one by one. */
const MAX_PIECES = 1_000;

const FORGOTTEN =
  'The arguments and the result are no longer kept. They stay in memory until the window closes, and on the disk only with the setting mcpHost.activity.storeContent.';

/** What an entry says, a line each. */
export function entryLines(entry: LedgerEntry): readonly string[] {
  const { at, caller, durationMs, problem, sampling, task } = entry;
  return [
    `Asked by: ${askerText(caller)}`,
    `Decision: ${decisionWords(entry)}`,
    `Outcome: ${endWords(entry)}`,
    ...(task ? ['Ran as: a task of the server'] : []),
    ...(problem === undefined ? [] : [`Problem: ${problem}`]),
    ...(sampling ? [`Tokens: ${figuresWords(sampling)}`] : []),
    ...countWords(entry).map((words) => `Count: ${words}`),
    `Began: ${localTime(new Date(at))}, took ${duration(durationMs)}`,
    `Size: ${sizeWords(entry.sentBytes)} sent, ${sizeWords(entry.receivedBytes)} received`,
  ];
}

function sizeWords(count: number): string {
  return count === 0 ? 'nothing' : bytes(count);
}

/** An entry as a readable text: who asked for what, how it ended, then the arguments and the result. */
export function entryDocument(entry: LedgerEntry, content: LedgerContent | undefined): string {
  const header = [`Server: ${entry.server}`, `${targetWords(entry)}: ${entry.target}`, ...entryLines(entry)];
  const said =
    entry.method === 'completion/complete'
      ? ['What was typed, and what was suggested, is not kept.']
      : content === undefined
        ? [FORGOTTEN]
        : sectionsOf(entry, content);
  return `${[header.map(visibleText).join('\n'), ...said].join('\n\n')}\n`;
}

function sectionsOf(
  { method, task }: Pick<LedgerEntry, 'method' | 'task'>,
  { args, result }: LedgerContent,
): readonly string[] {
  // A call has arguments; a later window of its task doesn't know them.
  const without = task ? 'not kept' : 'none';
  const title = isOfServer(method) ? 'Asked by the server' : 'Arguments';
  return [
    `--- ${title} ---\n${args === undefined ? without : shown(indentIfJson(args))}`,
    ...(result === undefined ? ['There was no result.'] : resultSections(method, result)),
  ];
}

/** A result piece by piece where its parts are known; otherwise unchanged. */
function resultSections(method: LedgerMethod, text: string): readonly string[] {
  const result = parsed(text);
  if (!isRecord(result)) {
    return [`--- Result ---\n${shown(text)}`];
  }
  const all = piecesOf(method, result);
  const sections = all.slice(0, MAX_PIECES).map(({ title, block }) => {
    const section = contentSection(block, { images: [], audio: [] });
    return `--- Result: ${title}${section.title} ---\n${shown(section.text)}`;
  });
  if (all.length > MAX_PIECES) {
    sections.push(`--- ${all.length - MAX_PIECES} more pieces are not shown ---`);
  }
  if (result['structuredContent'] !== undefined) {
    sections.push(`--- Result: Structured content ---\n${shown(printJson(result['structuredContent']))}`);
  }
  return sections.length > 0 ? sections : [`--- Result ---\n${shown(indentIfJson(text))}`];
}

interface Piece {
  readonly title: string;
  readonly block: unknown;
}

function piecesOf(method: LedgerMethod, result: Readonly<Record<string, unknown>>): readonly Piece[] {
  switch (method) {
    case 'tools/call':
      return listOf(result['content']).map((block) => ({ title: '', block }));
    case 'resources/read':
      return listOf(result['contents']).map((resource) => ({
        title: '',
        block: { type: 'resource', resource },
      }));
    case 'prompts/get':
      return listOf(result['messages']).map((message) =>
        isRecord(message)
          ? { title: message['role'] === 'assistant' ? 'Assistant, ' : 'User, ', block: message['content'] }
          : { title: '', block: message },
      );
    case 'completion/complete':
    case 'elicitation/create':
      return [];
    case 'sampling/createMessage':
      return [result['content'] ?? []].flat().map((block) => ({ title: '', block }));
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function indentIfJson(text: string): string {
  return parsed(text) === undefined ? text : indentJson(text);
}

/** The value of a JSON text; undefined for one that was cut. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shown(text: string): string {
  return readable(visibleProse(text).text);
}
