import * as vscode from 'vscode';
import type { Ledger, RunningRequest } from '../../../host/ledger/ledger.ts';
import { isOfServer } from '../../../host/ledger/ledgerEntry.ts';
import { callerWords } from '../../../host/ledger/ledgerWords.ts';
import { localTime } from '../../../host/documents/resultDocument.ts';
import { inQuickInput } from '../../messages/plainText.ts';
import { requestLabel, taskState } from './activityRows.ts';
import { inputButton, showUntilAnswered } from '../../quickInput/quickInputs.ts';
import { ShownItems } from '../../quickInput/shownItems.ts';

interface CallItem extends vscode.QuickPickItem {
  readonly request: RunningRequest;
}

const cancel = inputButton('debug-stop', 'Cancel');

/** `mcpHost.showCalls`: the running requests, as they come and go; each can be cancelled. */
export async function showCalls(ledger: Ledger): Promise<void> {
  if (ledger.running.length === 0) {
    void vscode.window.showInformationMessage('MCP Host: No call is running.');
    return;
  }
  const input = vscode.window.createQuickPick<CallItem>();
  input.title = 'MCP Host: Running Calls';
  input.placeholder = 'Select a call to cancel';
  input.matchOnDescription = true;
  await showUntilAnswered<undefined>(input, (store, { resolve }) => {
    const shown = store.add(new ShownItems(input, ({ request }) => request.id));
    shown.assign(ledger.running.map(itemOf));
    store.add(
      ledger.onDidChange(() => {
        if (ledger.running.length === 0) {
          resolve(undefined);
          return;
        }
        const active = input.activeItems[0]?.request.id;
        input.keepScrollPosition = true;
        shown.assign(ledger.running.map(itemOf));
        input.activeItems = input.items.filter(({ request }) => request.id === active);
      }),
    );
    store.add(input.onDidAccept(() => shown.accepted()?.request.cancel()));
    store.add(input.onDidTriggerItemButton(({ item }) => shown.withButton(item)?.request.cancel()));
  });
}

function itemOf(request: RunningRequest): CallItem {
  const { method, server, caller, isSent, isCancelling, at, task } = request;
  const time = localTime(new Date(at)).split(' ')[1] ?? '';
  const waiting = isOfServer(method) ? 'waiting for you' : 'waiting for an answer';
  const running = task?.status === 'waiting' ? taskState(task) : `running since ${time}`;
  const state = isCancelling ? 'cancelling…' : isSent ? running : waiting;
  return {
    label: inQuickInput(requestLabel(request), 100),
    description: inQuickInput(`${server} · ${callerWords(caller)} · ${state}`),
    buttons: isCancelling ? [] : [cancel],
    request,
  };
}
