import { CancellationError } from '../../base/cancellation.ts';
import type { HttpServerDefinition, StdioServerDefinition } from '../config/serverDefinition.ts';
import { HostError } from '../hostError.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';
import { transportsOf, type HttpTransport, type TransportFactory } from '../transport/transportFactory.ts';
import { connectionFailure, exitFailure } from './connectionFailure.ts';
import { loadSdk } from '../sdk/loadSdk.ts';
import { Session } from './session.ts';
import type { SessionContext } from './sessionContext.ts';
import { eraLearnt, firstWay, nextWay, type KnownEra, type Way } from './waysToConnect.ts';

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
  const tried: Way[] = [];
  for (let way: Way | undefined = firstWay(context.definition, known); way;) {
    if (signal.aborted) {
      throw new CancellationError();
    }
    tried.push(way);
    const session = new Session(sdk, context, openTransport(factory, context, way), way.probing);
    const { transport } = session;
    const abort = (): void => void session.close();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await session.connect();
      if (signal.aborted) {
        throw new CancellationError();
      }
      if (tried.length > 1) {
        await knownEra?.set(eraLearnt(way));
      }
      return session;
    } catch (error) {
      // The SDK ends the process of a server that it cannot agree with: that is no exit of the server's own.
      const exited =
        transport instanceof StdioTransport && transport.hasExitedByItself ? transport : undefined;
      const failure = transport instanceof StdioTransport ? transport.failure : undefined;
      await session.close();
      if (signal.aborted) {
        throw new CancellationError();
      }
      const end = { error, probed: session.probed, hasExited: exited !== undefined };
      const next = nextWay(sdk, way, end, tried);
      if (!next) {
        throw (
          failure ?? (exited?.exit ? exitFailure(exited.exit, exited.stderr) : connectionFailure(sdk, error))
        );
      }
      context.logger.log('debug', `Trying again: ${wordsFor(next)}.`);
      way = next;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
  throw new HostError('protocol', 'there is no way to reach the server');
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
