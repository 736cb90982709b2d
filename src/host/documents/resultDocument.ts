import type { CallToolResult } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { contentSection, type ContentSection, type FoundMedia, type Openable } from './contentSection.ts';
import { indentJson } from '../json/indentJson.ts';
import { blocksOf, MAX_BLOCKS, parseContainer, textOf } from './resultBlocks.ts';
import type { MediaContent } from '../results/mediaContent.ts';
import { compactJson, MAX_CHARACTERS, printJson, readable, withSeparators } from '../json/readableText.ts';
import { unreadableIn } from '../results/unreadableContent.ts';

/** A call that has ended. */
export interface FinishedCall {
  /** The server's name as you see it. */
  readonly server: string;
  readonly tool: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** The arguments as sent; undefined if they aren't kept. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  /** Arguments whose values are not written down. */
  readonly secrets: ReadonlySet<string>;
  /** Notes on how the call went: sentences of ours, a line each. */
  readonly notes?: readonly string[] | undefined;
}

/** Something in a result that can be opened. */
export interface ResultPlace {
  /** The line of its section's title, from 0, as the editor counts lines. */
  readonly line: number;
  readonly opens: Openable;
}

/** A result to read: nothing in it is interpreted. */
export interface ResultDocument {
  readonly text: string;
  /** `jsonc` when the whole result is one piece of JSON, with the header as comments. */
  readonly language: 'plaintext' | 'jsonc';
  readonly images: readonly MediaContent[];
  readonly audio: readonly MediaContent[];
  /** What can be opened, from the top. */
  readonly places: readonly ResultPlace[];
}

/**
 * A tool's result (server/tools) as a document: each block by its type, under a header that says what
 * was called. A failed tool also has a result.
 */
export function resultDocument(call: FinishedCall, result: CallToolResult): ResultDocument {
  const { blocks, structured } = blocksOf(result);
  const json = soleJson(blocks, structured);
  if (json !== undefined) {
    const header = headerOf(call, result).map((line) => `// ${line}`.trimEnd());
    return {
      text: `${header.join('\n')}\n${withSeparators(indentJson(json), '\\u2028', '\\u2029')}\n`,
      language: 'jsonc',
      images: [],
      audio: [],
      places: [],
    };
  }
  const images: MediaContent[] = [];
  const audio: MediaContent[] = [];
  const header = `${headerOf(call, result).join('\n')}\n\n`;
  const places: ResultPlace[] = [];
  let line = linesIn(header);
  const sections = blocks.slice(0, MAX_BLOCKS).map((block) => {
    const { title, text, opens } = sectionOf(block, { images, audio });
    const whole = `--- ${title} ---\n${text}`;
    const first = line;
    places.push(...opens.map((one) => ({ line: first, opens: one })));
    line += linesIn(`${whole}\n\n`);
    return whole;
  });
  if (blocks.length > MAX_BLOCKS) {
    sections.push(`--- ${blocks.length - MAX_BLOCKS} more blocks are not shown ---`);
  }
  if (structured !== undefined) {
    sections.push(`--- Structured content ---\n${readable(printJson(structured))}`);
  }
  if (sections.length === 0) {
    sections.push('The tool returned no content.');
  }
  return {
    text: `${header}${sections.join('\n\n')}\n`,
    language: 'plaintext',
    images,
    audio,
    places,
  };
}

/** The whole of a tool's result as indented JSON, each block as the server sent it. */
export function resultJson(result: CallToolResult): string {
  const content: unknown = result.content;
  return printJson({
    ...result,
    ...(Array.isArray(content) && {
      content: content.map((block: unknown) => unreadableIn(block)?.block ?? block),
    }),
  });
}

function headerOf(call: FinishedCall, { isError }: CallToolResult): readonly string[] {
  const shown = Object.entries(call.args ?? {}).map(([name, value]) => [
    name,
    call.secrets.has(name) ? '(not shown)' : value,
  ]);
  const args =
    shown.length === 0
      ? call.args
        ? 'none'
        : 'not kept'
      : printJson(Object.fromEntries(shown)).split('\n').map(visibleText).join('\n');
  const first = [
    ...(isError === true ? ['The tool reported an error.'] : []),
    ...(call.notes ?? []).map(visibleText),
  ];
  return [
    ...first,
    ...(first.length > 0 ? [''] : []),
    `Server: ${visibleText(call.server)}`,
    `Tool: ${visibleText(call.tool)}`,
    `Called: ${localTime(call.startedAt)}, took ${duration(call.durationMs)}`,
    ...`Arguments: ${args}`.split('\n'),
  ];
}

/** A block as a section; a text that is JSON is indented. */
function sectionOf(block: unknown, found: FoundMedia): ContentSection {
  const section = contentSection(block, found);
  const text = unreadableIn(block) ? undefined : textOf(block);
  if (text === undefined || text.length > MAX_CHARACTERS || parseContainer(text) === undefined) {
    return section;
  }
  return {
    ...section,
    title: section.title.replace(/^Text/, 'Text, JSON'),
    text: readable(indentJson(text)),
  };
}

/** The line breaks in a text as the editor counts them. */
function linesIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

/** The JSON text, as sent, if there is nothing else to show. */
function soleJson(blocks: readonly unknown[], structured: unknown): string | undefined {
  const [block] = blocks;
  if (structured !== undefined) {
    return blocks.length === 0 && mayBeJsonDocument(structured) ? compactJson(structured) : undefined;
  }
  const text = blocks.length === 1 ? textOf(block) : undefined;
  const value = text === undefined || text.length > MAX_CHARACTERS ? undefined : parseContainer(text);
  return value !== undefined && mayBeJsonDocument(value) ? text : undefined;
}

/** The editor fetches the schema that a JSON document names, so a document with one is shown as plain text. */
function mayBeJsonDocument(value: unknown): boolean {
  return !(isRecord(value) && '$schema' in value);
}

/** A readable duration. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The local time, such as `2026-03-14 14:03:22`. */
export function localTime(time: Date): string {
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
