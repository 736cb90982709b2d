import { counted } from '../../../base/text/words.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import type { MissingPart } from '../../../base/lifetime/parts.ts';
import { isEditable } from '../../../host/config/edit/changeServer.ts';
import { accessLines, accessMeaning, accessSummary, isTroubled } from '../../../host/sampling/accessText.ts';
import { commandTo } from '../../commands/commandList.ts';
import { placeText } from '../../messages/words.ts';
import { iconOfError, malformedRow, moreLabel, tooltipText, iconOfWarning, type Row } from '../row.ts';
import { asksRow, failureRow, remedyRow } from './failureRows.ts';
import { agentModeRow, promptRow, promptsRow, resourcesRow, toolRow, toolsRow } from './offeredRows.ts';
import { leftOutRow, lingeringRow, rootRow, rootsRow } from './rootRows.ts';
import type { TreeSources } from './serverNodes.ts';
import type { NodeOf, ServerNode } from '../../nodes/serverNode.ts';
import { serverRow } from './serverRow.ts';
import { accountRow, signInActionRow, signInRow } from './signInRows.ts';

/** A row of the tree of servers. */
export function rowOf(node: ServerNode, sources: TreeSources): Row {
  switch (node.kind) {
    case 'missingPart':
      return missingPartRow(node.part);
    case 'start':
      return startRow(node);
    case 'server':
      return serverRow(node.server, sources);
    case 'failure':
      return failureRow(node);
    case 'asks':
      return asksRow(node);
    case 'remedy':
      return remedyRow(node);
    case 'signIn':
      return signInRow(node);
    case 'signInAction':
      return signInActionRow(node);
    case 'account':
      return accountRow(node);
    case 'tools':
      return toolsRow(node, sources);
    case 'tool':
      return toolRow(node, sources);
    case 'agentMode':
      return agentModeRow(node, sources);
    case 'malformed':
      return malformedRow(node.item, node.what);
    case 'modelAccess':
      return modelAccessRow(node, sources);
    case 'prompts':
      return promptsRow(node);
    case 'prompt':
      return promptRow(node, sources);
    case 'lingering':
      return lingeringRow(node);
    case 'roots':
      return rootsRow(node);
    case 'root':
      return rootRow(node);
    case 'leftOut':
      return leftOutRow(node);
    case 'resources':
      return resourcesRow(node);
    case 'more':
      return { label: moreLabel(node.hidden), command: commandTo('showMore', 'Show More', node) };
    case 'shadowed':
      return shadowedRow(node);
    case 'unreadable':
      return unreadableRow(node);
    case 'problem':
      return problemRow(node);
  }
}

/** A part of this extension that failed; a click opens the log. */
function missingPartRow(part: MissingPart): Row {
  const label = `${part.name} isn't available`;
  const reason = visibleText(part.reason);
  return {
    label,
    icon: iconOfWarning,
    description: reason,
    tooltip: tooltipText(`${label}: ${reason}\n\nEverything else works. Select to open the log.`),
    context: 'missingPart',
    command: commandTo('showPartsLog', 'Show Log'),
  };
}

function startRow(node: NodeOf<'start'>): Row {
  switch (node.does) {
    case 'importServers': {
      const { count, programs } = node.found;
      return {
        label: `Import ${counted(count, 'Server')}…`,
        description: `found in ${programs}`,
        icon: { name: 'cloud-download' },
        tooltip: `${counted(count, 'server')} found in ${programs}.\n\nSelect those that MCP Host takes over. None starts until you allow it.`,
        context: 'start',
        command: commandTo('importServers', 'Import Servers…'),
      };
    }
    case 'useCopilotServers':
      return {
        label: "Use Copilot's Servers",
        description: counted(node.found.ofCopilot, 'server'),
        icon: { name: 'link' },
        tooltip:
          'Reads the file in which Copilot keeps your servers, and follows its changes. None starts until you allow it.',
        context: 'start',
        command: commandTo('useCopilotServers', "Use Copilot's Servers"),
      };
    case 'addServer':
      return {
        label: 'Add Server…',
        icon: { name: 'add' },
        tooltip: 'Paste a command line, an address or JSON. It starts only when you allow it.',
        context: 'start',
        command: commandTo('addServer', 'Add Server…'),
      };
    case 'trySampleServer':
      return {
        label: 'Try a Sample Server',
        icon: { name: 'beaker' },
        tooltip: 'See what a server can do, with one that comes with MCP Host.',
        context: 'start',
        command: commandTo('trySampleServer', 'Try a Sample Server'),
      };
  }
}

/** What a server may do with the editor's language models. */
function modelAccessRow({ server }: NodeOf<'modelAccess'>, { access: source }: TreeSources): Row {
  const { definition, state } = server.connection;
  const access = source.accessOf(definition);
  const needsRestart = state.kind === 'running' && !access.isOffered;
  return {
    label: 'Model access',
    description: visibleText(accessSummary(access)),
    icon: isTroubled(access) ? iconOfWarning : { name: 'sparkle' },
    context: needsRestart ? 'modelAccess restart' : 'modelAccess',
    tooltip: tooltipText([accessMeaning, ...accessLines(access, source.settings)].join('\n\n')),
  };
}

function shadowedRow({ shadowed: { definition, by } }: NodeOf<'shadowed'>): Row {
  const place = placeText(definition.origin);
  const winner = placeText(by.origin);
  return {
    label: visibleText(definition.name),
    icon: { name: 'eye-closed' },
    description: `in ${place} · hidden by ${winner}`,
    tooltip: tooltipText(`Defined in ${place}. A server of the same name in ${winner} runs instead.`),
    context: isEditable(definition.origin) ? 'shadowed editable' : 'shadowed',
  };
}

function unreadableRow({ problems }: NodeOf<'unreadable'>): Row {
  const [{ name, origin }] = problems;
  return {
    label: visibleText(name?.trim() ? name : placeText(origin)),
    icon: iconOfError,
    description: name === undefined ? "can't be read" : "can't be started",
    tooltip: tooltipText(
      [...problems.map(({ message }) => message), `Defined in ${placeText(origin)}`].join('\n'),
    ),
    context: name !== undefined && isEditable(origin) ? 'unreadable editable' : 'unreadable',
    children: 'closed',
  };
}

function problemRow(node: NodeOf<'problem'>): Row {
  const { severity, message, origin } = node.problem;
  return {
    label: visibleText(message),
    icon: severity === 'error' ? iconOfError : iconOfWarning,
    tooltip: tooltipText(`${message}\n\nIn ${placeText(origin)}`),
    command: commandTo('openConfiguration', 'Open the Definition', node),
  };
}
