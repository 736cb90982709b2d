import type { CallToolResult } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import { CancellationError } from '../../../base/lifetime/cancellation.ts';
import { isRecord } from '../../../base/values/record.ts';
import { messageOf } from '../../../host/errors/hostError.ts';
import type { KeptTasks } from '../../../host/keptTasks/keptTasks.ts';
import type { Ledger } from '../../../host/ledger/ledger.ts';
import type { LedgerEntry } from '../../../host/ledger/ledgerEntry.ts';
import { inNotification, oneLine } from '../../messages/plainText.ts';
import { tellFailure } from '../../commands/tellFailure.ts';
import { withCallProgress } from '../../messages/withCallProgress.ts';
import type { ResultDocuments } from '../../tools/resultDocuments.ts';

export interface TaskResultDependencies {
  readonly ledger: Ledger;
  readonly keptTasks: Pick<KeptTasks, 'resultOf'>;
  readonly results: Pick<ResultDocuments, 'show'>;
}

/** `mcpHost.openTaskResult`: the result of a task, from memory, from the disk, or once more from its server. */
export async function openTaskResult(
  entry: LedgerEntry,
  { ledger, keptTasks, results }: TaskResultDependencies,
): Promise<void> {
  const { id, serverId, server, target: tool, at, durationMs } = entry;
  let result = recordedResult((await ledger.contentOf(id))?.result);
  try {
    result ??= await withCallProgress(`Getting the result of ${tool} from ${server}`, (onProgress, signal) =>
      keptTasks.resultOf(id, { onProgress }, signal),
    );
  } catch (error) {
    if (!(error instanceof CancellationError)) {
      const what = `The result of '${tool}' could not be fetched from server '${server}'`;
      await tellFailure(serverId, `${what}: ${messageOf(error)}`, error);
    }
    return;
  }
  if (!result) {
    const message = `The result of '${oneLine(tool, 60)}' of server '${oneLine(server, 60)}' is no longer kept.`;
    void vscode.window.showInformationMessage(inNotification(message));
    return;
  }
  const call = {
    server,
    tool,
    startedAt: new Date(at),
    durationMs,
    args: undefined,
    secrets: new Set<string>(),
  };
  await results.show({ serverId, call, result });
}

/** The result as it was recorded; undefined if it wasn't, or not as a whole. */
function recordedResult(text: string | undefined): CallToolResult | undefined {
  try {
    const result: unknown = text === undefined ? undefined : JSON.parse(text);
    return isRecord(result) && Array.isArray(result['content']) ? (result as CallToolResult) : undefined;
  } catch {
    return undefined;
  }
}
