import type { Client, ClientCapabilities, ListRootsResult } from '@modelcontextprotocol/client';
import { HostError } from '../errors/hostError.ts';
import { ElicitationFailure } from '../errors/elicitationFailure.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { RootsAnnouncer } from '../roots/rootsAnnouncer.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import type { SessionContext } from './connectionContext.ts';
import type { ElicitationMode } from './elicitationSource.ts';
import { asReceived } from './requests/sendRequest.ts';
import type { ProtocolEra } from '../state/connectionState.ts';
import { inTask, relatedTask } from './tasks/taskState.ts';

/** The session over which a server sends its requests. */
interface RequestedSession {
  readonly client: Client;
  readonly roots: RootsAnnouncer;
  readonly era: ProtocolEra;
  readonly revision: string;
}

const clientCapabilities = { roots: { listChanged: true } } satisfies ClientCapabilities;

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

/** Answers one request of a server; `task` is the ID of the task that it belongs to. */
type Answer = (params: unknown, signal: AbortSignal, task: string | undefined) => Promise<object>;

/** The answers to what a server may ask; the input that a task requires gets the same ones as a request. */
export type Answers = Readonly<
  Partial<Record<'roots/list' | 'sampling/createMessage' | 'elicitation/create', Answer>>
>;

/**
 * Answers the requests of a server, and the input that a modern call requires (2026-07-28, basic/patterns/mrtr).
 * `ended` aborts with the connection.
 */
export function answerServer(
  session: RequestedSession,
  sdk: Sdk,
  context: SessionContext,
  ended: AbortSignal,
): Answers {
  const { createMessage, elicitation } = context;
  const { client } = session;
  const listed = (signal: AbortSignal): Promise<ListRootsResult> =>
    session.roots.whileAnswering(() => listRoots(session, context, signal, ended));
  client.setRequestHandler('roots/list', async ({ params }, { mcpReq }) =>
    inTask(await listed(mcpReq.signal), relatedTask(params)),
  );
  const created =
    createMessage &&
    (async (params: unknown, signal: AbortSignal, task: string | undefined) => {
      const request = { revision: session.revision, signal, ended, task };
      return withErrorCode(sdk, createMessage(request, params));
    });
  if (created) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
      const task = relatedTask(params);
      return inTask(await created(params, mcpReq.signal, task), task);
    });
  }
  const elicited =
    elicitation &&
    (async (params: unknown, signal: AbortSignal, task: string | undefined) => {
      const request = { revision: session.revision, signal, ended, task };
      return withErrorCode(sdk, elicitation.elicit(request, params));
    });
  if (elicited) {
    // The SDK's own schema, which it checks anyway, drops what it doesn't know of a form, such as `pattern`.
    client.setRequestHandler('elicitation/create', { params: asReceived }, async (params, { mcpReq }) => {
      const task = relatedTask(params);
      return inTask(await elicited(params, mcpReq.signal, task), task);
    });
  }
  return {
    'roots/list': (_params, signal) => listed(signal),
    ...(created && { 'sampling/createMessage': created }),
    ...(elicited && { 'elicitation/create': elicited }),
  };
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
