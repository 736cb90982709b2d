import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import { Gathered } from '../../../base/time/gathered.ts';
import type { Ledger, RunningRequest } from '../../../host/ledger/ledger.ts';
import { isOfServer } from '../../../host/ledger/ledgerEntry.ts';
import { askerText } from '../../../host/ledger/ledgerWords.ts';
import { commandId } from '../../commands/commandList.ts';
import { inQuickInput, oneLine } from '../../messages/plainText.ts';
import { requestLabel } from './activityRows.ts';

/** Milliseconds that a call runs before it is shown, and that none runs before the item is hidden. */
const SETTLE_MS = 120;
/** Characters of a name in the status bar, which has little room. */
const NAME_CHARACTERS = 40;

/** The status bar item that is shown while servers handle requests, with the way to cancel them. */
export class CallStatus implements Disposable {
  readonly #ledger: Ledger;
  readonly #item: vscode.StatusBarItem;
  readonly #store = new DisposableStore();
  readonly #showing = new Gathered(SETTLE_MS, () => this.#show());
  readonly #hiding = new Gathered(SETTLE_MS, () => this.#item.hide());

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('mcpHost.calls', vscode.StatusBarAlignment.Left),
    );
    this.#item.name = 'MCP Host: Running Calls';
    this.#item.command = commandId('showCalls');
    this.#store.add(this.#showing);
    this.#store.add(this.#hiding);
    this.#store.add(ledger.onDidChange(() => this.#changed()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #changed(): void {
    const { running } = this.#ledger;
    if (running.some(isWorkedOn)) {
      this.#hiding.dispose();
      this.#showing.soon();
    } else {
      this.#showing.dispose();
      this.#hiding.soon();
    }
  }

  /** What waits for you is in the status bar item of the questions. */
  #show(): void {
    const sent = this.#ledger.running.filter(isWorkedOn);
    const [first, ...others] = sent;
    if (!first) {
      return;
    }
    const names = [requestLabel(first), first.server].map((name) => inQuickInput(name, NAME_CHARACTERS));
    const what = others.length === 0 ? names.join(wordFor(first)) : `${sent.length} calls`;
    this.#item.text = `$(sync~spin) MCP: ${what}`;
    this.#item.tooltip = [
      ...sent
        .slice(0, 10)
        .map((request) =>
          oneLine(
            `${askerText(request.caller)}: ${requestLabel(request)}${wordFor(request)}${request.server}`,
            200,
          ),
        ),
      'Show and cancel running calls',
    ].join('\n');
    this.#item.accessibilityInformation = { label: `MCP: ${what}, running. Show and cancel running calls` };
    this.#item.show();
  }
}

/**
 * A server's request to you waits for you or for the server, and belongs to a request that is shown. Nobody works on a task
 * here whose server isn't running.
 */
function isWorkedOn({ isSent, method, task }: RunningRequest): boolean {
  return isSent && method !== 'elicitation/create' && task?.status !== 'waiting';
}

/** A tool runs on a server, a model answers for one. */
function wordFor({ method }: RunningRequest): string {
  return isOfServer(method) ? ' for ' : ' on ';
}
