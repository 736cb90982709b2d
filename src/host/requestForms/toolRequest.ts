import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import type { UnknownRecord } from '../../base/values/record.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import type { Openable } from '../documents/contentSection.ts';
import type { FinishedCall } from '../documents/resultDocument.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { SamplingQuestion } from '../sampling/review/samplingReview.ts';
import { missedTexts, type MissedRequest } from '../sampling/review/missedRequests.ts';
import type { ActionView } from './requestFormProtocol.ts';
import type { ListedRequest, RequestEvents, RequestOutcome } from './requestFormPort.ts';
import type { SentArguments } from './sentArguments.ts';
import { resultView } from './resultView.ts';

/** A call that has ended with a result. */
interface ToolOutcome {
  readonly call: FinishedCall;
  readonly result: CallToolResult;
  /** The request for a model that you did not answer meanwhile. */
  readonly missed?: SamplingQuestion | undefined;
}

/** What a form of a tool does with its tool. */
export interface ToolFormPort {
  /** @throws as `Gate.callTool`. */
  call(
    args: UnknownRecord,
    options: { readonly secrets: readonly string[] } & RequestEvents,
    signal: AbortSignal,
  ): Promise<CallToolResult>;
  missedIn(call: RequestInFlight): MissedRequest | undefined;
  open(outcome: ToolOutcome, openable: Openable): void;
  /** Opens the result as a document, copies it, or reviews what the server asked for meanwhile. */
  use(outcome: ToolOutcome, how: 'document' | 'copy' | 'missed'): void;
}

/** A tool for its form. */
export function listedTool(
  tool: Tool,
  of: Pick<ListedRequest, 'server' | 'logger' | 'schemas'>,
): ListedRequest {
  return { ...of, listed: tool, takes: tool };
}

/** Calls a tool for its form. */
export async function callForForm(
  { server, tool }: Pick<FinishedCall, 'server' | 'tool'>,
  { args, secrets, secretTexts }: SentArguments,
  port: ToolFormPort,
  events: RequestEvents,
  signal: AbortSignal,
): Promise<RequestOutcome> {
  const startedAt = new Date();
  const clock = performance.now();
  let call: RequestInFlight | undefined;
  const onSent = (request: RequestInFlight): void => {
    call = request;
    events.onSent(request);
  };
  const result = await port.call(args, { secrets: secretTexts, ...events, onSent }, signal);
  const durationMs = performance.now() - clock;
  const missed = call && port.missedIn(call);
  const notes = missed && missedTexts(missed);
  const outcome: ToolOutcome = {
    call: { server, tool, startedAt, durationMs, args, secrets, notes },
    result,
    missed: missed?.question,
  };
  const review: ActionView = { action: 'missed', label: 'Review Request' };
  return {
    ...resultView(result),
    words: result.isError === true ? 'The tool reported an error' : 'Finished',
    notes: notes ?? [],
    actions: [
      ...(missed ? [review] : []),
      { action: 'document', label: 'Open as Document' },
      { action: 'copy', label: 'Copy as JSON' },
    ],
    open: (openable) => port.open(outcome, openable),
    use: (action) => {
      if (action === 'document' || action === 'copy' || action === 'missed') {
        port.use(outcome, action);
      }
    },
  };
}

/** Why a call failed, as a sentence. */
export function callFailure({ server, tool }: Pick<FinishedCall, 'server' | 'tool'>, error: unknown): string {
  return error instanceof HostError && error.code === 'heldBack'
    ? `'${tool}' of server '${server}' has changed since you approved it. Review the change before you run it.`
    : `Server '${server}' could not run '${tool}': ${messageOf(error)}`;
}
