import type * as vscode from 'vscode';
import { capitalized } from '../../base/words.ts';
import { visibleText } from '../../base/visibleText.ts';
import { fullText, type HostError } from '../../host/errors/hostError.ts';
import { EDIT_SERVER } from '../commands/remedyCommands.ts';
import { oneLine } from '../plainText.ts';
import { remedyMark } from './failureNodes.ts';
import { icon, plain } from './rowParts.ts';
import type { NodeOf } from './serverNodes.ts';

/** A row is narrow: what a server said at its end comes before how it ended. The tooltip has the whole sentence. */
export function failureLabel({ reason }: NodeOf<'failure'>): string {
  const [how, words] = partsOf(reason);
  return oneLine(words ?? capitalized(how.replace(/^the command (?=')/, '')));
}

export function remedyLabel({ remedy }: NodeOf<'remedy'>): string {
  switch (remedy.kind) {
    case 'install':
      return `Install ${remedy.program.name}…`;
    case 'setKey':
      return 'Set Key…';
    case 'edit':
      return 'Edit…';
    case 'showLog':
      return 'Show Log';
  }
}

export function decorateFailure(item: vscode.TreeItem, node: NodeOf<'failure'>): void {
  item.iconPath = icon('error', 'list.errorForeground');
  const [how, words] = partsOf(node.reason);
  if (words !== undefined) {
    item.description = how.replace(/^it /, '');
  }
  item.tooltip = plain(capitalized(fullText(node.reason)));
  item.contextValue = ['failure', ...remedyMark(node.server)].join(' ');
  item.command = { command: 'mcpHost.showLog', title: 'Show Log', arguments: [node] };
}

export function decorateRemedy(item: vscode.TreeItem, node: NodeOf<'remedy'>): void {
  const { remedy } = node;
  switch (remedy.kind) {
    case 'install':
      item.iconPath = icon('link-external');
      item.description = new URL(remedy.program.address).host;
      item.tooltip = `Opens ${remedy.program.address}`;
      item.command = { command: 'mcpHost.installProgram', title: 'Install…', arguments: [node] };
      break;
    case 'setKey':
      item.iconPath = icon('key');
      item.tooltip = remedy.hasInputs
        ? 'Shows the stored inputs of this server, to replace one.'
        : 'Opens the definition of this server, which holds its key.';
      item.command = { command: 'mcpHost.setKey', title: 'Set Key…', arguments: [node] };
      break;
    case 'edit':
      item.iconPath = icon('edit');
      item.tooltip = 'Opens the definition of this server.';
      item.command = { command: EDIT_SERVER, title: 'Edit…', arguments: [node] };
      break;
    case 'showLog':
      item.iconPath = icon('output');
      item.tooltip = `Opens the log of ${visibleText(node.server.label)}.`;
      item.command = { command: 'mcpHost.showLog', title: 'Show Log', arguments: [node] };
      break;
  }
}

/** What happened, and the last words of a server that ended with some. */
function partsOf({ code, message }: HostError): readonly [how: string, words?: string] {
  const end = code === 'exited' ? message.indexOf(': ') : -1;
  return end < 0 ? [message] : [message.slice(0, end), message.slice(end + 2)];
}
