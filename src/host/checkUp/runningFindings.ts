import { counted, sentence } from '../../base/text/words.ts';
import { CancellationError, unlessAborted } from '../../base/lifetime/cancellation.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { wholeFailure } from '../connection/failures/failureWord.ts';
import { noiseText } from '../connection/failures/exitFailure.ts';
import type { Catalogue } from '../connection/lists/catalogue.ts';
import type { ListKind } from '../connection/lists/serverList.ts';
import { HostError } from '../errors/hostError.ts';
import type { RunningState } from '../state/connectionState.ts';
import type { Finding } from './checkStep.ts';

/** Milliseconds in which a running server has to answer a ping. */
const PING_MS = 10_000;
/** Faults of a list that are named; the others are counted. */
const MAX_FAULTS = 10;

/** What the handshake agreed on, and by which request. */
export function handshakeFinding(
  { era, revision, pid }: RunningState,
  { serverInfo, noise }: ServerConnection,
): Finding {
  const by =
    era === 'legacy'
      ? "agreed on by 'initialize'"
      : "which the server named in its answer to 'server/discover'";
  const name = serverInfo ? ` It calls itself ${serverInfo.name} ${serverInfo.version}.` : '';
  const process = pid === undefined ? '' : ` Its process is ${pid}.`;
  const text = `It runs at revision ${revision}, ${by}.${name}${process}`;
  return noise === undefined
    ? { outcome: 'ok', text }
    : {
        outcome: 'noted',
        text: `${text}\n${noiseText(noise)}`,
        advice: 'The server should write log output to stderr.',
        action: { kind: 'log' },
      };
}

export function capabilitiesFinding({ capabilities = {} }: ServerConnection): Finding {
  const names = Object.keys(capabilities);
  return names.length === 0
    ? { outcome: 'noted', text: 'It declares no capabilities, so it offers nothing.' }
    : { outcome: 'ok', text: `It declares ${names.join(', ')}.` };
}

/** How much is in a list, and what is wrong with it. A list that is being read for the first time is waited for. */
export async function listFinding(
  kind: ListKind,
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<Finding> {
  if (!catalogue.hasListed(kind)) {
    await unlessAborted(catalogue.listing(kind) ?? Promise.resolve(), signal);
  }
  const count =
    kind === 'resources'
      ? `${counted(catalogue.resources.length, 'resource')} and ${counted(catalogue.resourceTemplates.length, 'template')}`
      : counted(catalogue[kind].length, kind.slice(0, -1));
  if (!catalogue.hasListed(kind)) {
    return {
      outcome: 'failed',
      text: 'The list could not be read; the log has the reason.',
      action: { kind: 'log' },
    };
  }
  const malformed = catalogue.malformed(kind);
  const faults = [
    ...malformed
      .slice(0, MAX_FAULTS)
      .map(({ name, place, reason }) => `${name ?? `Item ${place}`}: ${reason}`),
    ...(malformed.length > MAX_FAULTS ? [`and ${malformed.length - MAX_FAULTS} more`] : []),
    ...catalogue.cuts.filter((cut) => cut.startsWith(`its list of ${kind} `)).map(sentence),
    ...(catalogue.repeated.includes(kind) ? ['The server keeps saying that it has changed.'] : []),
  ];
  return faults.length === 0
    ? { outcome: 'ok', text: `It lists ${count}.` }
    : {
        outcome: 'noted',
        text: [`It lists ${count} that can be used.`, ...faults].join('\n'),
        action: { kind: 'log' },
      };
}

/** Whether a running server answers, and how fast the step says by its time. */
export async function pingFinding(connection: ServerConnection, signal: AbortSignal): Promise<Finding> {
  try {
    await connection.ping(PING_MS, signal);
    return { outcome: 'ok', text: 'It answered a ping.' };
  } catch (error) {
    if (signal.aborted) {
      throw new CancellationError();
    }
    if (!(error instanceof HostError)) {
      throw error;
    }
    return {
      outcome: 'failed',
      text: wholeFailure(error),
      advice: 'It may be busy with a request. Otherwise, restart it.',
      action: { kind: 'log' },
    };
  }
}
