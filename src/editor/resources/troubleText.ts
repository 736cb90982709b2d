import type { ConnectionState } from '../../host/connection/connectionState.ts';
import { messageOf } from '../../host/hostError.ts';
import type { HostServer } from '../../host/mcpHost.ts';
import { oneLine } from '../plainText.ts';
import { stateText } from '../words.ts';

/** Why a document shows no resource: what is wrong, and what to do. */
export interface Trouble {
  readonly problem: string;
  readonly advice: string;
}

/** For a document whose server is not among the configured ones. */
export const unknownServer: Trouble = {
  problem: 'The MCP server of this document is not configured here.',
  advice:
    'The document comes back when the server is defined again, under the same name and in the same place.',
};

/** For a server that does not run. */
export function notRunning({ label, connection }: HostServer): Trouble {
  const { state } = connection;
  return {
    problem: `Server '${oneLine(label)}' is not running: ${reasonOf(state)}.`,
    advice: `${adviceFor(state)} The document comes back as soon as the server runs.`,
  };
}

/** For what the server did not give. */
export function notGiven({ label }: HostServer, uri: string, error: unknown): Trouble {
  return {
    problem: `Server '${oneLine(label)}' did not give ${oneLine(uri)}: ${oneLine(messageOf(error))}`,
    advice:
      'Try again with "Refresh Resource". What the server was asked and what it said stands in its log.',
  };
}

/** For one of several contents. */
export function contentGone({ label }: HostServer, uri: string, name: string): Trouble {
  return {
    problem: `Server '${oneLine(label)}' gives ${oneLine(uri)} without '${oneLine(name)}' now.`,
    advice: 'Open the resource again to see what it has.',
  };
}

export function troubleSentence({ problem, advice }: Trouble): string {
  return `${problem} ${advice}`;
}

/** The text of a document that shows no resource; where `//` begins a comment, it is one. */
export function troubleDocument({ problem, advice }: Trouble, name: string): string {
  const begin = /\.(?:jsonc?|jsonl|[cm]?[jt]sx?)$/i.test(name) ? '// ' : '';
  return [problem, advice].map((line) => `${begin}${line}\n`).join(begin ? '' : '\n');
}

function reasonOf(state: ConnectionState): string {
  return state.kind === 'failed' || state.kind === 'backingOff'
    ? `it failed, ${oneLine(state.reason.message)}`
    : stateText(state).replace(/…$/, '');
}

function adviceFor({ kind }: ConnectionState): string {
  switch (kind) {
    case 'restricted':
      return 'Trust the workspace to let it start.';
    case 'awaitingApproval':
    case 'denied':
      return 'Decide about it in the view "MCP Host".';
    case 'starting':
    case 'authorizing':
    case 'running':
    case 'stopping':
    case 'backingOff':
      return 'Its state stands in the view "MCP Host".';
    case 'disabled':
    case 'stopped':
    case 'failed':
      return 'Start it in the view "MCP Host".';
  }
}
