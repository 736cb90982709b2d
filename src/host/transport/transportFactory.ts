import type { Transport } from '@modelcontextprotocol/client';
import type { Sdk } from '../sdk/loadSdk.ts';
import type { HttpServerDefinition, StdioServerDefinition } from '../config/serverDefinition.ts';
import { environmentFor } from './environment.ts';
import type { ProcessOutput } from './processLog.ts';
import type { ProcessRegistry } from './processRegistry.ts';
import { StdioTransport } from './stdioTransport.ts';

/** A transport that can leave politely. */
export interface HttpTransport extends Transport {
  /** Ends the session at the server (2025-03-26, basic/transports: clients SHOULD send DELETE). */
  terminateSession?(): Promise<void>;
}

/** Makes a connection's transports: the seam where they are hardened or, in a test, replaced. */
export interface TransportFactory {
  stdio(definition: StdioServerDefinition, cwd: string, onOutput: ProcessOutput): StdioTransport;
  streamableHttp(definition: HttpServerDefinition): HttpTransport;
  /** HTTP+SSE, the transport of 2024-11-05. */
  sse(definition: HttpServerDefinition): HttpTransport;
}

export function transportsOf(sdk: Sdk, processes?: ProcessRegistry): TransportFactory {
  return {
    stdio: ({ command, args, env }, cwd, onOutput) =>
      new StdioTransport({ command, args, env: environmentFor(env), cwd }, onOutput, processes),
    streamableHttp: ({ url, headers }) =>
      new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } } }),
    sse: ({ url, headers }) =>
      new sdk.SSEClientTransport(new URL(url), { requestInit: { headers: { ...headers } } }),
  };
}
