import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import type { McpHost } from '../../../host/servers/mcpHost.ts';
import { commandId } from '../../commands/commandList.ts';
import { waitingServers } from '../../../host/questions/question.ts';
import type { QuestionQueue } from '../../../host/questions/questionQueue.ts';
import { statusText } from './serverWord.ts';

/** The status bar item that is shown while something waits for you or has failed. */
export function showTroubleStatus(host: McpHost, queue: QuestionQueue): Disposable {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem('mcpHost.trouble', vscode.StatusBarAlignment.Left),
  );
  item.name = 'MCP Host';
  const update = (): void => {
    const waiting = waitingServers(queue.questions);
    const asking = host.servers.filter(({ connection: { state } }) => 'asks' in state).length;
    const failed = host.servers.filter(({ connection }) => connection.state.kind === 'failed');
    if (waiting + asking + failed.length === 0) {
      item.hide();
      return;
    }
    const { text, lines } = statusText(
      waiting,
      failed.map(({ label }) => visibleText(label)),
      asking,
    );
    item.text = `$(${waiting + asking > 0 ? 'question' : 'error'}) ${text}`;
    item.tooltip = lines.join('\n');
    item.accessibilityInformation = { label: [text, ...lines].join('. ') };
    item.command = commandId(waiting > 0 ? 'reviewQuestions' : 'servers.focus');
    item.backgroundColor =
      waiting + asking > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  };
  store.add(queue.onDidChange(update));
  store.add(host.onDidChangeServers(update));
  store.add(host.onDidChangeServer(update));
  return store;
}
