import { visibleText } from '../../../base/text/visibleText.ts';
import { capitalized } from '../../../base/text/words.ts';
import { accountLines, accountSummary } from '../../../host/auth/accountText.ts';
import { hostOf } from '../../../host/addresses/addressKind.ts';
import { fullText, HostError } from '../../../host/errors/hostError.ts';
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
  const { state, server } = node;
  const { id } = server.connection.definition;
  switch (state.kind) {
    case 'finding':
      return { label: 'Finding out how you sign in…', icon: spinner, context: 'signIn finding' };
    case 'working':
      return { label: 'Signing in…', icon: spinner, context: 'signIn working' };
    case 'inBrowser': {
      const host = visibleText(hostOf(state.address));
      return {
        label: state.isOpened ? 'Waiting for the browser' : 'Open the address yourself',
        description: host,
        icon: state.isOpened ? spinner : iconOfWarning,
        tooltip: tooltipText(
          `${state.isOpened ? '' : 'The editor did not open the address. Copy it, and open it in a browser.\n\n'}You sign in at ${host} in your browser. If the browser ends at a page that it can't open, copy the address of that page, and paste it here.`,
        ),
        context: 'signIn inBrowser',
      };
    }
    case 'required': {
      const { plan, reason } = state;
      const words = capitalized(fullText(reason));
      const short = { label: capitalized(wordOf(state)), description: oneLine(moreOf(state)) };
      if (needsToken(state)) {
        const { definition } = server.connection;
        const host = definition.type === 'stdio' ? '' : visibleText(hostOf(definition.url));
        return {
          ...short,
          ...(!hasFailed(state) && { description: host }),
          icon: hasFailed(state) ? iconOfError : { name: 'key' },
          tooltip: tooltipText(`${words}.`),
          context: plan ? 'signIn required token' : 'signIn token',
          command: commandTo('setKey', 'Set Token…', id),
        };
      }
      return plan
        ? {
            ...short,
            icon: hasFailed(state) ? iconOfError : { name: 'account' },
            tooltip: tooltipText(`${words}.\n\nWho signs you in: ${plan.discovery.issuer}`),
            context: isRegistered(state) ? 'signIn required registered' : 'signIn required',
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
    context: isToken ? 'account token' : 'account',
  };
}

/** A row is narrow: its label is short, and only its description is cut. The tooltip has the whole sentence. */
function wordOf({ reason, plan }: RequiredSignIn): string {
  const { word, cause } = reason;
  if (word !== undefined || cause === undefined) {
    return word ?? 'sign in required';
  }
  if (cause instanceof HostError && cause.code === 'unreachable') {
    return 'not reachable';
  }
  return plan ? 'sign-in failed' : "can't sign in";
}

/** Where you sign in; why you can't, if the label doesn't say it. */
function moreOf({ reason, plan }: RequiredSignIn): string {
  const isSaid = reason.word !== undefined || reason.cause === undefined;
  return plan && isSaid ? hostOf(plan.discovery.issuer) : capitalized(reason.message);
}
