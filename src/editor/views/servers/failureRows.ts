import { visibleText } from '../../../base/text/visibleText.ts';
import { capitalized } from '../../../base/text/words.ts';
import type { TokenPlace } from '../../../host/connection/failures/remedies.ts';
import { fullText, type HostError } from '../../../host/errors/hostError.ts';
import { commandTo } from '../../commands/commandList.ts';
import { openSetting } from '../../editorRules.ts';
import { oneLine } from '../../messages/plainText.ts';
import { actionRow, iconOfError, tooltipText, type Row } from '../row.ts';
import { remediesFor, type NodeOf } from './serverNodes.ts';

/** A row is narrow: the server's own last words come before how it ended. The tooltip has the whole sentence. */
export function failureRow(node: NodeOf<'failure'>): Row {
  const [how, words] = partsOf(node.reason);
  return {
    label: oneLine(words ?? capitalized(how.replace(/^the command (?=')/, ''))),
    icon: node.reason.code === 'forbidden' ? { name: 'circle-slash' } : iconOfError,
    description: words === undefined ? undefined : how.replace(/^it /, ''),
    tooltip: tooltipText(capitalized(fullText(node.reason))),
    context: ['failure', ...remediesFor(node.server).map(({ kind }) => kind)].join(' '),
    command: commandTo('showLog', 'Show Log', node),
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
  const end = code === 'exited' ? message.indexOf(': ') : -1;
  return end < 0 ? [message] : [message.slice(0, end), message.slice(end + 2)];
}
