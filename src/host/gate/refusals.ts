import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { LedgerDecision, LedgerEnd } from '../ledger/ledgerEntry.ts';
import type { CallVerdict } from './callPolicy.ts';
import type { Caller } from '../ledger/caller.ts';
import type { ConnectionState } from '../state/connectionState.ts';
import { LACKS_TASKS } from '../tools/hostTool.ts';
import { itemWords, type ItemKind } from '../tools/pinnedItem.ts';

/** Why a request for something of this `kind` is refused, in words for the caller: you, a model or an extension. */
export function refusalError(
  { why }: CallVerdict & { kind: 'refuse' },
  caller: Caller,
  server: string,
  target: string,
  kind: ItemKind = 'tools',
): HostError {
  const what = itemWords[kind];
  const [host, name] = [visibleText(server), visibleText(target)];
  switch (why) {
    case 'changed':
      return caller.kind === 'person'
        ? new HostError('heldBack', 'the tool has changed since it was approved. Review the change first.')
        : new HostError(
            'heldBack',
            `the ${what} '${name}' of the server '${host}' has changed since it was approved. ` +
              'It is held back until the user reviews the change.',
          );
    case 'added':
      return new HostError(
        'heldBack',
        `the ${what} '${name}' of the server '${host}' is new since the server was approved. ` +
          'It is held back until the user reviews it.',
      );
    case 'unsupported':
      return new HostError(
        'notOffered',
        `the tool '${name}' of the server '${host}' cannot be called: ${LACKS_TASKS}`,
      );
    case 'notOffered':
      return new HostError('notOffered', `the server '${host}' offers no ${what} '${name}' here`);
    case 'notGranted':
      return new HostError(
        'denied',
        `the server '${host}' is not in chat. The user can add it with "Use in Chat" in the view "Servers".`,
      );
    case 'denied':
      return new HostError('denied', `the user does not allow '${name}' of the server '${host}'`);
  }
}

/** Why a server that isn't running gets no request; `state` is undefined if it is no longer configured. */
export function notRunningError(server: string, state?: ConnectionState): HostError {
  if (state?.kind === 'signInRequired') {
    return state.reason;
  }
  if (state?.kind === 'authorizing') {
    return new HostError('signInRequired', 'the server waits until you have signed in in the browser');
  }
  return new HostError(
    'notRunning',
    `the server '${visibleText(server)}' is not running. Start it in the view "Servers", then try again.`,
  );
}

/** A failure in words for the caller: only you can sign in or set a token, so a model or an extension has to ask you to. */
export function errorFor(error: unknown, caller: Caller, server: string): unknown {
  if (caller.kind === 'person' || !(error instanceof HostError) || error.code !== 'signInRequired') {
    return error;
  }
  const { status, needs } = error;
  const host = visibleText(server);
  const [what, action] =
    needs === 'token'
      ? ['set a token for it', 'Set Token…']
      : [status === 403 ? 'grant it more permissions' : 'sign in', 'Sign In…'];
  const message = `the server '${host}' requires the user to ${what} first. `;
  const cure = `Ask the user to select "${action}" for it in the view "Servers", then try again.`;
  return new HostError('signInRequired', `${message}${cure}`, { cause: error, status, needs });
}

/** Why a call ended although its server may go on with its task. */
export function goesOnError(error: unknown): HostError {
  const message = `${messageOf(error)}; the task may go on there, and the view "Activity" shows its result`;
  return error instanceof HostError
    ? new HostError(error.code, message, { cause: error, status: error.status })
    : new HostError('lost', message, { cause: error });
}

/** How a failed request ends in the ledger; `decision` is by what it was admitted, if it was. */
export function endOf(error: unknown, decision: LedgerDecision | undefined, caller: Caller): LedgerEnd {
  if (error instanceof CancellationError) {
    return { decision: decision ?? 'withdrawn', outcome: 'cancelled' };
  }
  const problem = messageOf(error);
  if (decision !== undefined) {
    return { decision, outcome: 'failed', problem };
  }
  switch (error instanceof HostError ? error.code : undefined) {
    case 'heldBack':
    case 'notOffered':
      return { decision: 'heldBack', outcome: 'refused', problem };
    case 'denied':
      return { decision: 'denied', outcome: 'refused', problem };
    case 'invalidArguments':
      return { decision: 'invalid', outcome: 'refused', problem };
    default:
      return { decision: caller.kind === 'person' ? 'person' : 'withdrawn', outcome: 'failed', problem };
  }
}
