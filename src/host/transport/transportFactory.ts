import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../base/logging/logger.ts';
import type { HttpServerDefinition, StdioServerDefinition } from '../config/serverDefinition.ts';
import { hasHeader } from '../config/tokenText.ts';
import type { HostError } from '../errors/hostError.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import { authorizedFetch } from './http/authorizedFetch.ts';
import type { GuardOptions } from './http/exchange.ts';
import { guardTransport } from './http/guardTransport.ts';
import { HttpLife } from './http/httpLife.ts';
import { nodeFetch } from './http/nodeFetch.ts';
import type { RequestAuthorization } from './http/requestAuthorization.ts';
import type { ServerStream } from './http/serverStream.ts';
import { SseFetch } from './http/sseFetch.ts';
import { StreamableFetch } from './http/streamableFetch.ts';
import type { ProcessOutput } from './processLog.ts';
import type { ProcessRegistry } from '../processes/processRegistry.ts';
import { StdioTransport } from './stdioTransport.ts';

/** A transport over HTTP, which may have a session. */
export interface HttpTransport extends Transport {
  /** Ends the session at the server (2025-03-26, basic/transports: clients SHOULD send DELETE). */
  terminateSession?(): Promise<void>;
  /** Why it ended, if this side didn't end it. */
  readonly loss?: HostError | undefined;
  /** On which the server asks on its own initiative; undefined if that needs no stream of its own. */
  readonly serverStream?: ServerStream | undefined;
}

/** What transports need. */
export interface TransportSurroundings {
  readonly logger: Logger;
  /** Records the processes that run. */
  readonly processes?: ProcessRegistry | undefined;
  /** Values that are removed from all output. */
  readonly secrets?: Iterable<string> | undefined;
  /** What requests over HTTP carry besides the headers of the definition. */
  readonly authorization?: RequestAuthorization | undefined;
}

/** Creates a connection's transports; tests replace it. */
export interface TransportFactory {
  stdio(definition: StdioServerDefinition, cwd: string, onOutput: ProcessOutput): StdioTransport;
  streamableHttp(definition: HttpServerDefinition): HttpTransport;
  /** HTTP+SSE, the transport of 2024-11-05. */
  sse(definition: HttpServerDefinition): HttpTransport;
}

export function transportsOf(sdk: Sdk, surroundings: TransportSurroundings): TransportFactory {
  const { processes, secrets } = surroundings;
  return {
    stdio: ({ command, args, env }, cwd, onOutput) =>
      new StdioTransport({ command, args, env, cwd }, onOutput, processes, secrets),
    streamableHttp: (definition) => {
      const guard = guardOf(definition, surroundings, 'optional');
      const { url, headers } = definition;
      const { fetch, serverStream } = new StreamableFetch(guard);
      const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { ...headers } },
        fetch,
      });
      return Object.assign(guardTransport(transport, guard.life), { serverStream });
    },
    sse: (definition) => {
      const guard = guardOf(definition, surroundings, 'needed');
      const { url, headers } = definition;
      const transport = new sdk.SSEClientTransport(new URL(url), {
        requestInit: { headers: { ...headers } },
        fetch: new SseFetch(guard).fetch,
      });
      return guardTransport(transport, guard.life);
    },
  };
}

function guardOf(
  { url, headers }: HttpServerDefinition,
  { logger, authorization }: TransportSurroundings,
  streams: 'needed' | 'optional',
): GuardOptions {
  return {
    life: new HttpLife(),
    logger,
    hasAuthorization: hasHeader(headers, 'authorization'),
    fetch: authorization ? authorizedFetch(authorization, new URL(url).origin, streams) : nodeFetch,
  };
}
