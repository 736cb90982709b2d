import type { Logger } from '../../../base/logger.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { continuedEvents, MAX_FAILURES, type Continuation, type Opening } from './continuedEvents.ts';
import { eventResponse } from './eventBody.ts';
import type { ServerEvent } from './eventParser.ts';
import { isEventStream, withWords, type Exchange, type GuardOptions } from './exchange.ts';
import { handOnEvent } from './handOn.ts';
import type { HttpLife } from './httpLife.ts';
import { isRefusedForNow } from './refusal.ts';

/** Failures in a row after which it is said that the stream is down. */
const OUTAGE = 5;

/** How a stream is opened again. */
export interface ServerStreamWays extends Pick<Continuation, 'wait'> {
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Opening>;
  /** Resolves when the server answers a request, or the signal aborts. */
  readonly answered: (signal: AbortSignal) => Promise<void>;
}

/**
 * The stream on which a legacy server sends by itself (GET; 2025-03-26, basic/transports, listening for
 * messages from the server): open for as long as the transport lives, or 405 when there is none. After many failures
 * it is tried only when the server is known to be there.
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
    if (error instanceof HostError) {
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
      // 405 by the specification; what has no route for it says 404 or 400.
      logger.log('debug', `The server has no stream of its own (status ${status}).`);
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
            `The stream on which the server sends by itself could not be opened in ${failures} tries. It is opened again when the server answers a request.`,
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
  logger.log('warn', `The server's own stream is given up: ${messageOf(error)}.`);
}

/** Says once that the stream is down, and once that it is open again. */
function outageLog(logger: Logger): (failures: number) => void {
  let isSaid = false;
  return (failures) => {
    if (failures >= OUTAGE && !isSaid) {
      isSaid = true;
      logger.log('info', 'The stream on which the server sends by itself cannot be opened; trying on.');
    } else if (failures === 0 && isSaid) {
      isSaid = false;
      logger.log('info', 'The stream on which the server sends by itself is open again.');
    }
  };
}
