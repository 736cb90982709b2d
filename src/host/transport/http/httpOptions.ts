import { socketAddress } from '../../addresses/serverAddress.ts';
import type { Logger } from '../../../base/logging/logger.ts';
import type { HttpServerDefinition } from '../../config/serverDefinition.ts';
import { hasHeader } from '../../config/tokenText.ts';
import type { Sdk } from '../../sdk/loadSdk.ts';
import type { SessionTraffic } from '../../traffic/sessionTraffic.ts';
import { authorizedFetch } from './authorizedFetch.ts';
import type { HttpOptions } from './httpTransport.ts';
import { nodeFetch, nodeFetchOver } from './nodeFetch.ts';
import type { RequestAuthorization } from './requestAuthorization.ts';

/**
 * What a transport over HTTP needs. `streams` says whether a GET matters to the connection; `authorization` is what
 * requests carry besides the headers of the definition.
 */
export function httpOptions(
  sdk: Sdk,
  { url, headers }: HttpServerDefinition,
  streams: 'needed' | 'optional',
  logger: Logger,
  authorization: RequestAuthorization | undefined,
  traffic?: Pick<SessionTraffic, 'watching'>,
): HttpOptions {
  const socket = socketAddress(url);
  const place = new URL(socket?.url ?? url);
  const plain = authorization?.fetch ?? (socket ? nodeFetchOver(socket.socketPath) : nodeFetch);
  const fetch = traffic?.watching(plain) ?? plain;
  return {
    sdk,
    url: place,
    headers,
    hasAuthorization: hasHeader(headers, 'authorization'),
    fetch: authorization ? authorizedFetch(authorization, place.origin, streams, fetch) : fetch,
    logger,
  };
}
