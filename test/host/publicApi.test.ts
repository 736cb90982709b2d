import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { McpServer } from '../../src/api.ts';
import { authorityOf, placeOf, RESOURCE_SCHEME } from '../../src/host/resources/resourceAddress.ts';
import {
  allowAll,
  answerQuestions,
  api,
  configure,
  confirmCalls,
  fixtureServer,
  openingPanel,
  received,
  running,
  until,
} from './support.ts';
import type { CallAnswer, CallView } from '../../src/host/gate/callQuestion.ts';

const { Workspace } = vscode.ConfigurationTarget;

/** What the fixture of another extension gives. */
interface Caller {
  callTool: McpServer['callTool'] extends (...args: infer A) => infer R
    ? (server: McpServer, ...args: A) => R
    : never;
  readResource(server: McpServer, uri: string): ReturnType<McpServer['readResource']>;
  getPrompt(
    server: McpServer,
    name: string,
    args: Readonly<Record<string, string>>,
  ): ReturnType<McpServer['getPrompt']>;
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  openTextDocument(uri: vscode.Uri): Promise<vscode.TextDocument>;
}

const titleOf = ({ title }: CallView): string => title.map(({ text }) => text).join('');

suite('Another extension', () => {
  let caller: Caller;
  let server: McpServer;
  /** The questions that were shown, and the answer that each of them gets. */
  let asked: CallView[];
  let answer: CallAnswer;
  let answering: vscode.Disposable;
  let opening: vscode.Disposable;

  suiteSetup(async () => {
    const extension = vscode.extensions.getExtension<Caller>('mcphost-test.caller');
    assert.ok(extension, 'the fixture is not installed');
    caller = await extension.activate();
    await configure(Workspace, { shared: fixtureServer('legacyServer.ts', '--prompts=greet') });
    const host = await api();
    await until('a question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    await allowAll();
    server = await running('shared');
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await configure(Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  setup(async () => {
    asked = [];
    answer = { answer: 'run', span: 'once', scope: 'one' };
    await confirmCalls('byTrust');
    answering = answerQuestions((question) => {
      if (question.kind !== 'call') {
        return undefined;
      }
      asked.push(question as CallView);
      return answer;
    });
    opening = openingPanel();
  });

  teardown(async () => {
    opening.dispose();
    answering.dispose();
    await confirmCalls('never');
  });

  test('is asked about by its name before it runs a tool', async () => {
    const { content } = await caller.callTool(server, 'echo', { text: 'Hello' });
    assert.deepEqual(content, [{ type: 'text', text: 'Hello' }]);
    assert.deepEqual(asked.map(titleOf), ["The extension 'Caller' wants to run 'echo' on 'shared'"]);
  });

  test('is asked about before it reads, and before it gets a prompt', async () => {
    const { contents } = await caller.readResource(server, 'test:///note');
    assert.equal(contents[0]?.text, 'A note.');
    const { messages } = await caller.getPrompt(server, 'greet', {});
    assert.ok(messages.length > 0);
    assert.equal(asked.length, 2);
    asked.map(titleOf).forEach((title) => assert.match(title, /^The extension 'Caller' wants /));
  });

  test('gets an error with a sentence when you refuse, and the server gets no request', async () => {
    answer = { answer: 'refuse', span: 'once', scope: 'one' };
    const before = await callsOf('shared');
    await assert.rejects(caller.callTool(server, 'fail', {}), /^Error: Server 'shared' did not run 'fail': /);
    assert.equal(asked.length, 1);
    assert.equal(await callsOf('shared'), before + 1, 'only the call that counts has arrived');
  });

  test('is let through by an earlier answer, which holds for no other extension', async () => {
    answer = { answer: 'run', span: 'session', scope: 'one' };
    await caller.callTool(server, 'roots', {});
    await caller.callTool(server, 'roots', {});
    assert.equal(asked.length, 1);
    // Called by this suite, which is no extension.
    answer = { answer: 'run', span: 'once', scope: 'one' };
    await server.callTool('roots', {});
    assert.equal(asked.length, 2);
  });

  test('that cannot be identified is asked about each time', async () => {
    await server.callTool('answers', {});
    await server.callTool('answers', {});
    assert.equal(asked.length, 2);
    for (const question of asked) {
      assert.match(titleOf(question), /^An extension that could not be identified wants to run 'answers'/);
      assert.deepEqual(question.allow, [], 'it can be allowed once only');
    }
  });

  test('reads no resource that you have not opened, and no server gets a request', async () => {
    const uri = documentOf(server, 'test:///unopened');
    const before = (await reads('shared'))['resources/read'] ?? 0;
    await assert.rejects(caller.readFile(uri), (error) => {
      assert.ok(error instanceof vscode.FileSystemError);
      assert.equal(error.code, 'NoPermissions');
      assert.match(error.message, /Open this resource of an MCP server first/);
      return true;
    });
    await assert.rejects(caller.stat(uri));
    await assert.rejects(caller.openTextDocument(uri));
    assert.equal((await reads('shared'))['resources/read'] ?? 0, before);
  });

  test('reads what a tab shows', async () => {
    const uri = documentOf(server, 'test:///opened');
    await vscode.commands.executeCommand('mcpHost.openResource', {
      serverId: server.id,
      uri: 'test:///opened',
    });
    assert.equal(new TextDecoder().decode(await caller.readFile(uri)), 'A note.');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await assert.rejects(caller.readFile(uri), { code: 'NoPermissions' });
  });

  test('reads what the editor opens before its tab is reported', async () => {
    const uri = documentOf(server, 'test:///soon');
    const [text] = await Promise.all([
      caller.readFile(uri),
      vscode.commands.executeCommand('vscode.open', uri),
    ]);
    assert.equal(new TextDecoder().decode(text), 'A note.');
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof vscode.TabInputText);
    assert.equal(activeTab.input.uri.toString(), uri.toString());
  });

  /** Counts what a server has received without being asked about it. */
  async function reads(label: string): Promise<Record<string, number>> {
    await confirmCalls('never');
    try {
      return await received(label);
    } finally {
      await confirmCalls('byTrust');
    }
  }

  async function callsOf(label: string): Promise<number> {
    return (await reads(label))['tools/call'] ?? 0;
  }
});

function documentOf({ id, name }: McpServer, uri: string): vscode.Uri {
  const authority = authorityOf({ id, name });
  return vscode.Uri.from({ scheme: RESOURCE_SCHEME, authority, path: placeOf(uri) });
}
