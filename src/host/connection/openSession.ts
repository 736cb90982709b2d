import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { sha256 } from '../../base/text/sha256.ts';
import type { HttpServerDefinition, StdioServerDefinition } from '../config/serverDefinition.ts';
import { HostError } from '../errors/hostError.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';
import { httpOptions } from '../transport/http/httpOptions.ts';
import type { HttpTransport } from '../transport/http/httpTransport.ts';
import { SseTransport } from '../transport/http/sseTransport.ts';
import { StreamableTransport } from '../transport/http/streamableTransport.ts';
import { SessionTraffic } from '../traffic/sessionTraffic.ts';
import { connectionFailure } from './failures/connectionFailure.ts';
import { exitFailure, withNoise, withOutput } from './failures/exitFailure.ts';
import { stableText } from './failures/repeatedExits.ts';
import { loadSdk, type Sdk } from '../sdk/loadSdk.ts';
import type { EraCache } from './eraStore.ts';
import { Session } from './session.ts';
import type { SessionContext } from './connectionContext.ts';
import type { StartWait } from './startWait.ts';
import {
  endsOf,
  failureToReport,
  firstWay,
  eraToCache,
  nextWay,
  SILENT,
  type TriedWay,
  type Way,
  type WayEnd,
} from './waysToConnect.ts';

/**
 * Connects to a server, whatever its revision and transport.
 *
 * @throws HostError that says why that failed, and CancellationError when the signal aborted.
 */
export async function openSession(
  context: SessionContext,
  eraCache: EraCache | undefined,
  signal: AbortSignal,
): Promise<Session> {
  const sdk = await loadSdk();
  const known = await eraCache?.get();
  const tried: TriedWay[] = [];
  for (let way: Way | undefined = firstWay(context.definition, known); way;) {
    if (signal.aborted) {
      throw new CancellationError();
    }
    context.wait.begins();
    const traffic = new SessionTraffic(context.traffic);
    const transport = transportFor(sdk, context, way, traffic);
    const session = new Session(sdk, context, { transport, traffic }, way.probing);
    const abort = (): void => void session.close();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await session.connect();
      if (signal.aborted) {
        throw new CancellationError();
      }
      tried.push({ way });
      const found = eraToCache(way, tried, known);
      if (found?.era !== known?.era || known?.ends) {
        await eraCache?.set(found);
      }
      return session;
    } catch (error) {
      const end = await endOf(sdk, session, error, context.wait);
      if (signal.aborted) {
        throw new CancellationError();
      }
      tried.push({ way, end });
      const next = nextWay(sdk, way, end, tried, known);
      if (!next) {
        const ends = endsOf(tried);
        if (ends) {
          await eraCache?.set({ era: known?.era, ends });
        }
        const reported = failureToReport(tried) ?? end.failure;
        if (reported !== end.failure) {
          context.logger.log('debug', `Could not connect over HTTP+SSE either: ${end.failure.message}.`);
        }
        throw reported;
      }
      context.logger.log('debug', `Trying again ${textOf(next)}: ${end.failure.message}.`);
      way = next;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
  throw new HostError('protocol', 'there is no way to connect to the server');
}

/** Closes a session that could not connect, and says how that ended. */
async function endOf(sdk: Sdk, session: Session, error: unknown, { unattended }: StartWait): Promise<WayEnd> {
  const process = session.transport instanceof StdioTransport ? session.transport : undefined;
  // Not every exit is the server's: the SDK ends the process of one whose revision it does not support.
  const hasExited = process?.hasExitedByItself ?? false;
  const ownFailure = process?.failure;
  await session.close();
  const exit =
    hasExited && process?.exit ? exitFailure(process.exit, process.stderr, unattended?.code) : undefined;
  const thrown = ownFailure ?? exit ?? connectionFailure(sdk, error);
  const failure = withNoise(
    process && thrown.code === 'timedOut' ? withOutput('timedOut', thrown.message, process.stderr) : thrown,
    process?.noise,
  );
  const { probed, progress: handshake } = session.handshake;
  return { error, failure, probed, handshake, hasExited, mark: endMark(failure) };
}

/** See `WayEnd.mark`; undefined unless a process ended or was silent. */
function endMark(failure: HostError): string | undefined {
  switch (failure.code) {
    case 'exited':
      // Hashed, because what a server writes may be private.
      return sha256(stableText(failure));
    case 'timedOut':
      return SILENT;
    default:
      return undefined;
  }
}

function textOf({ transport, probing }: Way): string {
  const how = {
    none: "with 'initialize'",
    brief: "with 'server/discover'",
    patient: "with 'server/discover', and more time",
  }[probing];
  return transport === 'sse' ? 'over HTTP+SSE' : how;
}

function transportFor(
  sdk: Sdk,
  context: SessionContext,
  { transport }: Way,
  traffic: SessionTraffic,
): HttpTransport | StdioTransport {
  const { cwd, logger, processes, secrets, authorization } = context;
  if (transport === 'stdio') {
    const { command, args, env } = context.definition as StdioServerDefinition;
    return new StdioTransport(
      { command, args, env, cwd },
      (level, text) => logger.log(level, text),
      processes,
      secrets,
    );
  }
  const definition = context.definition as HttpServerDefinition;
  return transport === 'sse'
    ? new SseTransport(httpOptions(sdk, definition, 'needed', logger, authorization, traffic))
    : new StreamableTransport(httpOptions(sdk, definition, 'optional', logger, authorization, traffic));
}
