import * as vscode from 'vscode';
import { counted } from '../../../base/text/words.ts';
import type { HostTools } from '../../../host/gate/hostTools.ts';
import type { HostServer, McpHost } from '../../../host/servers/mcpHost.ts';
import { isOffered } from '../../../host/tools/hostTool.ts';
import { commandTo } from '../../commands/commandList.ts';
import { appendWords, oneLine } from '../../messages/plainText.ts';
import { stateWords } from '../../../host/connection/stateWords.ts';
import { canBeInChat, isInChat, type AgentModeSource } from '../agentModeState.ts';

/** Tools and servers that an answer lists; it counts the others. */
const MAX_LISTED = 200;

/** Tools of a server that the help names. */
const MAX_NAMED = 5;

/** Buttons of an answer. */
const MAX_BUTTONS = 5;

/** The answer to `/servers`: each server, its state, and whether it is in chat. No model sees it. */
export function listServers(
  stream: vscode.ChatResponseStream,
  host: McpHost,
  agentMode: AgentModeSource,
): void {
  const { servers } = host;
  if (servers.length === 0) {
    stream.markdown('There are no servers yet.');
    stream.button(commandTo('addServer', 'Add Server…'));
    return;
  }
  const rows = servers.map((server): [string, string] => [
    server.label,
    `${stateWords(server.connection.state).word} · ${chatWord(server, agentMode)}`,
  ]);
  stream.markdown(list(rows));
  const unavailable = servers.filter(
    (server) => server.connection.state.kind === 'running' && agentMode.stateOf(server) === 'notGranted',
  );
  for (const { label, connection } of unavailable.slice(0, MAX_BUTTONS)) {
    const title = `Use '${oneLine(label, 40)}' in Chat`;
    stream.button(commandTo('useInChat', title, connection.definition.id));
  }
}

/** The answer to a request without a text: what you can write, and with which tools it is answered. No model sees it. */
export function showHelp(
  stream: vscode.ChatResponseStream,
  servers: readonly HostServer[],
  tools: HostTools,
): void {
  stream.markdown(
    'Write what you want after `@mcp`. The language model that you selected in the chat answers with the tools of these servers:\n\n',
  );
  stream.markdown(
    list(
      servers.map(({ label, connection }) => {
        const offered = tools.of(connection.definition.id).filter(isOffered);
        const names = offered.slice(0, MAX_NAMED).map(({ tool }) => tool.name);
        const more = offered.length > MAX_NAMED ? ', …' : '';
        const named = names.length > 0 ? ` (${names.join(', ')}${more})` : '';
        return [label, `${counted(offered.length, 'tool')}${named}`];
      }),
    ),
  );
  stream.markdown(
    '`/tools` lists all of them, `/servers` shows your servers, and `/prompt` opens one of their prompts. Attach a resource with _Add to Chat_.',
  );
}

/** The answer to `/tools`: the tools that models can use, by server. No model sees it. */
export function listTools(
  stream: vscode.ChatResponseStream,
  servers: readonly HostServer[],
  tools: HostTools,
): void {
  for (const { label, connection } of servers) {
    const offered = tools.of(connection.definition.id).filter(isOffered);
    const head = new vscode.MarkdownString('**');
    appendWords(head, oneLine(label, 60));
    head.appendMarkdown(`** · ${counted(offered.length, 'tool')}\n\n`);
    stream.markdown(head);
    stream.markdown(
      list(
        offered.map(({ offered: { name, title, annotations, description = '' } }) => [
          name,
          firstSentence(title ?? annotations?.title ?? description),
        ]),
      ),
    );
  }
}

function chatWord(server: HostServer, agentMode: AgentModeSource): string {
  const state = agentMode.stateOf(server);
  if (!canBeInChat(state)) {
    return 'left out of chat';
  }
  return isInChat(state) ? 'in chat' : 'not in chat';
}

/** Rows with a name and a description. All of it is shown as text. */
function list(rows: readonly (readonly [string, string])[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('');
  for (const [name, about] of rows.slice(0, MAX_LISTED)) {
    markdown.appendMarkdown('- **');
    appendWords(markdown, oneLine(name, 100));
    markdown.appendMarkdown('**');
    appendWords(markdown, about === '' ? '' : `: ${oneLine(about, 200)}`);
    markdown.appendMarkdown('\n');
  }
  if (rows.length > MAX_LISTED) {
    markdown.appendMarkdown(`- and ${(rows.length - MAX_LISTED).toLocaleString('en')} more\n`);
  }
  return markdown.appendMarkdown('\n');
}

function firstSentence(text: string): string {
  return /^[^\n]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim().split('\n', 1)[0] ?? '';
}
