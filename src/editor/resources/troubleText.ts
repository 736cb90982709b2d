import type { ConnectionState } from '../../host/state/connectionState.ts';
import { HostError, messageOf } from '../../host/errors/hostError.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { oneLine } from '../messages/plainText.ts';

/** Why a document shows no resource, and what to do. */
export interface Trouble {
  readonly problem: string;
  readonly advice: string;
}

/** For a document whose server is not configured. */
export const unknownServer: Trouble = {
  problem: "The MCP server of this document isn't configured here.",
  advice:
    'The document comes back when the server is defined again, under the same name and in the same place.',
};

/** For a server that isn't running. */
export function serverNotRunning({ label, connection }: HostServer): Trouble {
  const [predicate, advice] = stateWords(connection.state);
  return {
    problem: `Server '${oneLine(label)}' ${predicate}.`,
    advice: `${advice}The document comes back when the server runs.`,
  };
}

/** For a resource that the server did not send. */
export function notGiven({ label }: HostServer, uri: string, error: unknown): Trouble {
  const isSignIn = error instanceof HostError && error.code === 'signInRequired';
  const what = isSignIn && error.needs === 'token' ? 'Set the token of the server' : 'Sign in to the server';
  return {
    problem: `Server '${oneLine(label)}' did not send ${oneLine(uri)}: ${oneLine(messageOf(error))}`,
    advice: isSignIn
      ? `${what} in the view "MCP Host", then use "MCP Host: Refresh Resource".`
      : 'Try again with "MCP Host: Refresh Resource". The log of the server may say more.',
  };
}

/** For one of several contents that is gone. */
export function contentGone({ label }: HostServer, uri: string, name: string): Trouble {
  return {
    problem: `Server '${oneLine(label)}' now sends ${oneLine(uri)} without '${oneLine(name)}'.`,
    advice: 'Open the resource again to see what it has.',
  };
}

export function troubleSentence({ problem, advice }: Trouble): string {
  return `${problem} ${advice}`;
}

/** The text of a document that shows no resource, valid in the document's language. */
export function troubleDocument({ problem, advice }: Trouble, name: string): string {
  if (/\.(?:jsonc?|jsonl)$/i.test(name)) {
    return `${JSON.stringify([problem, advice], undefined, 2)}\n`;
  }
  return /\.[cm]?[jt]sx?$/i.test(name) ? `// ${problem}\n// ${advice}\n` : `${problem}\n\n${advice}\n`;
}

const START = 'Start it in the view "MCP Host". ';
const DECIDE = 'Decide about it in the view "MCP Host". ';

type WithReason = Extract<ConnectionState, { readonly reason: HostError }>;

const withoutReason: Readonly<
  Record<Exclude<ConnectionState, WithReason>['kind'], readonly [predicate: string, advice: string]>
> = {
  disabled: ['is disabled', START],
  restricted: ["isn't running, because the workspace isn't trusted", 'Trust the workspace to let it start. '],
  awaitingApproval: ['is waiting for your decision', DECIDE],
  denied: ["isn't allowed to run", DECIDE],
  stopped: ['is stopped', START],
  starting: ['is starting', ''],
  authorizing: ['is waiting for you to sign in', ''],
  running: ['did not answer', ''],
  stopping: ['is stopping', ''],
};

/** What a server does, and what to do about it: a sentence with a space after it, or empty if you can only wait. */
function stateWords(state: ConnectionState): readonly [predicate: string, advice: string] {
  if (!('reason' in state)) {
    return withoutReason[state.kind];
  }
  const why = oneLine(state.reason.message).replace(/\.$/, '');
  switch (state.kind) {
    case 'signInRequired': {
      const what = state.reason.needs === 'token' ? 'Set its token' : 'Sign in';
      return [`isn't running: ${why}`, `${what} in the view "MCP Host". `];
    }
    case 'forbidden':
      return [`isn't allowed to run: ${why}`, ''];
    case 'backingOff':
      return [`has failed: ${why}`, ''];
    case 'failed':
      return [`has failed: ${why}`, START];
  }
}
