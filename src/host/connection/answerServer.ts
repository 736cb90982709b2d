import type { ListRootsResult } from '@modelcontextprotocol/client';
import { HostError } from '../hostError.ts';
import { SamplingFailure } from '../sampling/samplingFailure.ts';
import type { SamplingResult } from '../sampling/samplingSource.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import type { Session } from './session.ts';
import type { SessionContext } from './sessionContext.ts';

/**
 * Answers what a server asks of this host: by a request of its own, or as input that a modern call requires
 * (2026-07-28, basic/patterns/mrtr). `ended` aborts with the connection.
 */
export function answerServer(session: Session, sdk: Sdk, context: SessionContext, ended: AbortSignal): void {
  const { createMessage } = context;
  session.client.setRequestHandler('roots/list', (_request, { mcpReq }) =>
    session.roots.whileAnswering(() => listRoots(session, context, mcpReq.signal, ended)),
  );
  if (createMessage) {
    session.client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq: { signal } }) =>
      withErrorCode(sdk, createMessage({ revision: session.revision, signal, ended }, params)),
    );
  }
}

async function listRoots(
  { era, roots }: Session,
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
