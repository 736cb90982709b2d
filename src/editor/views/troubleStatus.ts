import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { waitingServers, type QuestionQueue } from '../../host/approval/questionQueue.ts';
import type { McpHost } from '../../host/mcpHost.ts';

/** The status bar item: there while something waits for the person or has failed, otherwise gone. */
export class TroubleStatus implements Disposable {
  readonly #host: McpHost;
  readonly #queue: QuestionQueue;
  readonly #item: vscode.StatusBarItem;
  readonly #store = new DisposableStore();

  constructor(host: McpHost, queue: QuestionQueue) {
    this.#host = host;
    this.#queue = queue;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('mcpHost.trouble', vscode.StatusBarAlignment.Left),
    );
    this.#item.name = 'MCP Host';
    this.#store.add(queue.onDidChange(() => this.#update()));
    this.#store.add(host.onDidChangeServers(() => this.#update()));
    this.#store.add(host.onDidChangeServer(() => this.#update()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const waiting = waitingServers(this.#queue.questions);
    const failed = this.#host.servers.filter(({ connection }) => connection.state.kind === 'failed');
    if (waiting > 0) {
      this.#show(`$(question) MCP: ${waiting} waiting`, 'Servers wait for your decision: review them', true);
      this.#item.command = 'mcpHost.reviewQuestions';
    } else if (failed.length > 0) {
      const names = failed.map(({ label }) => label).join(', ');
      this.#show(`$(error) MCP: ${failed.length} failed`, `Failed: ${names}. Show the servers`, false);
      this.#item.command = 'mcpHost.servers.focus';
    } else {
      this.#item.hide();
    }
  }

  #show(text: string, tooltip: string, isPressing: boolean): void {
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.backgroundColor = isPressing
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.#item.show();
  }
}
