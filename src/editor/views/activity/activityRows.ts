import { visibleText } from '../../../base/text/visibleText.ts';
import { entryLines } from '../../../host/documents/entryDocument.ts';
import { localTime } from '../../../host/documents/resultDocument.ts';
import type { RunningRequest } from '../../../host/ledger/ledger.ts';
import {
  isOfServer,
  type LedgerEntry,
  type LedgerRequest,
  type RunningTask,
  type SamplingFigures,
} from '../../../host/ledger/ledgerEntry.ts';
import {
  askerText,
  countWords,
  callerWords,
  endWords,
  targetWords,
  workspaceWords,
} from '../../../host/ledger/ledgerWords.ts';
import { commandTo } from '../../commands/commandList.ts';
import { inTooltip, oneLine } from '../../messages/plainText.ts';
import { iconOfError, moreLabel, iconOfWarning, type Icon, type Row } from '../row.ts';
import type { ActivityNode } from '../../nodes/activityNode.ts';

/** Characters of a label: a URI may be long. */
const LABEL_CHARACTERS = 200;

/** A row of the list of activity in the window of `workspace`. */
export function activityRow(node: ActivityNode, workspace: string): Row {
  switch (node.kind) {
    case 'running':
      return runningRow(node.request);
    case 'entry':
      return entryRow(node.entry, workspace);
    case 'more':
      return { label: moreLabel(node.hidden), command: commandTo('showMoreActivity', 'Show More') };
  }
}

/** What a request is called in a row. The model that answers a server's request is known only at its end. */
export function requestLabel({
  method,
  target,
  sampling,
}: Pick<LedgerRequest, 'method' | 'target'> & { readonly sampling?: SamplingFigures }): string {
  if (method === 'elicitation/create') {
    return targetWords({ method, target });
  }
  return method === 'sampling/createMessage' && sampling?.model === undefined ? 'Language model' : target;
}

function runningRow(request: RunningRequest): Row {
  const { target, method, server, caller, isSent, isCancelling, at, task } = request;
  const isSampling = method === 'sampling/createMessage';
  const waiting = isOfServer(method) ? 'waiting for you…' : 'waiting for an answer…';
  const running = method === 'elicitation/create' ? 'waiting for the server…' : 'running…';
  const sent = task ? taskState(task) : running;
  const state = isCancelling ? 'cancelling…' : isSent ? sent : waiting;
  const isWaiting = task?.status === 'waiting' && !isCancelling;
  const what = task ? ['task'] : [];
  return {
    label: oneLine(requestLabel(request), LABEL_CHARACTERS),
    description: descriptionOf(server, callerWords(caller), ...what, state, `since ${shortTime(at)}`),
    icon: { name: isWaiting ? 'watch' : isSent || isCancelling ? 'loading~spin' : 'question' },
    context: isCancelling ? 'cancelling' : 'running',
    tooltip: inTooltip(
      [
        `${targetWords(request)} ${target}`,
        `${isOfServer(method) ? 'for' : 'on'} ${server}`,
        `Asked by: ${askerText(caller)}`,
        method === 'elicitation/create'
          ? elicitationProgress(request)
          : isSampling
            ? samplingProgress(isSent)
            : task
              ? taskProgress(task)
              : callProgress(isSent),
        ...(task ? [`Since: ${localTime(new Date(at))}`] : []),
      ].join('\n'),
    ),
  };
}

function elicitationProgress({ isSent, ...request }: RunningRequest): string {
  return isSent
    ? 'You have opened the address. The request goes on when the server says that it is done, or you do.'
    : `The ${targetWords(request).toLowerCase()} waits for you, or for an earlier one.`;
}

function callProgress(isSent: boolean): string {
  return isSent
    ? "The server has the request and hasn't answered yet."
    : "The request hasn't been sent to the server: answer the question about it first.";
}

/** The state of a task in a row, also in the list of running calls. */
export function taskState({ status }: RunningTask): string {
  switch (status) {
    case 'working':
      return 'running…';
    case 'input_required':
      return 'needs an answer…';
    case 'waiting':
      return 'waiting for its server…';
  }
}

function taskProgress({ status, message }: RunningTask): string {
  const said = message === undefined ? [] : [`The server says: ${message}`];
  switch (status) {
    case 'working':
      return ['The server runs it as a task.', ...said].join('\n');
    case 'input_required':
      return ['The server runs it as a task, and needs an answer to go on.', ...said].join('\n');
    case 'waiting':
      return 'The server may go on with this task. When the server runs here again, it is asked for the result.';
  }
}

function samplingProgress(isSent: boolean): string {
  return isSent
    ? "The model has the request. The server doesn't have an answer yet."
    : 'Nothing has been sent to a model: the request waits for you, or for an earlier request.';
}

function entryRow(entry: LedgerEntry, workspace: string): Row {
  const { target, method, server, caller, sampling, at } = entry;
  const tokens = sampling ? tokensText(sampling) : [];
  const elsewhere = entry.workspace === workspace ? [] : [`in ${workspaceWords(entry.workspace)}`];
  return {
    label: oneLine(requestLabel(entry), LABEL_CHARACTERS),
    description: descriptionOf(
      server,
      callerWords(caller),
      ...(entry.task ? ['task'] : []),
      endWords(entry),
      ...countWords(entry),
      ...tokens,
      ...elsewhere,
      shortTime(at),
    ),
    icon: iconOf(entry),
    context: hasTaskResult(entry) ? 'entry taskResult' : 'entry',
    tooltip: inTooltip(
      [
        `${targetWords(entry)} ${target}`,
        `${isOfServer(method) ? 'for' : 'on'} ${server}`,
        ...elsewhere,
        ...entryLines(entry),
      ].join('\n'),
    ),
    command: commandTo('openActivity', 'Open Entry', entry.id),
  };
}

/** Whether the request ran as a task that gave a result. */
function hasTaskResult({ task, outcome }: LedgerEntry): boolean {
  return task === 'ended' && (outcome === 'done' || outcome === 'toolError');
}

/** Tokens sent and received together; nothing when no model was asked. */
function tokensText({ inputTokens, outputTokens }: SamplingFigures): readonly string[] {
  const tokens = inputTokens + outputTokens;
  return tokens === 0 ? [] : [`≈ ${tokens.toLocaleString('en')} tokens`];
}

function descriptionOf(...parts: readonly string[]): string {
  return parts.map(visibleText).join(' · ');
}

function iconOf({ method, outcome }: LedgerEntry): Icon {
  switch (outcome) {
    case 'done':
      return { name: method === 'sampling/createMessage' ? 'sparkle' : 'check' };
    case 'toolError':
      return iconOfWarning;
    case 'failed':
      return iconOfError;
    case 'cancelled':
      return { name: 'close' };
    case 'refused':
      return { name: 'circle-slash' };
  }
}

/** The time if it was today, otherwise the day and the time. */
function shortTime(at: number): string {
  const [day = '', time = ''] = localTime(new Date(at)).split(' ');
  return localTime(new Date()).startsWith(day) ? time : `${day} ${time}`;
}
