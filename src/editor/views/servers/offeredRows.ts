import { visibleText } from '../../../base/text/visibleText.ts';
import { promptArguments } from '../../../host/completion/promptArguments.ts';
import type { HostServer } from '../../../host/servers/mcpHost.ts';
import { isForApps, isForModels, LACKS_TASKS, type HostTool } from '../../../host/tools/hostTool.ts';
import { isHeldBack, toolSummary } from '../../../host/tools/toolSummary.ts';
import { parameterLines } from '../../../host/tools/toolText.ts';
import { commandTo } from '../../commands/commandList.ts';
import { agentModeText, isChoosable, isInChat, twiceNote } from '../../chat/agentModeState.ts';
import { inTooltip } from '../../messages/plainText.ts';
import {
  leftOutText,
  nameAndFirstLine,
  pictureOf,
  tooltipText,
  iconOfWarning,
  type Icon,
  type Row,
} from '../row.ts';
import { callsOf, type TreeSources } from './serverNodes.ts';
import type { NodeOf } from '../../nodes/serverNode.ts';

/** Characters of a tooltip; longer text is on the page of the server. */
const MAX_TOOLTIP = 8_000;

/** Arguments of a prompt that a tooltip names. */
const MAX_NAMED = 20;

/** What the row of a tool says that agent mode does not get by name. */
const FOUND = 'found by search';
const LEFT_OUT =
  'Agent mode does not get this tool by name, because the editor sends at most 128 tools to a model. Models find it by search. Tools that you turn on one by one come first, then those that run most.';

export function toolsRow({ server }: NodeOf<'tools'>, { tools }: TreeSources): Row {
  const { id } = server.connection.definition;
  const all = tools.of(id);
  const { text, on, heldBack } = toolSummary(all);
  const label = visibleText(server.label);
  const isSomeExposed = all.some(({ isExposed }) => isExposed);
  return {
    label: 'Tools',
    description: [text, ...leftOutText(server, 'tools')].join(' · '),
    icon: heldBack > 0 ? iconOfWarning : { name: 'tools' },
    context: [
      'tools',
      ...(tools.changes(id) === undefined ? [] : ['changed']),
      tools.offersNew(id) ? 'offersNew' : 'holdsNew',
      tools.isTrusted(id) ? 'trusted' : 'untrusted',
    ].join(' '),
    tooltip: tooltipText(
      [
        'Models and other extensions can see and call what is checked, and nothing else. You can run every tool yourself.',
        ...(heldBack > 0
          ? [
              'Tools that changed after you approved them, or that are new since then, are held back until you review them.',
            ]
          : []),
        ...(tools.isTrusted(id) ? ['Its tool labels are trusted, for this launch.'] : []),
        ...(tools.offersNew(id)
          ? ['New tools are shown to models without a review, as you chose; the first call of each asks you.']
          : []),
        ...(on > 0
          ? [
              'The token count estimates how much of a model’s context the names, descriptions and schemas of the tools that are on take up.',
            ]
          : []),
      ].join('\n\n'),
    ),
    checkbox: all.some(isForModels)
      ? {
          isChecked: isSomeExposed,
          tooltip: isSomeExposed
            ? `Show no tool of '${label}' to models`
            : `Show all tools of '${label}' to models`,
          label: `Show the tools of ${label} to models`,
        }
      : undefined,
    children: 'closed',
  };
}

/** The row of a tool, which opens its form, or the review for which it is held back. */
export function toolRow(node: NodeOf<'tool'>, { calls, agentMode }: TreeSources): Row {
  const { server, tool, listed } = node;
  const isRunning = callsOf(listed, calls).length > 0;
  const label = visibleText(tool.title ?? tool.annotations?.title ?? tool.name);
  const mark = isRunning ? 'running' : markOf(listed) || (agentMode.isLeftOut(listed) ? FOUND : '');
  const note = noteOf(server, tool.name) === undefined ? '' : 'incomplete schema';
  const rest = nameAndFirstLine(tool.name, label, tool.description);
  const name = visibleText(tool.name);
  return {
    label,
    description: [mark, rest, note].filter(Boolean).join(' · '),
    icon: iconOf(listed, isRunning),
    context: contextOf(listed, isRunning),
    command: isHeldBack(listed)
      ? commandTo('reviewToolChanges', 'Review Change', node)
      : commandTo('showToolForm', 'Open Form', node),
    checkbox:
      !isForModels(listed) || isHeldBack(listed)
        ? undefined
        : {
            isChecked: listed.isExposed,
            tooltip: listed.isExposed ? `Stop showing '${name}' to models` : `Show '${name}' to models`,
            label: `Show ${name} to models`,
          },
  };
}

function iconOf(listed: HostTool, isRunning: boolean): Icon | undefined {
  if (listed.lacksTasks) {
    return { name: 'circle-slash' };
  }
  if (isHeldBack(listed)) {
    return iconOfWarning;
  }
  if (isRunning) {
    return { name: 'loading~spin' };
  }
  return listed.standing.kind === 'new' ? { name: 'sparkle', color: 'charts.blue' } : pictureOf(listed.tool);
}

function contextOf(listed: HostTool, isRunning: boolean): string {
  if (listed.lacksTasks) {
    return 'tool unsupported';
  }
  if (isHeldBack(listed)) {
    return `tool ${listed.standing.kind}`;
  }
  return isRunning ? 'tool running' : 'tool';
}

