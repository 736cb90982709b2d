import type { RequestId } from '@modelcontextprotocol/client';
import { HostError } from '../../errors/hostError.ts';
import type { HttpLife } from './httpLife.ts';
import { isAboutRights, refusal } from './refusal.ts';
import { errorAnswer } from './refusalWords.ts';

export const INITIALIZED = 'notifications/initialized';

/**
 * Gives the JSON-RPC error in a refusal to whoever waits for the answer, since it is one (2026-07-28,
 * basic/transports/streamable-http: an unknown method is 404 with -32601). What is about rights stays a refusal, and so
 * does one of `initialize`, whose status says what is tried next.
 */
export async function answeredByError(
  id: RequestId,
  method: string,
  response: Response,
  life: HttpLife,
): Promise<Response | undefined> {
  const { status } = response;
  if (method === 'initialize' || status < 400 || isAboutRights(status)) {
    return undefined;
  }
  const error = errorAnswer(await response.clone().text(), id);
  if (!error) {
    return undefined;
  }
  life.settled(id);
  await life.hand(error);
  return new Response(null, { status: 202 });
}

/**
 * A server that refuses what ends the handshake has refused no address and no transport.
 *
 * @throws HostError `refused`, unless the SDK can go on: authorization, redirects.
 */
export async function refusedInitialized(response: Response): Promise<Response> {
  const { status } = response;
  if (status < 400 || isAboutRights(status)) {
    return response;
  }
  throw refusal(status, { method: INITIALIZED, body: await response.text() });
}

/** @throws what it is given; a session that is not known when its handshake ends has not been forgotten meanwhile. */
export function forgottenAtOnce(error: unknown): never {
  throw error instanceof HostError && error.code === 'sessionLost'
    ? new HostError('sessionLost', 'the server does not know the session that it has just begun', {
        detail: error.detail,
        cause: error,
      })
    : error;
}
