import { stateWords } from '../../host/connection/stateWords.ts';
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
  const { predicate, advice } = stateWords(connection.state);
  return {
    problem: oneLine(`Server '${label}' ${predicate}.`),
    advice: [...(advice === undefined ? [] : [advice]), 'The document comes back when the server runs.'].join(
      ' ',
    ),
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
