import { CancellationError } from '../../base/cancellation.ts';
import type {
  HttpServerDefinition,
  ServerDefinition,
  StdioServerDefinition,
} from '../config/serverDefinition.ts';
import { HostError } from '../hostError.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';
import { transportsOf, type HttpTransport, type TransportFactory } from '../transport/transportFactory.ts';
import { connectionFailure, exitFailure, httpStatusOf } from './connectionFailure.ts';
import { loadSdk, type Sdk } from '../sdk/loadSdk.ts';
import { Session, type SessionContext } from './session.ts';

/** One way to reach a server; the next is tried when a failure says that it may be another kind of server. */
interface Way {
  readonly transport: 'stdio' | 'streamableHttp' | 'sse';
  readonly era: 'auto' | 'legacy';
}

/**
 * Connects to a server, at whatever revision and over whatever transport it speaks.
 *
 * @throws HostError that says why not, and CancellationError when the signal ended it.
 */
export async function openSession(context: SessionContext, signal: AbortSignal): Promise<Session> {
  const sdk = await loadSdk();
  const factory = transportsOf(sdk, context.processes);
  for (let way: Way | undefined = firstWay(context.definition); way;) {
    if (signal.aborted) {
      throw new CancellationError();
    }
    const session = new Session(sdk, context, openTransport(factory, context, way));
    const { transport } = session;
    const abort = (): void => void session.close();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await session.connect(way.era);
      if (!signal.aborted) {
        return session;
      }
      throw new CancellationError();
    } catch (error) {
      // Asked before closing, which ends the process too.
      const exit = transport instanceof StdioTransport ? transport.exit : undefined;
      await session.close();
      if (signal.aborted) {
        throw new CancellationError();
      }
      const next = nextWay(sdk, way, error, exit !== undefined);
      if (!next) {
        throw exit && transport instanceof StdioTransport
          ? exitFailure(exit, transport.stderr)
          : connectionFailure(sdk, error);
      }
      context.logger.log('debug', `Trying again over ${next.transport}, ${next.era} era.`);
      way = next;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
  throw new HostError('protocol', 'there is no way to reach the server');
}

function firstWay({ type }: ServerDefinition): Way {
  switch (type) {
    case 'stdio':
      return { transport: 'stdio', era: 'auto' };
    case 'http':
      return { transport: 'streamableHttp', era: 'auto' };
    case 'sse':
      return { transport: 'sse', era: 'legacy' };
  }
}

/**
 * - A stdio server that exited while it was probed may be one that exits on anything but `initialize`.
 * - An HTTP server that answered the probe with 5xx, with no MCP, or not at all is asked once more as
 *   legacy (2026-07-28, basic/transports: fall back on any error that is not a modern one).
 * - A 4xx on `initialize` means HTTP+SSE (2025-03-26, basic/transports, backwards compatibility), unless
 *   it is about this client's rights or pace.
 */
function nextWay(sdk: Sdk, { transport, era }: Way, error: unknown, hasExited: boolean): Way | undefined {
  if (transport === 'stdio') {
    return era === 'auto' && hasExited ? { transport, era: 'legacy' } : undefined;
  }
  if (transport === 'sse') {
    return undefined;
  }
  const status = httpStatusOf(sdk, error);
  if (status !== undefined && status >= 400 && status < 500) {
    return [401, 403, 407, 408, 429].includes(status) ? undefined : { transport: 'sse', era: 'legacy' };
  }
  const isNoModernAnswer =
    error instanceof sdk.SdkError &&
    (error.code === sdk.SdkErrorCode.EraNegotiationFailed ||
      error.code === sdk.SdkErrorCode.RequestTimeout) &&
    connectionFailure(sdk, error).code !== 'unreachable';
  return era === 'auto' && isNoModernAnswer ? { transport, era: 'legacy' } : undefined;
}

function openTransport(
  factory: TransportFactory,
  context: SessionContext,
  way: Way,
): HttpTransport | StdioTransport {
  const { definition, cwd, logger } = context;
  switch (way.transport) {
    case 'stdio':
      return factory.stdio(definition as StdioServerDefinition, cwd, (stream, line) =>
        stream === 'stderr'
          ? logger.log('info', `[stderr] ${line}`)
          : logger.log('warn', `The server wrote to stdout what is no message: ${line.slice(0, 200)}`),
      );
    case 'streamableHttp':
      return factory.streamableHttp(definition as HttpServerDefinition);
    case 'sse':
      return factory.sse(definition as HttpServerDefinition);
  }
}
