import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText.ts';
import { isHeldBack, toolSummary } from '../../host/tools/toolSummary.ts';
import { NEEDS_TASK, needsTask, type HostTool } from '../../host/tools/hostTool.ts';
import { parameterLines } from '../../host/tools/toolText.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { inTooltip } from '../plainText.ts';
import { agentModeText, type AgentModeState } from './agentMode.ts';
import { pictureOf, ROW_ICON_BYTES } from './icons.ts';
import { leftOutText } from './malformedRows.ts';
import { icon, nameAndFirstLine, plain } from './rowParts.ts';
import { callsOf, type NodeOf, type TreeSources } from './serverNodes.ts';

const { Checked, Unchecked } = vscode.TreeItemCheckboxState;

/** Characters of a tooltip; what is longer is read in "What This Server Sees". */
const MAX_TOOLTIP = 8_000;

/** What stands under a server about what models may use of it. */
export type ToolsNode = NodeOf<'tools' | 'tool' | 'agentMode'>;

export function decorateTools(item: vscode.TreeItem, node: ToolsNode, sources: TreeSources): void {
  switch (node.kind) {
    case 'tools':
      decorateList(item, node, sources);
      break;
    case 'tool':
      decorateTool(item, node, sources);
      break;
    case 'agentMode':
      decorateAgentMode(item, node, sources.agentMode.stateOf(node.server));
      break;
  }
}

function decorateList(item: vscode.TreeItem, { server }: NodeOf<'tools'>, { tools }: TreeSources): void {
  const { id } = server.connection.definition;
  const all = tools.of(id);
  const { text, exposed, heldBack } = toolSummary(all);
  const label = visibleText(server.label);
  const hasChanges = tools.changes(id) !== undefined;
  item.description = [text, ...leftOutText(server, 'tools')].join(' · ');
  item.iconPath = heldBack > 0 ? icon('warning', 'list.warningForeground') : icon('tools');
  item.contextValue = [
    'tools',
    ...(hasChanges ? ['changed'] : []),
    tools.offersNew(id) ? 'offersNew' : 'holdsNew',
  ].join(' ');
  item.tooltip = plain(
    [
      'What is checked can be seen and called by models and other extensions. What is not checked cannot, from that moment on. You can run every tool yourself.',
      ...(heldBack > 0
        ? [
            'Tools that have changed since you approved them, or are new since then, are held back until you review them.',
          ]
        : []),
      ...(tools.offersNew(id)
        ? ['New tools are offered without a review, as you chose; the first call of each asks you.']
        : []),
      ...(exposed > 0
        ? [
            'The tokens are about how much of a model’s context the names, descriptions and schemas of the exposed tools take up.',
          ]
        : []),
    ].join('\n\n'),
  );
  if (all.some(({ tool }) => !needsTask(tool))) {
    item.checkboxState = {
      state: all.some(({ isExposed }) => isExposed) ? Checked : Unchecked,
      tooltip: all.some(({ isExposed }) => isExposed)
        ? `Show no tool of '${label}' to models`
        : `Show all tools of '${label}' to models`,
      accessibilityInformation: { label: `Show the tools of ${label} to models` },
    };
  }
}

function decorateTool(
  item: vscode.TreeItem,
  { server, tool, listed }: NodeOf<'tool'>,
  { calls }: TreeSources,
): void {
  const isRunning = callsOf(listed, calls).length > 0;
  const mark = isRunning ? 'running' : markOf(listed);
  const note = noteOf(server, tool.name) === undefined ? '' : 'incomplete schema';
  const rest = nameAndFirstLine(tool.name, item.label, tool.description);
  item.description = [mark, rest, note].filter(Boolean).join(' · ');
  item.contextValue = isHeldBack(listed) ? `tool ${listed.standing.kind}` : 'tool';
  const picture = pictureOf(tool, ROW_ICON_BYTES);
  if (picture) {
    item.iconPath = picture;
  }
  if (needsTask(tool)) {
    item.iconPath = icon('circle-slash');
    item.contextValue = 'tool unsupported';
    return;
  }
  if (isHeldBack(listed)) {
    item.iconPath = icon('warning', 'list.warningForeground');
    return;
  }
  if (listed.standing.kind === 'new') {
    item.iconPath = icon('sparkle', 'charts.blue');
  }
  if (isRunning) {
    item.iconPath = icon('loading~spin');
    item.contextValue = 'tool running';
  }
  const name = visibleText(tool.name);
  item.checkboxState = {
    state: listed.isExposed ? Checked : Unchecked,
    tooltip: listed.isExposed ? `Stop showing '${name}' to models` : `Show '${name}' to models`,
    accessibilityInformation: { label: `Show ${name} to models` },
  };
}

/** How a tool stands, in front of what it says of itself. */
function markOf({ tool, standing }: HostTool): string {
  if (needsTask(tool)) {
    return 'not supported yet: it runs only as a task';
  }
  switch (standing.kind) {
    case 'unseen':
    case 'known':
      return '';
    case 'new':
      return 'new';
    case 'added':
      return 'new: held back until you review it';
    case 'changed':
      return standing.renamedFrom === undefined
        ? 'changed: held back until you review it'
        : `renamed from ${visibleText(standing.renamedFrom)}: held back until you review it`;
  }
}

/** All that a model sees of a tool, and how the tool stands; made when it is looked at. */
export function toolTooltip({ server, tool, listed }: NodeOf<'tool'>): string {
  const note = noteOf(server, tool.name);
  const title = tool.title ?? tool.annotations?.title;
  const parameters = parameterLines(tool);
  return inTooltip(
    [
      ...standingLines(listed),
      ...(note === undefined ? [] : [note, '']),
      ...(title === undefined || title === tool.name ? [] : [title]),
      tool.name,
      ...(tool.description === undefined ? [] : ['', tool.description]),
      ...(parameters.length > 0 ? ['', 'Asks for:', ...parameters] : []),
    ].join('\n'),
    MAX_TOOLTIP,
  );
}

/** What was read into a tool; its server should write it. */
function noteOf({ connection }: HostServer, name: string): string | undefined {
  return connection.catalogue?.toolNote(name);
}

function standingLines({ tool, standing, isExposed }: HostTool): readonly string[] {
  if (needsTask(tool)) {
    return [`Neither you nor a model can call this tool: ${NEEDS_TASK}.`, ''];
  }
  switch (standing.kind) {
    case 'changed':
      return ['Held back: this is not what you approved. Review Change shows the difference.', ''];
    case 'added':
      return [
        'Held back: it is new since you approved this server. Review Change shows it; you can run it yourself.',
        '',
      ];
    case 'new':
      return ['New since you approved this server: its first call asks you.', ''];
    case 'unseen':
    case 'known':
      return isExposed ? [] : ['Not exposed: no model and no other extension sees it.', ''];
  }
}

function decorateAgentMode(
  item: vscode.TreeItem,
  { server }: NodeOf<'agentMode'>,
  state: AgentModeState,
): void {
  const label = visibleText(server.label);
  item.iconPath = icon('comment-discussion');
  item.description = agentModeText(state);
  item.contextValue = `agentMode ${state}`;
  item.tooltip = plain(
    "When it is available, the editor's own chat can use the exposed tools, the resources and the prompts of this server in agent mode. What you expose, hold back or deny here also holds there.",
  );
  if (state === 'granted' || state === 'notGranted') {
    item.checkboxState = {
      state: state === 'granted' ? Checked : Unchecked,
      tooltip: state === 'granted' ? `Withdraw '${label}' from chat` : `Make '${label}' available to chat`,
      accessibilityInformation: { label: `Make ${label} available to chat` },
    };
  }
}
