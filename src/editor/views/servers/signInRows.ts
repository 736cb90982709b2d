import { visibleText } from '../../../base/text/visibleText.ts';
import { capitalized } from '../../../base/text/words.ts';
import { accountLines, accountSummary } from '../../../host/auth/accountText.ts';
import { hostOf } from '../../../host/addresses/addressKind.ts';
import type { AnyLaunch } from '../../../host/config/serverDefinition.ts';
import { signInWords } from '../../../host/connection/stateWords.ts';
import { fullText } from '../../../host/errors/hostError.ts';
import { commandTo } from '../../commands/commandList.ts';
import { oneLine } from '../../messages/plainText.ts';
import { actionRow, iconOfError, iconOfWarning, tooltipText, type Icon, type Row } from '../row.ts';
import type { NodeOf } from '../../nodes/serverNode.ts';
import {
  hasFailed,
  isRegistered,
  needsToken,
  type RequiredSignIn,
} from '../../../host/auth/signInActions.ts';

const spinner: Icon = { name: 'loading~spin' };

/** Where a sign-in is, and why it is needed. */
export function signInRow(node: NodeOf<'signIn'>): Row {
  const { signIn, server } = node;
  const { id } = server.connection.definition;
  const { label } = signInWords(signIn);
  switch (signIn.kind) {
    case 'finding':
    case 'working':
      return { label, icon: spinner, context: `signIn ${signIn.kind}` };
    case 'inBrowser': {
      const host = visibleText(hostOf(signIn.address));
      return {
        label,
        description: host,
        icon: signIn.isOpened ? spinner : iconOfWarning,
        tooltip: tooltipText(
          `${signIn.isOpened ? '' : 'The editor did not open the address. Copy it, and open it in a browser.\n\n'}You sign in at ${host} in your browser. If the browser ends at a page that it can't open, copy the address of that page, and paste it here.`,
        ),
        context: 'signIn inBrowser',
      };
    }
    case 'required': {
      const { offer, reason } = signIn;
      const words = capitalized(fullText(reason));
      const short = { label, description: oneLine(moreOf(signIn)) };
      if (needsToken(signIn)) {
        const { url = '' }: AnyLaunch = server.connection.definition;
        const host = visibleText(hostOf(url));
        return {
          ...short,
          ...(!hasFailed(signIn) && { description: host }),
          icon: hasFailed(signIn) ? iconOfError : { name: 'key' },
          tooltip: tooltipText(`${words}.`),
          context: offer ? 'signIn required token' : 'signIn token',
          command: commandTo('setKey', 'Set Token…', id),
        };
      }
      return offer
        ? {
            ...short,
            icon: hasFailed(signIn) ? iconOfError : { name: 'account' },
            tooltip: tooltipText(`${words}.\n\nWho signs you in: ${offer.issuer}`),
            context: isRegistered(signIn) ? 'signIn required registered' : 'signIn required',
            command: commandTo('signIn', 'Sign In…', id),
          }
        : {
            ...short,
            icon: iconOfError,
            tooltip: tooltipText(words),
            context: 'signIn refused',
            command: commandTo('showLog', 'Show Log', id),
          };
    }
  }
}

/** What you can do about a sign-in. */
export function signInActionRow({ action, server }: Pick<NodeOf<'signInAction'>, 'action' | 'server'>): Row {
  const { id } = server.connection.definition;
  switch (action) {
    case 'signIn':
      return actionRow(
        commandTo('signIn', 'Sign In…', id),
        'sign-in',
        'Shows who signs you in and what is asked for. Nothing is opened or sent before you agree.',
      );
    case 'setToken':
      return actionRow(
        commandTo('setKey', 'Set Token…', id),
        'key',
        'Asks for a token of yours, such as an API key, that is sent in place of a sign-in.',
      );
    case 'signInWithout':
      return actionRow(
        commandTo('signIn', 'Sign In without Them…', id),
        'sign-in',
        'Shows what is asked for now: without the scopes that were refused.',
      );
    case 'tryAgain':
      return actionRow(
        commandTo('signIn', 'Try Again', id),
        'refresh',
        'Finds out again how you can sign in.',
      );
    case 'registerAgain':
      return actionRow(
        commandTo('registerAgain', 'Register Again', id),
        'sync',
        'Select this if who signs you in no longer knows MCP Host.',
      );
    case 'openDefinition':
      return actionRow(
        commandTo('openConfiguration', 'Open the Definition', id),
        'go-to-file',
        'Its field "oauth" says how you sign in.',
      );
    case 'useAddress':
      return actionRow(
        commandTo('useClaimedAddress', 'Use That Address', id),
        'edit',
        'Puts the address that the server names into its definition. You are asked before it starts.',
      );
    case 'reloadWindow':
      return actionRow(
        { command: 'workbench.action.reloadWindow', title: 'Reload Window' },
        'refresh',
        'Another window stores accounts; this one can read them after a reload.',
      );
    case 'copyAddress':
      return actionRow(
        commandTo('copySignInAddress', 'Copy the Address', id),
        'copy',
        'Copies the address at which you sign in, to open it in another browser.',
      );
    case 'pasteAnswer':
      return actionRow(
        commandTo('pasteSignInAnswer', 'Paste the Answer…', id),
        'clippy',
        "For a browser that can't reach this machine: paste the address at which it ended.",
      );
    case 'cancel':
      return actionRow(commandTo('cancelSignIn', 'Cancel', id), 'close', 'Ends this sign-in.');
  }
}

/** The account that a server is used with. */
export function accountRow({ account }: NodeOf<'account'>): Row {
  const isToken = account.kind === 'token';
  return {
    label: isToken ? 'Token' : 'Account',
    description: visibleText(accountSummary(account)),
    icon: { name: isToken ? 'key' : 'account' },
    tooltip: tooltipText(accountLines(account, (at) => new Date(at).toLocaleString()).join('\n')),
  };
}

/** Where you sign in; why you can't, if the label doesn't say it: a row is narrow, and only its description is cut. */
function moreOf({ reason, offer }: RequiredSignIn): string {
  const isSaid = reason.word !== undefined || reason.cause === undefined;
  return offer && isSaid ? hostOf(offer.issuer) : capitalized(reason.message);
}
