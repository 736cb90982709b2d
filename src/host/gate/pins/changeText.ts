import { visibleText } from '../../../base/text/visibleText.ts';
import type { PinnedTool } from '../../tools/hostTool.ts';
import type { ServerChanges } from './serverChanges.ts';
import { proseLines, toolLines } from '../../tools/toolText.ts';

/** What was approved of one server, and what it says now, to compare side by side. */
export interface ChangeText {
  readonly before: string;
  readonly now: string;
}

/**
 * All changes of one server as two texts in the same order, with nothing invisible or cut. Equal
 * changes give equal texts, and different ones different texts.
 */
export function changeText({ instructions, tools, isLost = false }: ServerChanges): ChangeText {
  const sorted = tools.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const sectionsOf = (side: 'before' | 'now'): string =>
    [
      ...(instructions
        ? [section("The server's instructions to models", textOf(instructions[side], side, isLost))]
        : []),
      ...sorted.map((tool) => section(titleOf(tool), linesOf(tool[side], isLost))),
    ].join('\n\n');
  return { before: `${sectionsOf('before')}\n`, now: `${sectionsOf('now')}\n` };
}

const LOST = '(what you approved is lost: everything is shown as new)';

function textOf(
  instructions: string | undefined,
  side: 'before' | 'now',
  isLost: boolean,
): readonly string[] {
  const none = side === 'before' && isLost ? LOST : '(none)';
  return instructions === undefined ? [none] : proseLines(instructions);
}

function linesOf(tool: PinnedTool | undefined, isLost: boolean): readonly string[] {
  return tool ? toolLines(tool) : [isLost ? LOST : '(not there when you approved the server)'];
}

function titleOf({ name, renamedFrom }: { readonly name: string; readonly renamedFrom?: string }): string {
  return renamedFrom === undefined ? `Tool ${name}` : `Tool ${renamedFrom}, now called ${name}`;
}

function section(title: string, lines: readonly string[]): string {
  const heading = visibleText(title);
  return [heading, '-'.repeat(Math.min(heading.length, 80)), ...lines].join('\n');
}

/** How much has changed, such as "2 tools and the instructions". */
export function changeSummary({ instructions, tools }: ServerChanges): string {
  return [
    ...(tools.length > 0 ? [tools.length === 1 ? '1 tool' : `${tools.length} tools`] : []),
    ...(instructions ? ['the instructions'] : []),
  ].join(' and ');
}

/** Only the changes of texts that can be allowed to vary; undefined when there are none. */
export function varyingPart(changes: ServerChanges): ServerChanges | undefined {
  const { serverId, instructions } = changes;
  const tools = changes.tools.filter(({ canVary }) => canVary);
  const part = instructions?.canVary ? { serverId, tools, instructions } : { serverId, tools };
  return tools.length > 0 || part.instructions ? part : undefined;
}
