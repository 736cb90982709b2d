import { counted, shortNumber } from '../../base/text/words.ts';
import { isForModels, type HostTool } from './hostTool.ts';
import { tokensOfTools } from './tokenEstimate.ts';

/** True for a tool that is not offered until its change, or the tool as a whole, is accepted. */
export function isHeldBack({ standing }: HostTool): boolean {
  return standing.kind === 'changed' || standing.kind === 'added';
}

/** True for a tool that is offered, or will be as soon as it has been compared. */
export function isShown(tool: HostTool): boolean {
  return tool.isExposed && !isHeldBack(tool) && isForModels(tool);
}

/** What models may use of a server's tools, in a few words and in numbers. */
export interface ToolSummary {
  readonly text: string;
  readonly on: number;
  readonly heldBack: number;
}

export function toolSummary(tools: readonly HostTool[]): ToolSummary {
  const shown = tools.filter(isShown);
  const changed = tools.filter(({ standing }) => standing.kind === 'changed').length;
  const added = tools.filter(({ standing }) => standing.kind === 'added').length;
  const total = tools.filter(isForModels).length;
  const parts = [
    ...(changed > 0 ? [`${counted(changed, 'tool')} changed`] : []),
    ...(added > 0 ? [`${counted(added, 'tool')} new`] : []),
    onText(shown.length, total),
    ...(shown.length > 0 ? [`≈ ${shortNumber(tokensOfTools(shown))} tokens`] : []),
  ];
  return { text: total === 0 ? 'none' : parts.join(' · '), on: shown.length, heldBack: changed + added };
}

function onText(on: number, total: number): string {
  return on === total ? `${total} on` : `${on === 0 ? 'none' : on} of ${total} on`;
}

/** Tools that are held back first, otherwise in the server's order. */
export function inOrderOfConcern(tools: readonly HostTool[]): readonly HostTool[] {
  const changed = tools.filter(isHeldBack);
  return changed.length === 0 ? tools : [...changed, ...tools.filter((tool) => !isHeldBack(tool))];
}
