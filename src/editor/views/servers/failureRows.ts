import { visibleText } from '../../../base/text/visibleText.ts';
import { capitalized } from '../../../base/text/words.ts';
import { wholeFailure } from '../../../host/connection/failures/failureWord.ts';
import type { TokenPlace } from '../../../host/connection/failures/remedies.ts';
import type { HostError } from '../../../host/errors/hostError.ts';
import { commandTo, openSetting } from '../../commands/commandList.ts';
import { oneLine } from '../../messages/plainText.ts';
import { actionRow, iconOfAsking, iconOfError, tooltipText, type Row } from '../row.ts';
import { remediesFor } from '../../../host/servers/serverRemedies.ts';
import type { NodeOf } from '../../nodes/serverNode.ts';

/** A row is narrow: the server's own last words come before how it ended. The tooltip has the whole sentence. */
export function failureRow(node: NodeOf<'failure'>): Row {
  const [how, words] = partsOf(node.reason);
  // The last words of a server that is silent need not be the reason.
  const isReason = node.reason.code !== 'timedOut' && words !== undefined;
  return {
    label: oneLine(isReason ? words : capitalized(how.replace(/^the command (?=')/, ''))),
    icon: node.reason.code === 'forbidden' ? { name: 'circle-slash' } : iconOfError,
    description: isReason ? how.replace(/^it /, '') : words && oneLine(words),
    tooltip: tooltipText(wholeFailure(node.reason)),
    context: ['failure', ...remediesFor(node.server).map(({ kind }) => kind)].join(' '),
    command: commandTo('showLog', 'Show Log', node),
  };
}

/** What a server asks you to do before it starts, in its own words. */
export function asksRow({ asks, server }: NodeOf<'asks'>): Row {
  const words = oneLine(asks.words);
  return {
    label: words,
    icon: iconOfAsking,
    tooltip: tooltipText(`${visibleText(server.label)} waits until you have done this:\n\n${words}`),
    context: 'asks',
  };
}

/** What "Set Token…" does. */
const aboutTokens: Readonly<Record<TokenPlace, string>> = {
  input: 'Shows the stored inputs of this server, to replace one.',
  definition: 'Opens the definition of this server, which has its token.',
  account: 'Asks for the token, which is kept encrypted on this machine.',
};

export function remedyRow(node: NodeOf<'remedy'>): Row {
  const { remedy, server } = node;
  const { id } = server.connection.definition;
  switch (remedy.kind) {
    case 'install': {
      const { name, address } = remedy.program;
      const command = commandTo('installProgram', `Install ${name}…`, node);
      return actionRow(command, 'link-external', `Opens ${address}`, new URL(address).host);
    }
    case 'setKey':
      return actionRow(commandTo('setKey', 'Set Token…', node), 'key', aboutTokens[remedy.place]);
    case 'edit':
      return actionRow(
        commandTo('editServer', 'Edit…', node),
        'edit',
        'Opens the definition of this server.',
      );
    case 'setting': {
      const { setting } = remedy;
      return actionRow(openSetting(setting), 'settings-gear', `Opens ${setting}.`, setting);
    }
    case 'open': {
      const { url, host } = remedy.address;
      const tooltip = `Shows the whole address before it opens it: ${url}`;
      return actionRow(commandTo('openAsked', 'Open…', id), 'link-external', tooltip, host);
    }
    case 'copyAddress':
      return actionRow(commandTo('copyAsked', 'Copy the Address', id, 'address'), 'copy', remedy.address.url);
    case 'copyCode':
      return actionRow(commandTo('copyAsked', 'Copy the Code', id, 'code'), 'copy', remedy.code, remedy.code);
    case 'cancel':
      return actionRow(commandTo('stopServer', 'Cancel', id), 'close', 'Stops this start.');
    case 'showLog':
      return actionRow(
        commandTo('showLog', 'Show Log', node),
        'output',
        `Opens the log of ${visibleText(server.label)}.`,
      );
  }
}

/** What happened, and the last words of a server that ended with some. */
function partsOf({ code, message }: HostError): readonly [how: string, words?: string] {
  const end = ['exited', 'timedOut', 'unattended'].includes(code) ? message.indexOf(': ') : -1;
  return end < 0 ? [message] : [message.slice(0, end), message.slice(end + 2)];
}
