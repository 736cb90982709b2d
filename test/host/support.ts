import type { UnknownRecord } from '../../src/base/values/record.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { McpHostApi, McpServer } from '../../src/api.ts';
import type { ToPanel } from '../../src/host/questions/reviewProtocol.ts';
import type { ShowServer } from '../../src/host/review/serverPageSession.ts';
import type { QuestionView } from '../../src/host/questions/question.ts';
import type { LaunchView } from '../../src/host/launch/question/launchQuestion.ts';
import { given } from '../editor/givenOptions.ts';

const waitMs = 60_000;

const extension = vscode.extensions.getExtension<McpHostApi>('mcphost.mcp-host');

/** The project's folder, where the fixtures are. */
export const projectRoot = extension?.extensionPath ?? '';

/** Node as the project brings it: the editor's own executable need not be one. */
const node = join(projectRoot, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

export async function api(): Promise<McpHostApi> {
  assert.ok(extension, 'the extension is not installed');
  return extension.activate();
}

/** A stdio server of the fixtures, as a definition. */
export function fixtureServer(file: string, ...args: string[]): { command: string; args: string[] } {
  return { command: node, args: [join(projectRoot, 'test/fixtures/servers', file), ...args] };
}

/** Writes one layer's `mcpHost.servers`; undefined removes it. */
export async function configure(
  target: vscode.ConfigurationTarget,
  servers: Record<string, unknown> | undefined,
  folder?: vscode.WorkspaceFolder,
): Promise<void> {
  await setSetting('mcpHost.servers', servers, target, folder);
}

/** Sets a setting, of those that tests may give to the editor; undefined unsets it. */
export async function setSetting(
  name: string,
  value: unknown,
  target: vscode.ConfigurationTarget = vscode.ConfigurationTarget.Global,
  folder?: vscode.WorkspaceFolder,
): Promise<void> {
  given('settings', { [name]: value });
  await vscode.workspace.getConfiguration(undefined, folder?.uri).update(name, value, target);
}

/** Waits until `read` gives something, asking again whenever the host changes. */
export async function until<T>(
  what: string,
  read: () => T | undefined | false,
  longestMs = waitMs,
): Promise<T> {
  const host = await api();
  const subscriptions: vscode.Disposable[] = [];
  try {
    return await new Promise<T>((resolve, reject) => {
      const check = (): void => {
        const found = read();
        if (found !== undefined && found !== false) {
          resolve(found);
        }
      };
      const state = (): string =>
        host.servers.map(({ label, state, failure }) => `${label}: ${state} ${failure ?? ''}`).join(', ');
      const timer = setTimeout(() => reject(new Error(`Not seen: ${what}. Servers: ${state()}`)), longestMs);
      subscriptions.push(
        host.onDidChangeServer(check),
        host.onDidChangeServers(check),
        vscode.workspace.onDidChangeWorkspaceFolders(check),
        new vscode.Disposable(() => clearTimeout(timer)),
      );
      check();
    });
  } finally {
    subscriptions.forEach((subscription) => subscription.dispose());
  }
}

export async function server(label: string): Promise<McpServer> {
  const { servers } = await api();
  const found = servers.find((one) => one.label === label);
  assert.ok(found, `there is no server ${label}, only ${servers.map((one) => one.label).join(', ')}`);
  return found;
}

/** Waits until a server runs and has listed its tools. */
export async function running(label: string): Promise<McpServer> {
  const host = await api();
  return until(`${label} running`, () =>
    host.servers.find((one) => one.label === label && one.state === 'running' && one.tools.length > 0),
  );
}

/** The text of a tool's result. */
export async function call(label: string, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const result = await (await server(label)).callTool(tool, args);
  return result.content.map((block) => String(block['text'])).join('\n');
}

/** What a server of the fixtures has received so far: how often each method. */
export async function received(label: string): Promise<Record<string, number>> {
  return JSON.parse(await call(label, 'received')) as Record<string, number>;
}

/** Whether requests of other extensions are asked about: in most tests the suite itself asks, and may. */
export async function confirmCalls(confirm: 'byTrust' | 'never'): Promise<void> {
  await setSetting('mcpHost.tools.confirm', confirm);
}

/** Runs a command that asks where to save something, and picks that file: dialogs are not shown while tests run. */
export async function withSaveDialog(file: vscode.Uri, command: string, ...args: unknown[]): Promise<void> {
  const window = vscode.window as unknown as Record<string, unknown>;
  const { showSaveDialog } = window;
  window['showSaveDialog'] = () => Promise.resolve(file);
  try {
    await vscode.commands.executeCommand(command, ...args);
  } finally {
    Object.assign(window, { showSaveDialog });
  }
}

/** Answers launches as a person would. */
export function answerLaunches(
  button: 'Allow' | "Don't Allow",
  editor?: Pick<typeof vscode, 'window'>,
): vscode.Disposable {
  return answerQuestions((question) => {
    const { folders = [] } = question as Partial<LaunchView>;
    const roots = folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri);
    return button === 'Allow' ? { answer: 'allow', roots } : { answer: 'deny' };
  }, editor);
}

