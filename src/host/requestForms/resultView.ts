import type { CallToolResult, GetPromptResult } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import { counted } from '../../base/text/words.ts';
import { contentSection, type FoundMedia, type Openable } from '../documents/contentSection.ts';
import { blocksOf, MAX_BLOCKS, parseContainer, textOf } from '../documents/resultBlocks.ts';
import { roleName, withPlainBreaks } from '../documents/promptText.ts';
import { beginningOf, longText, proseText, type LongText, type PanelText } from '../questions/panelText.ts';
import type { MediaContent } from '../results/mediaContent.ts';
import { unreadableIn } from '../results/unreadableContent.ts';
import { dataView, type DataView } from './dataView.ts';

/** A result below its form: nothing in it is interpreted. */
export interface ResultView {
  /** The heading, such as `Result`. */
  readonly title: string;
  /** What to know about it in any case, as a sentence. */
  readonly about?: string;
  readonly sections: readonly SectionView[];
  /** What the page leaves out, as a sentence. */
  readonly leftOut?: string;
}

/** A block of a result, or its structured content. */
interface SectionView {
  readonly title: string;
  readonly text?: LongText;
  readonly data?: DataView;
  readonly pictures: readonly MediaView[];
  readonly sounds: readonly MediaView[];
  readonly opens: readonly OpenView[];
}

interface MediaView {
  /** A `data:` URI of a type that the editor shows or plays, checked against its bytes. */
  readonly source: string;
  readonly name: string;
}

/** What can be opened: the page answers with the index. */
interface OpenView {
  readonly index: number;
  readonly label: string;
  readonly what: PanelText;
}

/** Characters of one text, and bytes of all pictures and sounds, that the page has; the document has the rest. */
const MAX_TEXT = 200_000;
const MAX_MEDIA = 10_000_000;

/** The view of a tool's result (server/tools), and what can be opened from it. */
export function resultView(result: CallToolResult): ShownSections {
  const { blocks, structured } = blocksOf(result);
  const sections = new Sections();
  for (const block of blocks.slice(0, MAX_BLOCKS)) {
    const text = unreadableIn(block) ? undefined : textOf(block);
    const data = text !== undefined && text.length <= MAX_TEXT ? parseContainer(text) : undefined;
    if (data === undefined) {
      sections.add(block, (title) => title);
    } else {
      sections.addData(sections.titleOf(block).replace(/^Text/, 'Text, JSON'), data);
    }
  }
  if (structured !== undefined) {
    sections.addData('Structured content', structured);
  }
  const title = result.isError === true ? 'The tool reported an error' : 'Result';
  return sections.shown({ title }, blocks.length - MAX_BLOCKS);
}

/** The view of a prompt's messages (server/prompts), and what can be opened from them. */
export function promptView(result: GetPromptResult): ShownSections {
  const messages: readonly unknown[] = Array.isArray(result.messages) ? result.messages : [];
  const blocks = messages.flatMap((message) => {
    const { role, content } = isRecord(message) ? message : { role: undefined, content: message };
    const within: readonly unknown[] = Array.isArray(content) ? content : [content];
    return within.map((block) => ({ role, block }));
  });
  const sections = new Sections();
  for (const { role, block } of blocks.slice(0, MAX_BLOCKS)) {
    const text = unreadableIn(block) ? undefined : textOf(block);
    const titled = (title: string): string =>
      title === 'Text' ? roleName(role) : `${roleName(role)}: ${title}`;
    if (text === undefined) {
      sections.add(block, titled);
    } else {
      sections.addProse(titled(sections.titleOf(block)), withPlainBreaks(text));
    }
  }
  const about = 'Nothing has been sent. Read the text, then choose below what to do with it.';
  return sections.shown({ title: 'Prompt', about }, blocks.length - MAX_BLOCKS);
}

const noMedia = { pictures: [], sounds: [], opens: [] } as const;

/** What a page shows of a result, and what can be opened from it. */
interface ShownSections {
  readonly view: ResultView;
  readonly openables: readonly Openable[];
}

/** The sections of one result. */
class Sections {
  readonly #sections: SectionView[] = [];
  readonly #openables: Openable[] = [];
  readonly #found: FoundMedia = { images: [], audio: [] };
  #mediaBytes = 0;
  #isCut = false;

  /** What a block is called. */
  titleOf(block: unknown): string {
    return contentSection(block, { images: [], audio: [] }).title;
  }

  add(block: unknown, titled: (title: string) => string): void {
    const { title, text, opens } = contentSection(block, this.#found);
    const first = this.#openables.length;
    this.#openables.push(...opens);
    const of = (kind: 'image' | 'audio'): readonly MediaView[] =>
      opens.flatMap((one) => (one.kind === kind ? this.#mediaOf(one.media) : []));
    this.#sections.push({
      title: titled(title),
      text: this.#beginningOf(text, longText),
      pictures: of('image'),
      sounds: of('audio'),
      opens: opens.map((one, index) => openView(one, first + index)),
    });
  }

  addData(title: string, value: unknown): void {
    this.#sections.push({ title, data: dataView(value), ...noMedia });
  }

  addProse(title: string, text: string): void {
    this.#sections.push({ title, text: this.#beginningOf(text, proseText), ...noMedia });
  }

  shown(head: Pick<ResultView, 'title' | 'about'>, more: number): ShownSections {
    const leftOut = [
      ...(more > 0 ? [`${counted(more, 'more block')} of this result`] : []),
      ...(this.#isCut ? ['the rest of a long text'] : []),
    ];
    const missing = `Open it as a document to see ${leftOut.join(' and ')}.`;
    return {
      view: { ...head, sections: this.#sections, ...(leftOut.length > 0 && { leftOut: missing }) },
      openables: this.#openables,
    };
  }

  /** What the page has of it: nothing once there is too much. */
  #mediaOf({ bytes, mimeType, name }: MediaContent): readonly MediaView[] {
    this.#mediaBytes += bytes.length;
    return this.#mediaBytes <= MAX_MEDIA
      ? [{ source: `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`, name }]
      : [];
  }

  #beginningOf(text: string, shown: typeof longText): LongText {
    this.#isCut ||= text.length > MAX_TEXT;
    return beginningOf(text, MAX_TEXT, shown);
  }
}

function openView(opens: Openable, index: number): OpenView {
  switch (opens.kind) {
    case 'resource':
      return { index, label: 'Open Resource', what: visibleParts(opens.uri) };
    case 'image':
      return { index, label: 'Open Image', what: visibleParts(opens.media.name) };
    case 'audio':
      return { index, label: 'Open Sound', what: visibleParts(opens.media.name) };
  }
}
