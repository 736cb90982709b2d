import type { Client, ListRootsResult } from '@modelcontextprotocol/client';
import { HostError } from '../errors/hostError.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { SamplingResult } from './samplingSource.ts';
import type { RootsAnnouncer } from '../roots/rootsAnnouncer.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import type { ProtocolEra } from './state/connectionState.ts';
import type { SessionContext } from './sessionContext.ts';

/** The connection over which a server asks. */
interface Asked {
  readonly client: Client;
  readonly roots: RootsAnnouncer;
  readonly era: ProtocolEra;
  readonly revision: string;
}

/**
 * Answers what a server asks of this host: by a request of its own, or as input that a modern call requires
 * (2026-07-28, basic/patterns/mrtr). `ended` aborts with the connection.
 */
export function answerServer(asked: Asked, sdk: Sdk, context: SessionContext, ended: AbortSignal): void {
  const { createMessage } = context;
  asked.client.setRequestHandler('roots/list', (_request, { mcpReq }) =>
    asked.roots.whileAnswering(() => listRoots(asked, context, mcpReq.signal, ended)),
  );
  if (createMessage) {
    asked.client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq: { signal } }) =>
      withErrorCode(sdk, createMessage({ revision: asked.revision, signal, ended }, params)),
    );
  }
}

async function listRoots(
  { era, roots }: Asked,
  { prepareRoots, onListedRoots }: SessionContext,
  signal: AbortSignal,
  ended: AbortSignal,
): Promise<ListRootsResult> {
  await prepareRoots({ era, signal, ended });
  if (ended.aborted) {
    throw new HostError('notRunning', 'the connection ended before the server answered');
  }
  const shared = roots.answer();
  onListedRoots(shared);
  return { roots: shared.map((root) => ({ ...root })) };
}

/** The failure becomes a JSON-RPC error for a legacy server; a modern call is rejected with it, see `requestFailure`. */
async function withErrorCode(sdk: Sdk, answer: Promise<SamplingResult>): Promise<SamplingResult> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof SamplingFailure
      ? Object.assign(new sdk.ProtocolError(error.code, error.message), { cause: error })
      : error;
  }
}
