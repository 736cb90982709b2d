import type { Logger } from '../../../base/logging/logger.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { continuedEvents, MAX_FAILURES, type Continuation, type Opening } from './continuedEvents.ts';
import { eventResponse, type ServerEvent } from './eventParser.ts';
import { isEventStream, withWords, type Exchange, type GuardOptions } from './exchange.ts';
import { handOnEvent } from './handOn.ts';
import type { HttpLife } from './httpLife.ts';
import { mayPass } from './networkFailure.ts';
import { isRefusedForNow } from './refusal.ts';

/** Failures in a row after which the log says that the stream is down. */
const OUTAGE = 5;

/** How the stream is opened again. */
export interface ServerStreamWays extends Pick<Continuation, 'wait'> {
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Opening>;
  /** Resolves when the server responds to a request, or the signal aborts. */
  readonly answered: (signal: AbortSignal) => Promise<void>;
}

/**
 * The stream for messages that a legacy server sends on its own initiative (GET; 2025-03-26, basic/transports, listening
 * for messages from the server): open as long as the transport, or 405 if the server has none. After many failures it is
 * opened only when the server responds to a request.
 */
export async function serverStream(
  exchange: Exchange,
  { fetch, logger, life }: Pick<GuardOptions, 'fetch' | 'logger' | 'life'>,
  { open, answered, wait }: ServerStreamWays,
): Promise<Response> {
  const signal = exchange.init.signal ?? new AbortController().signal;
  let first: Response | undefined;
  try {
    first = await fetch(exchange.url, exchange.init);
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
    if (error instanceof HostError && !mayPass(error)) {
      givenUp(logger, error);
      return new Response(null, { status: 405 });
    }
  }
  if (first && !isEventStream(first)) {
    const { status } = first;
    const { response } = await withWords(first, exchange);
    if (status === 401 || status === 403 || (status >= 300 && status < 400)) {
      return response;
    }
    if (first.ok || !isRefusedForNow(status)) {
      // 405 by the specification; a server without a route for it responds with 404 or 400.
      logger.log('debug', `The server has no event stream of its own (status ${status}).`);
      return new Response(null, { status: 405 });
    }
    first = undefined;
  }
  const events = continuedEvents(
    first,
    {
      open: (lastEventId) => open(lastEventId, signal),
      onOutage: outageLog(logger),
      ...(wait && { wait }),
      afterMany: (failures) => {
        if (failures === MAX_FAILURES) {
          logger.log(
            'warn',
            `The server's event stream could not be opened in ${failures} tries. It will be opened again when the server answers a request.`,
          );
        }
        return answered(signal);
      },
    },
    signal,
  );
  return eventResponse(handedOn(events, life, logger));
}

async function* handedOn(
  events: AsyncGenerator<ServerEvent>,
  life: HttpLife,
  logger: Logger,
): AsyncGenerator<ServerEvent> {
  try {
    for await (const event of events) {
      await handOnEvent(event, life, () => {});
      yield event;
    }
  } catch (error) {
    givenUp(logger, error);
  }
}

function givenUp(logger: Logger, error: unknown): void {
  logger.log('warn', `The server's event stream was given up: ${messageOf(error)}.`);
}

/** Logs once that the stream is down, and once that it is open again. */
function outageLog(logger: Logger): (failures: number) => void {
  let isSaid = false;
  return (failures) => {
    if (failures >= OUTAGE && !isSaid) {
      isSaid = true;
      logger.log('info', "The server's event stream cannot be opened. Trying again.");
    } else if (failures === 0 && isSaid) {
      isSaid = false;
      logger.log('info', "The server's event stream is open again.");
    }
  };
}
