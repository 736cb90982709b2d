import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { statusText } from './statusText.ts';
import { waitingServers } from '../../host/questions/question.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';

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
    if (waiting + failed.length === 0) {
      this.#item.hide();
      return;
    }
    const { text, lines } = statusText(
      waiting,
      failed.map(({ label }) => visibleText(label)),
    );
    this.#item.text = `$(${waiting > 0 ? 'question' : 'error'}) ${text}`;
    this.#item.tooltip = lines.join('\n');
    this.#item.accessibilityInformation = { label: [text, ...lines].join('. ') };
    this.#item.command = waiting > 0 ? 'mcpHost.reviewQuestions' : 'mcpHost.servers.focus';
    this.#item.backgroundColor =
      waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }
}
