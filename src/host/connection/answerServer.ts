import type { Client, ClientCapabilities, ListRootsResult } from '@modelcontextprotocol/client';
import { HostError } from '../errors/hostError.ts';
import { ElicitationFailure } from '../errors/elicitationFailure.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { RootsAnnouncer } from '../roots/rootsAnnouncer.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import type { SessionContext } from './connectionContext.ts';
import type { ElicitationMode } from './elicitationSource.ts';
import type { ProtocolEra } from './state/connectionState.ts';

/** The session over which a server sends its requests. */
interface RequestedSession {
  readonly client: Client;
  readonly roots: RootsAnnouncer;
  readonly era: ProtocolEra;
  readonly revision: string;
}

const clientCapabilities = { roots: { listChanged: true } } satisfies ClientCapabilities;

/**
 * Gives the parameters as they were sent (Standard Schema, version 1). The SDK's own schema, which it checks anyway, drops
 * what it doesn't know of a form, such as `pattern`.
 */
const asReceived = {
  '~standard': { version: 1, vendor: 'mcp-host', validate: (value: unknown) => ({ value }) },
} as const;

/** What a server may ask of you. */
export interface OfferedAccess {
  readonly sampling: boolean;
  /** Empty if it may not ask. */
  readonly elicitation: readonly ElicitationMode[];
}

/**
 * What this host declares to a server (2025-11-25, basic/lifecycle), before the revision is negotiated: a mode that the
 * revision doesn't have is refused when it is used.
 */
export function capabilitiesFor({ sampling, elicitation }: OfferedAccess): ClientCapabilities {
  return {
    ...clientCapabilities,
    ...(sampling && { sampling: { tools: {} } }),
    // 2025-06-18 has only the mode 'form', and reads any object.
    ...(elicitation.length > 0 && {
      elicitation: Object.fromEntries(elicitation.map((mode) => [mode, {}])),
    }),
  };
}

/**
 * Answers the requests of a server, and the input that a modern call requires (2026-07-28, basic/patterns/mrtr).
 * `ended` aborts with the connection.
 */
export function answerServer(
  session: RequestedSession,
  sdk: Sdk,
  context: SessionContext,
  ended: AbortSignal,
): void {
  const { createMessage, elicitation } = context;
  session.client.setRequestHandler('roots/list', (_request, { mcpReq }) =>
    session.roots.whileAnswering(() => listRoots(session, context, mcpReq.signal, ended)),
  );
  if (createMessage) {
    session.client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq: { signal } }) =>
      withErrorCode(sdk, createMessage({ revision: session.revision, signal, ended }, params)),
    );
  }
  if (elicitation) {
    session.client.setRequestHandler(
      'elicitation/create',
      { params: asReceived },
      (params, { mcpReq: { signal } }) =>
        withErrorCode(sdk, elicitation.elicit({ revision: session.revision, signal, ended }, params)),
    );
    session.client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      elicitation.completed(params.elicitationId),
    );
  }
}

async function listRoots(
  { era, roots }: RequestedSession,
  context: SessionContext,
  signal: AbortSignal,
  ended: AbortSignal,
): Promise<ListRootsResult> {
  await context.prepareRoots({ era, signal, ended });
  if (ended.aborted) {
    throw new HostError('notRunning', 'the connection ended before the server answered');
  }
  const shared = roots.answer();
  context.onListedRoots(shared);
  return { roots: shared.map((root) => ({ ...root })) };
}

/** The failure as a JSON-RPC error for a legacy server. A modern call is rejected with it, see `requestFailure`. */
async function withErrorCode<T>(sdk: Sdk, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof SamplingFailure || error instanceof ElicitationFailure
      ? Object.assign(new sdk.ProtocolError(error.code, error.message), { cause: error })
      : error;
  }
}
