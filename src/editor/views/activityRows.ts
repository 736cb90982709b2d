import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText.ts';
import type { RunningRequest } from '../../host/ledger/ledger.ts';
import type { LedgerEntry, SamplingFigures } from '../../host/ledger/ledgerEntry.ts';
import {
  askerText,
  decisionWords,
  callerWords,
  countWords,
  endWords,
  figuresWords,
  targetWords,
  workspaceWords,
} from '../../host/ledger/ledgerWords.ts';
import { duration, localTime } from '../../host/documents/resultDocument.ts';
import { inTooltip, oneLine } from '../plainText.ts';
import type { ActivityNode } from './activityNodes.ts';
import { icon } from './rowParts.ts';
import { requestLabel } from './requestLabel.ts';
import { PAGE } from './serverNodes.ts';

/** Characters of a label: a URI may be long. */
const LABEL_CHARACTERS = 200;

/** How a row of the list of activity looks in that workspace's window; all that comes from a server is text. */
export function activityItem(node: ActivityNode, workspace: string): vscode.TreeItem {
  switch (node.kind) {
    case 'running':
      return withId(node.id, runningItem(node.request));
    case 'entry':
      return withId(node.id, entryItem(node.entry, workspace));
    case 'more': {
      const item = new vscode.TreeItem(`Show ${Math.min(PAGE, node.hidden)} More…`);
      item.command = { command: 'mcpHost.showMoreActivity', title: 'Show More' };
      return withId(node.id, item);
    }
  }
}

function withId(id: string, item: vscode.TreeItem): vscode.TreeItem {
  item.id = id;
  return item;
}

function rowOf(target: string, description: string): vscode.TreeItem {
  const label = oneLine(target, LABEL_CHARACTERS);
  const item = new vscode.TreeItem(label);
  item.description = description;
  // Without it a screen reader says the tooltip instead of the row.
  item.accessibilityInformation = { label: `${label}, ${description}` };
  return item;
}

function runningItem(request: RunningRequest): vscode.TreeItem {
  const { target, method, server, caller, isSent, isCancelling, at } = request;
  const isSampling = method === 'sampling/createMessage';
  const waiting = isSampling ? 'waiting for you…' : 'waiting for an answer…';
  const state = isCancelling ? 'cancelling…' : isSent ? 'running…' : waiting;
  const item = rowOf(
    requestLabel(request),
    rowText(server, callerWords(caller), state, `since ${shortTime(at)}`),
  );
  item.iconPath = icon(isSent || isCancelling ? 'loading~spin' : 'question');
  item.contextValue = isCancelling ? 'cancelling' : 'running';
  item.tooltip = inTooltip(
    [
      `${targetWords(method)} ${target}`,
      `${isSampling ? 'for' : 'on'} ${server}`,
      `Asked by: ${askerText(caller)}`,
      isSampling ? samplingProgress(isSent) : callProgress(isSent),
    ].join('\n'),
  );
  return item;
}

function callProgress(isSent: boolean): string {
  return isSent
    ? 'The server has been asked, and has not answered yet.'
    : 'The server has not been asked yet: there is a question to answer first.';
}

function samplingProgress(isSent: boolean): string {
  return isSent
    ? 'The model has been asked; the server has no answer yet.'
    : 'Nothing has been sent to a model yet: the request waits for you, or for its turn.';
}

function entryItem(entry: LedgerEntry, workspace: string): vscode.TreeItem {
  const { target, method, server, caller, problem, sampling, at, durationMs } = entry;
  const tokens = sampling ? tokensText(sampling) : [];
  const elsewhere = entry.workspace === workspace ? [] : [`in ${workspaceWords(entry.workspace)}`];
  const item = rowOf(
    requestLabel(entry),
    rowText(
      server,
      callerWords(caller),
      endWords(entry),
      ...countWords(entry),
      ...tokens,
      ...elsewhere,
      shortTime(at),
    ),
  );
  item.iconPath = iconOf(entry);
  item.contextValue = 'entry';
  item.tooltip = inTooltip(
    [
      `${targetWords(method)} ${target}`,
      `${method === 'sampling/createMessage' ? 'for' : 'on'} ${server}`,
      ...elsewhere,
      `Asked by: ${askerText(caller)}`,
      `Decision: ${decisionWords(entry)}`,
      `Outcome: ${endWords(entry)}`,
      ...countWords(entry),
      ...(problem === undefined ? [] : [problem]),
      ...(sampling ? [`Tokens: ${figuresWords(sampling)}`] : []),
      `${localTime(new Date(at))}, took ${duration(durationMs)}`,
    ].join('\n'),
  );
  item.command = { command: 'mcpHost.openActivity', title: 'Open Entry', arguments: [entry.id] };
  return item;
}

/** Tokens sent and received together, in a few words; none where no model was asked. */
function tokensText({ inputTokens, outputTokens }: SamplingFigures): readonly string[] {
  const tokens = inputTokens + outputTokens;
  return tokens === 0 ? [] : [`≈ ${tokens.toLocaleString('en')} tokens`];
}

function rowText(...parts: readonly string[]): string {
  return parts.map(visibleText).join(' · ');
}

function iconOf({ method, outcome }: LedgerEntry): vscode.ThemeIcon {
  switch (outcome) {
    case 'done':
      return icon(method === 'sampling/createMessage' ? 'sparkle' : 'check');
    case 'toolError':
      return icon('warning', 'list.warningForeground');
    case 'failed':
      return icon('error', 'list.errorForeground');
    case 'cancelled':
      return icon('close');
    case 'refused':
      return icon('circle-slash');
  }
}

/** The time of today, or the day and the time. */
function shortTime(at: number): string {
  const [day = '', time = ''] = localTime(new Date(at)).split(' ');
  return localTime(new Date()).startsWith(day) ? time : `${day} ${time}`;
}
