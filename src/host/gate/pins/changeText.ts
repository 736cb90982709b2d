import { visibleText } from '../../../base/text/visibleText.ts';
import { capitalized, counted } from '../../../base/text/words.ts';
import { itemKinds, itemWords, type ItemKind, type PinnedItem } from '../../tools/pinnedItem.ts';
import { itemLines, proseLines, textLines } from '../../tools/toolText.ts';
import type { ChangedResource, SeenChange, ServerChanges } from './serverChanges.ts';

/** What was approved of one server, and what it says now, to compare side by side. */
export interface ChangeText {
  readonly before: string;
  readonly now: string;
}

/**
 * All changes of one server as two texts in the same order, with nothing invisible or cut. Equal
 * changes give equal texts, and different ones different texts.
 */
export function changeText(changes: ServerChanges): ChangeText {
  const { instructions, resources = [], isLost = false } = changes;
  const sectionsOf = (side: 'before' | 'now'): string =>
    [
      ...(instructions
        ? [section("The server's instructions to models", textOf(instructions[side], side, isLost))]
        : []),
      ...itemKinds.flatMap((kind) =>
        sorted(changes[kind] ?? [], ({ name }) => name).map((change) =>
          section(titleOf(kind, change), linesOf(change[side], isLost)),
        ),
      ),
      ...sorted(resources, ({ uri }) => uri).map((change) =>
        section(`Resource ${change.uri}`, side === 'before' ? [NOT_KEPT] : resourceLines(change)),
      ),
    ].join('\n\n');
  return { before: `${sectionsOf('before')}\n`, now: `${sectionsOf('now')}\n` };
}

function sorted<T>(changes: readonly T[], nameOf: (change: T) => string): readonly T[] {
  return changes.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

function resourceLines({ texts }: ChangedResource): readonly string[] {
  const { mimeType } = texts;
  return [...textLines(texts), ...(mimeType === undefined ? [] : [`MIME type: ${visibleText(mimeType)}`])];
}

const NOT_KEPT = '(other texts: of a resource, MCP Host keeps only a hash of them)';
const LOST = '(what you approved is lost: everything is shown as new)';

function textOf(
  instructions: string | undefined,
  side: 'before' | 'now',
  isLost: boolean,
): readonly string[] {
  const none = side === 'before' && isLost ? LOST : '(none)';
  return instructions === undefined ? [none] : proseLines(instructions);
}

function linesOf(item: PinnedItem | undefined, isLost: boolean): readonly string[] {
  return item ? itemLines(item) : [isLost ? LOST : '(not there when you approved the server)'];
}

function titleOf(kind: ItemKind, { name, renamedFrom }: SeenChange): string {
  const what = capitalized(itemWords[kind]);
  return renamedFrom === undefined ? `${what} ${name}` : `${what} ${renamedFrom}, now called ${name}`;
}

function section(title: string, lines: readonly string[]): string {
  const heading = visibleText(title);
  return [heading, '-'.repeat(Math.min(heading.length, 80)), ...lines].join('\n');
}

/** How much has changed, such as "2 tools, 1 prompt and the instructions". */
export function changeSummary(changes: ServerChanges): string {
  const { instructions, resources = [] } = changes;
  const parts = [
    ...itemKinds.map((kind) => [changes[kind]?.length ?? 0, itemWords[kind]] as const),
    [resources.length, 'resource'] as const,
  ];
  return new Intl.ListFormat('en-GB').format([
    ...parts.flatMap(([count, what]) => (count > 0 ? [counted(count, what)] : [])),
    ...(instructions ? ['the instructions'] : []),
  ]);
}

/** Only the changes of texts that can be allowed to vary; undefined when there are none. */
export function varyingPart(changes: ServerChanges): ServerChanges | undefined {
  const { serverId, instructions } = changes;
  const [tools = [], prompts = [], templates = []] = itemKinds.map((kind) =>
    changes[kind]?.filter(({ canVary }) => canVary),
  );
  const part: ServerChanges = {
    serverId,
    tools,
    ...(prompts.length > 0 && { prompts }),
    ...(templates.length > 0 && { templates }),
    ...(instructions?.canVary && { instructions }),
  };
  return tools.length + prompts.length + templates.length > 0 || part.instructions ? part : undefined;
}
