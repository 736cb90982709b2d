import { CancellationError } from '../../base/cancellation.ts';
import { sha256 } from '../../base/sha256.ts';
import type { HttpServerDefinition, StdioServerDefinition } from '../config/serverDefinition.ts';
import { HostError } from '../errors/hostError.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';
import { transportsOf, type HttpTransport, type TransportFactory } from '../transport/transportFactory.ts';
import { connectionFailure, exitFailure } from './failures/connectionFailure.ts';
import { sameWords } from './failures/sameWords.ts';
import { loadSdk } from '../sdk/loadSdk.ts';
import { Session } from './session.ts';
import type { SessionContext } from './sessionContext.ts';
import {
  endsOf,
  failureToTell,
  firstWay,
  learntOf,
  nextWay,
  SILENT,
  type KnownEra,
  type TriedWay,
  type Way,
} from './waysToConnect.ts';

/**
 * Connects to a server, at whatever revision and over whatever transport it speaks.
 *
 * @throws HostError that says why not, and CancellationError when the signal ended it.
 */
export async function openSession(
  context: SessionContext,
  knownEra: KnownEra | undefined,
  signal: AbortSignal,
): Promise<Session> {
  const sdk = await loadSdk();
  const factory = transportsOf(sdk, context);
  const known = await knownEra?.get();
  const tried: TriedWay[] = [];
  for (let way: Way | undefined = firstWay(context.definition, known); way;) {
    if (signal.aborted) {
      throw new CancellationError();
    }
    const session = new Session(sdk, context, openTransport(factory, context, way), way.probing);
    const { transport } = session;
    const abort = (): void => void session.close();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await session.connect();
      if (signal.aborted) {
        throw new CancellationError();
      }
      tried.push({ way });
      const learnt = learntOf(way, tried, known);
      if (learnt?.era !== known?.era || known?.ends) {
        await knownEra?.set(learnt);
      }
      return session;
    } catch (error) {
      // The SDK ends the process of a server that it cannot agree with: that is no exit of the server's own.
      const exited =
        transport instanceof StdioTransport && transport.hasExitedByItself ? transport : undefined;
      const ownFailure = transport instanceof StdioTransport ? transport.failure : undefined;
      await session.close();
      if (signal.aborted) {
        throw new CancellationError();
      }
      const exit = exited?.exit && exitFailure(exited.exit, exited.stderr);
      const failure = ownFailure ?? exit ?? connectionFailure(sdk, error);
      const { probed, handshake } = session;
      const hasExited = exited !== undefined;
      const end = { error, failure, probed, handshake, hasExited, mark: endMark(failure) };
      tried.push({ way, end });
      const next = nextWay(sdk, way, end, tried, known);
      if (!next) {
        const ends = endsOf(tried);
        if (ends) {
          await knownEra?.set({ era: known?.era, ends });
        }
        const told = failureToTell(tried) ?? failure;
        if (told !== failure) {
          context.logger.log('debug', `HTTP+SSE leads nowhere either: ${failure.message}.`);
        }
        throw told;
      }
      context.logger.log('debug', `Trying again ${wordsFor(next)}: ${failure.message}.`);
      way = next;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
  throw new HostError('protocol', 'there is no way to reach the server');
}

/** By what the end of a process is known again; undefined for a failure that is no end of one. */
function endMark(failure: HostError): string | undefined {
  switch (failure.code) {
    case 'exited':
      // What a server writes may hold what nobody else should read.
      return sha256(sameWords(failure));
    case 'timedOut':
      return SILENT;
    default:
      return undefined;
  }
}

function wordsFor({ transport, probing }: Way): string {
  const how = {
    none: "with 'initialize'",
    brief: "with 'server/discover'",
    patient: "with 'server/discover', and more time",
  }[probing];
  return transport === 'sse' ? 'over HTTP+SSE' : how;
}

function openTransport(
  factory: TransportFactory,
  context: SessionContext,
  way: Way,
): HttpTransport | StdioTransport {
  const { definition, cwd, logger } = context;
  switch (way.transport) {
    case 'stdio':
      return factory.stdio(definition as StdioServerDefinition, cwd, (level, text) =>
        logger.log(level, text),
      );
    case 'streamableHttp':
      return factory.streamableHttp(definition as HttpServerDefinition);
    case 'sse':
      return factory.sse(definition as HttpServerDefinition);
  }
}