/** What to know about a tool before what it says about itself. */
function markOf({ standing, lacksTasks, tool }: HostTool): string {
  if (lacksTasks) {
    return 'cannot be called: it runs only as a task';
  }
  if (isForApps(tool)) {
    return 'not for models';
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

/** Everything that a model sees of a tool, and whether it is held back. Made when the mouse rests on the row. */
export function toolTooltip({ server, tool, listed }: NodeOf<'tool'>, { agentMode }: TreeSources): string {
  const note = noteOf(server, tool.name);
  const title = tool.title ?? tool.annotations?.title;
  const parameters = parameterLines(tool);
  return inTooltip(
    [
      ...standingLines(listed),
      ...(agentMode.isLeftOut(listed) ? [LEFT_OUT, ''] : []),
      ...(note === undefined ? [] : [note, '']),
      ...(title === undefined || title === tool.name ? [] : [title]),
      tool.name,
      ...(tool.description === undefined ? [] : ['', tool.description]),
      ...(parameters.length > 0 ? ['', 'Asks for:', ...parameters] : []),
    ].join('\n'),
    MAX_TOOLTIP,
  );
}

/** What was assumed about a tool because its server does not say it. */
function noteOf({ connection }: HostServer, name: string): string | undefined {
  return connection.catalogue?.toolNote(name);
}

function standingLines({ standing, isExposed, lacksTasks, tool }: HostTool): readonly string[] {
  if (lacksTasks) {
    return [`Neither you nor a model can call this tool: ${LACKS_TASKS}.`, ''];
  }
  if (isForApps(tool)) {
    return [
      'No model sees this tool, because its server offers it to its own views only. You can run it.',
      '',
    ];
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
      return isExposed ? [] : ['Off: no model and no other extension sees it.', ''];
  }
}

export function agentModeRow(
  { server }: NodeOf<'agentMode'>,
  { agentMode, tools }: Pick<TreeSources, 'agentMode' | 'tools'>,
): Row {
  const label = visibleText(server.label);
  const state = agentMode.stateOf(server);
  const listed = tools.of(server.connection.definition.id);
  const isGranted = isInChat(state);
  const twin = agentMode.twinOf(server);
  const note = twin && twiceNote(server.connection.definition, twin);
  return {
    label: 'Chat',
    icon: { name: 'comment-discussion' },
    description: agentModeText(agentMode, server, listed),
    tooltip: tooltipText(
      [
        "When it is in chat, models in the editor's chat can use the tools that are on and the resources of this server: in agent mode under their own names, elsewhere by search. What you turn off, hold back or deny here also holds there.",
        ...(note === undefined ? [] : [note]),
        ...(isGranted ? [agentMode.whoAsks] : []),
        ...(listed.some((tool) => agentMode.isLeftOut(tool))
          ? [
              'The editor sends at most 128 tools to a model. Agent mode gets by name those that you turn on one by one, then those that run most. Models find the others by search. To have all by name, turn some off.',
            ]
          : []),
      ].join('\n\n'),
    ),
    checkbox: isChoosable(state)
      ? {
          isChecked: isGranted,
          tooltip: isGranted ? `Remove '${label}' from chat` : `Use '${label}' in chat`,
          label: `Use ${label} in chat`,
        }
      : undefined,
  };
}

export function resourcesRow({ server, count }: NodeOf<'resources'>): Row {
  return {
    label: 'Resources',
    icon: { name: 'file' },
    description: String(count),
    command: commandTo('showServerResources', 'Show', server.connection.definition.id),
  };
}

export function promptsRow({ server, count }: NodeOf<'prompts'>): Row {
  return {
    label: 'Prompts',
    icon: { name: 'comment' },
    description: [String(count), ...leftOutText(server, 'prompts')].join(' · '),
    tooltip: 'Texts that this server prepares for a language model. You see each before you send it.',
    children: 'closed',
  };
}

/**
 * What a prompt is called, what it does, and what it asks for; first, whether it is held back from models. It opens the
 * form of the prompt.
 */
export function promptRow(node: NodeOf<'prompt'>, { tools }: Pick<TreeSources, 'tools'>): Row {
  const { server, prompt } = node;
  const standing = tools.prompts(server.connection.definition.id).get(prompt.name)?.standing;
  const held = standing?.kind === 'added' || standing?.kind === 'changed' ? standing.kind : undefined;
  const label = visibleText(prompt.title ?? prompt.name);
  const steps = promptArguments(prompt);
  const lines = steps.slice(0, MAX_NAMED).map(({ name, description, isRequired }) => {
    const called = `${name} (${isRequired ? 'required' : 'optional'})`;
    return description ? `${called}: ${description}` : called;
  });
  const more = steps.length > MAX_NAMED ? [`and ${steps.length - MAX_NAMED} more`] : [];
  return {
    label,
    description: [held && heldPrompt[held].mark, nameAndFirstLine(prompt.name, label, prompt.description)]
      .filter(Boolean)
      .join(' · '),
    tooltip: tooltipText(
      [
        ...(held ? [heldPrompt[held].note] : []),
        prompt.name,
        ...(prompt.description ? [prompt.description] : []),
        ...(steps.length > 0 ? [['Asks for:', ...lines, ...more].join('\n')] : []),
      ].join('\n\n'),
    ),
    icon: held ? iconOfWarning : pictureOf(prompt),
    context: held ? `prompt ${held}` : 'prompt',
    command: commandTo('usePrompt', 'Use Prompt…', node),
  };
}

/** What to know about a prompt that models don't get. */
const heldPrompt = {
  added: {
    mark: 'new: held back from models until you review it',
    note: 'Held back from models: it is new since you approved this server. Review Change shows it; you can use it yourself.',
  },
  changed: {
    mark: 'changed: held back from models until you review it',
    note: 'Held back from models: this is not what you approved. Review Change shows the difference; you can use it yourself.',
  },
} as const;
