import type { ConnectionState } from '../../host/connection/state/connectionState.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { oneLine } from '../plainText.ts';

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
    problem: `Server '${oneLine(label)}' ${predicateOf(state)}.`,
    advice: `${adviceFor(state)}The document comes back as soon as the server runs.`,
  };
}

/** For what the server did not give. */
export function notGiven({ label }: HostServer, uri: string, error: unknown): Trouble {
  return {
    problem: `Server '${oneLine(label)}' did not give ${oneLine(uri)}: ${oneLine(messageOf(error))}`,
    advice: 'Try again with "MCP Host: Refresh Resource". More may stand in the log of the server.',
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

/** The text of a document that shows no resource, in a form that its language takes without complaint. */
export function troubleDocument({ problem, advice }: Trouble, name: string): string {
  if (/\.(?:jsonc?|jsonl)$/i.test(name)) {
    return `${JSON.stringify([problem, advice], undefined, 2)}\n`;
  }
  return /\.[cm]?[jt]sx?$/i.test(name) ? `// ${problem}\n// ${advice}\n` : `${problem}\n\n${advice}\n`;
}

function predicateOf(state: ConnectionState): string {
  switch (state.kind) {
    case 'disabled':
      return 'is disabled';
    case 'restricted':
      return 'does not run, because the workspace is not trusted';
    case 'awaitingApproval':
      return 'is waiting for your decision';
    case 'denied':
      return 'is not allowed to run';
    case 'stopped':
      return 'is stopped';
    case 'starting':
      return 'is starting';
    case 'authorizing':
      return 'is waiting until you have signed in';
    case 'running':
      return 'did not answer';
    case 'backingOff':
    case 'failed':
      return `has failed: ${oneLine(state.reason.message).replace(/\.$/, '')}`;
    case 'stopping':
      return 'is stopping';
  }
}

/** A sentence with the space after it; empty where there is nothing to do but wait. */
function adviceFor({ kind }: ConnectionState): string {
  switch (kind) {
    case 'restricted':
      return 'Trust the workspace to let it start. ';
    case 'awaitingApproval':
    case 'denied':
      return 'Decide about it in the view "MCP Host". ';
    case 'disabled':
    case 'stopped':
    case 'failed':
      return 'Start it in the view "MCP Host". ';
    case 'starting':
    case 'authorizing':
    case 'running':
    case 'stopping':
    case 'backingOff':
      return '';
  }
}
