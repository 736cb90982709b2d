import type { CallToolResult } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import { finishedWords } from '../../host/requestForms/requestWords.ts';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../../host/connection/requests/requestsInFlight.ts';
import type { Gate } from '../../host/gate/gate.ts';
import { HostError, messageOf } from '../../host/errors/hostError.ts';
import { missedTexts, type MissedRequests } from '../../host/sampling/review/missedRequests.ts';
import { runCommand } from '../commands/commands.ts';
import type { ResultDocuments } from './resultDocuments.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import type { Review } from '../review/review.ts';
import { tellFailure } from '../commands/tellFailure.ts';
import type { SentArguments } from '../../host/requestForms/sentArguments.ts';
import { withCallProgress } from '../messages/withCallProgress.ts';

export interface ShownCallDependencies {
  /** What you run is recorded, too. */
  readonly gate: Gate;
  readonly results: ResultDocuments;
  /** Where you answer questions: a result does not cover what you read there. */
  readonly review: Pick<Review, 'isInUse'>;
  readonly missed: Pick<MissedRequests, 'lastOf'>;
}

/** A tool of one server. */
export interface Call {
  readonly id: ServerId;
  readonly server: string;
  readonly tool: string;
}

/** Calls a tool for you, and shows the result in the preview tab. */
export async function callAndShow(
  { id, server, tool }: Call,
  { args, secrets, secretTexts }: SentArguments,
  { gate, results, review, missed }: ShownCallDependencies,
): Promise<void> {
  const startedAt = new Date();
  const clock = performance.now();
  let result: CallToolResult;
  let sent: RequestInFlight | undefined;
  const onSent = (request: RequestInFlight): void => {
    sent = request;
  };
  try {
    result = await withCallProgress(`Running ${tool} on ${server}`, (onProgress, signal) =>
      gate.callTool({ kind: 'person' }, id, tool, args, { onProgress, onSent, secrets: secretTexts }, signal),
    );
  } catch (error) {
    if (error instanceof HostError && error.code === 'heldBack') {
      await offerReview(id, `'${oneLine(tool, 60)}' of server '${oneLine(server, 60)}'`);
    } else if (!(error instanceof CancellationError)) {
      await tellFailure(id, `Server '${server}' could not run '${tool}': ${messageOf(error)}`, error);
    }
    return;
  }
  const durationMs = performance.now() - clock;
  const unanswered = sent && missed.lastOf(sent);
  if (review.isInUse && !(await wantsResult(server, tool))) {
    return;
  }
  const notes = unanswered && missedTexts(unanswered);
  const call = { server, tool, startedAt, durationMs, args, secrets, notes };
  await results.show({ serverId: id, call, result, missed: unanswered?.question }, true);
}

/** Asks first, so as not to cover what you are reading. */
async function wantsResult(server: string, tool: string): Promise<boolean> {
  const { sentence, show } = finishedWords(
    { kind: 'tool', name: oneLine(tool, 60) },
    oneLine(server, 60),
    false,
  );
  return (await vscode.window.showInformationMessage(inNotification(sentence), show)) === show;
}

/** A tool that is held back runs only after you have seen the change. */
async function offerReview(id: ServerId, tool: string): Promise<void> {
  const review = 'Review Change';
  const message = inNotification(
    `${tool} has changed since you approved it. Review the change before you run it.`,
  );
  if ((await vscode.window.showWarningMessage(message, review)) === review) {
    await runCommand('reviewToolChanges', id);
  }
}