/**
 * Answers questions as a person would. A question without an answer waits. `editor` is the API as the extension has it: an
 * extension under development shares it with its tests.
 */
export function answerQuestions(
  answerTo: (question: QuestionView) => UnknownRecord | undefined,
  editor?: Pick<typeof vscode, 'window'>,
): vscode.Disposable {
  const answered = new Set<string>();
  return standInPages((message, panel) => {
    if (!('questions' in message)) {
      return;
    }
    const { questions } = message;
    const [question] = questions.filter(({ id }) => !answered.has(id));
    const answer = question && answerTo(question);
    if (question && answer) {
      answered.add(question.id);
      panel.say({ type: 'answer', id: question.id, ...answer });
    } else if (questions.length === 0) {
      panel.close();
    }
  }, editor);
}

/** Uses a server in chat by the box on its page. */
export async function useInChat(id: string, editor?: Pick<typeof vscode, 'window'>): Promise<void> {
  let used: () => void;
  const isUsed = new Promise<void>((resolve) => (used = resolve));
  const pages = standInPages((message, panel) => {
    const rows = 'rows' in message ? message.rows : [];
    const chat = rows.find(({ checkbox }) => checkbox?.label.endsWith(' in chat'));
    if (chat?.checkbox?.isChecked) {
      used();
      panel.close();
    } else if (chat) {
      panel.say({ type: 'check', id: chat.id, isChecked: true });
    }
  }, editor);
  try {
    await vscode.commands.executeCommand('mcpHost.useInChat', id);
    await isUsed;
  } finally {
    pages.dispose();
  }
}

/** What a page does with what it is sent. */
type StandInPage = (message: ToPanel | ShowServer, panel: StandInPanel) => void;

interface StandInPanel {
  readonly say: (message: UnknownRecord) => void;
  readonly close: () => void;
}

/**
 * Nobody can click into a panel in this tier, so one that speaks the page's messages takes its place. The page itself is
 * tested in a workbench only.
 */
function standInPages(show: StandInPage, editor: Pick<typeof vscode, 'window'> = vscode): vscode.Disposable {
  const window = editor.window as unknown as Record<string, unknown>;
  const { createWebviewPanel, showInformationMessage } = window;
  window['createWebviewPanel'] = () => standInPanel(show);
  window['showInformationMessage'] = () => Promise.resolve();
  return new vscode.Disposable(() => {
    Object.assign(window, { createWebviewPanel, showInformationMessage });
  });
}

function standInPanel(show: StandInPage): unknown {
  const said = new vscode.EventEmitter<UnknownRecord>();
  const disposed = new vscode.EventEmitter<void>();
  const isReady = (): void => said.fire({ type: 'ready' });
  const panel: StandInPanel = { say: (message) => said.fire(message), close: () => disposed.fire() };
  return {
    visible: true,
    webview: {
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: said.event,
      postMessage: (message: ToPanel | ShowServer) => Promise.resolve().then(() => show(message, panel)),
      set html(_: string) {
        setImmediate(isReady);
      },
    },
    onDidChangeViewState: () => new vscode.Disposable(() => {}),
    onDidDispose: disposed.event,
    reveal: isReady,
    dispose: panel.close,
  };
}

/**
 * Opens the panel for what waits, again and again: what was announced in another suite may stand unanswered, and a short
 * call of @mcp waits in the chat, where nobody can click in this tier.
 */
export function openingPanel(): vscode.Disposable {
  const opening = setInterval(() => void vscode.commands.executeCommand('mcpHost.reviewQuestions'), 100);
  return new vscode.Disposable(() => clearInterval(opening));
}

/** Allows whatever waits. */
export async function allowAll(editor?: Pick<typeof vscode, 'window'>): Promise<void> {
  const answering = answerLaunches('Allow', editor);
  try {
    await vscode.commands.executeCommand('mcpHost.reviewQuestions');
  } finally {
    answering.dispose();
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
