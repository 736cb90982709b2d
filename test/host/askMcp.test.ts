import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CallAnswer, CallView } from '../../src/host/gate/callQuestion.ts';
import {
  answerCalls,
  makeAvailable,
  modelRequests,
  seen,
  setGateway,
  titleOf,
  type ModelRequest,
} from './chatSupport.ts';
import {
  allowAll,
  api,
  configure,
  confirmCalls,
  fixtureServer,
  openingPanel,
  received,
  running,
  setSetting,
  until,
} from './support.ts';

const { Workspace } = vscode.ConfigurationTarget;
const once: CallAnswer = { answer: 'run', span: 'once', scope: 'one' };
const refusal: CallAnswer = { answer: 'refuse', span: 'once', scope: 'one' };

/** The editor may lose requests while its chat starts: only the first one is sent again. */
const mostRequests = 8;
const requestMs = 12_000;
/** Milliseconds after which a panel has closed in which nothing is left to answer. */
const farewellMs = 2_000;

/** How a request ended, as @mcp told the editor. */
interface Ended {
  readonly metadata?: { readonly end?: string };
  readonly errorDetails?: { readonly message: string };
}

/** Sends a request, and waits until it is answered. */
async function ask(query: string, attachFiles: readonly vscode.Uri[] = []): Promise<Ended> {
  const options = { query: `@mcp ${query}`, mode: 'ask', attachFiles, blockOnResponse: true };
  return (
    (await vscode.commands.executeCommand<Ended | undefined>('workbench.action.chat.open', options)) ?? {}
  );
}

/** Waits for a request to the model with that text and so many messages after it. */
async function requested(query: string, after: number): Promise<ModelRequest> {
  const requests = await modelRequests();
  let found: ModelRequest | undefined;
  await seen(`the request '${query}' with ${after} messages after it`, () => {
    found = requests.find(({ messages }) => {
      const at = messages.findLastIndex(({ content }) => content.some(({ text }) => text === query));
      return at >= 0 && messages.length - 1 - at === after;
    });
    return found !== undefined;
  });
  return found ?? assert.fail();
}

/** How many calls a server has got; this one is not asked about. */
async function callsOf(label: string): Promise<number> {
  await confirmCalls('never');
  const count = (await received(label))['tools/call'] ?? 0;
  await confirmCalls('byTrust');
  return count;
}

/** What the chat shows, as the editor copies it. */
async function conversation(): Promise<string> {
  await vscode.commands.executeCommand('workbench.action.chat.copyAll');
  return (await vscode.env.clipboard.readText()).replaceAll(/&nbsp;|\u00A0/g, ' ').replaceAll('\\', '');
}

const lastOf = ({ messages }: ModelRequest): string => JSON.stringify(messages.at(-1));

// Before the chat is switched off and on, which loses requests.
suite('@mcp', () => {
  let asked: CallView[];
  let answer: (question: CallView) => CallAnswer | undefined;
  let answering: vscode.Disposable;
  let opening: vscode.Disposable;

  suiteSetup(async () => {
    // Not the names of other suites: what those have allowed stays allowed.
    await configure(Workspace, {
      forecast: fixtureServer('changingServer.ts'),
      echoes: fixtureServer('legacyServer.ts'),
    });
    const host = await api();
    await until(
      'two questions',
      () => host.servers.filter(({ state }) => state === 'awaitingApproval').length === 2,
    );
    await allowAll();
    await Promise.all(['forecast', 'echoes'].map(running));
  });

  suiteTeardown(async () => {
    await setMaxRounds(undefined);
    await makeAvailable('forecast', false);
    await makeAvailable('echoes', false);
    await setGateway(true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await configure(Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  setup(async () => {
    asked = [];
    answer = () => once;
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    await confirmCalls('byTrust');
    answering = answerCalls(asked, (question) => answer(question));
    opening = openingPanel();
  });

  teardown(async () => {
    opening.dispose();
    answering.dispose();
    await confirmCalls('never');
  });

  async function setMaxRounds(rounds: number | undefined): Promise<void> {
    await setSetting('mcpHost.chat.maxRounds', rounds);
  }

  test('asks no model before a server is available to chat, and then offers only its tools', async () => {
    const requests = await modelRequests();
    const before = requests.length;
    let ended: Ended = {};
    for (let sent = 0; sent < mostRequests && ended.metadata === undefined; sent += 1) {
      ended = await Promise.race([ask('nothing'), delay(requestMs, {})]);
    }
    assert.equal(ended.metadata?.end, 'noServers');
    assert.equal(requests.length, before);
    await makeAvailable('forecast', true);
    assert.equal((await ask('first')).metadata?.end, 'answered');
    const { tools, messages } = await requested('first', 0);
    assert.ok(tools.includes('forecast__get_weather') && tools.includes('forecast__send_mail'));
    assert.ok(!tools.some((name) => name.startsWith('echoes')), tools.join());
    assert.doesNotMatch(JSON.stringify([tools, messages]), /"echoes|echoes__/);
    await makeAvailable('echoes', true);
    await ask('second');
    assert.ok((await requested('second', 0)).tools.includes('echoes__echo'));
  });

  test('answers a request without a text itself: with what it can do, and with which tools', async () => {
    const requests = await modelRequests();
    const before = requests.length;
    assert.equal((await ask('')).metadata?.end, 'help');
    assert.equal(requests.length, before);
    const text = await conversation();
    assert.match(text, /with the tools of these servers:/);
    assert.match(text, /forecast\*\*: \d+ tools \(.*get_weather/);
    assert.match(text, /echoes\*\*: \d+ tools/);
    await ask('after the help');
    const { messages } = await requested('after the help', 0);
    assert.doesNotMatch(JSON.stringify(messages), /with the tools of these servers:/);
  });

  test('calls two tools in one answer, one of them refused, after one question for each', async () => {
    answer = (question) => (titleOf(question).includes('echo') ? refusal : once);
    const before = await callsOf('echoes');
    const calls = [
      ['forecast__get_weather', { place: 'Bern' }],
      ['echoes__echo', { text: 'Hello' }],
    ];
    const query = `calls ${JSON.stringify(calls)}`;
    assert.equal((await ask(query)).metadata?.end, 'answered');
    const request = await requested(query, 2);
    assert.match(lastOf(request), /It rains in Bern\./);
    assert.match(lastOf(request), /The user does not allow 'echo' of the server 'echoes'/);
    assert.deepEqual(asked.map(titleOf), [
      "A model in chat wants to run 'get_weather' on 'forecast'",
      "A model in chat wants to run 'echo' on 'echoes'",
    ]);
    assert.equal(await callsOf('echoes'), before + 1, 'only the call that counts');
  });

  test('asks in its answer about its own call only, not about one from elsewhere', async () => {
    opening.dispose();
    await delay(farewellMs); // the panel of the test before
    let isOver = false;
    answer = (question) => (isOver ? refusal : titleOf(question).includes('echo') ? refusal : undefined);
    const asking = ask('call forecast__get_weather {"place":"Biel"}');
    await seen('the question in the chat', async () => /Waiting for your answer/.test(await conversation()));
    assert.deepEqual(asked, [], 'it is in no panel');
    const elsewhere = vscode.lm.invokeTool('mcpHost_callTool', {
      input: { server: 'echoes', tool: 'echo', arguments: { text: 'Hidden' } },
      toolInvocationToken: undefined,
    });
    await seen('both questions in the panel', () => asked.length > 0);
    assert.doesNotMatch(await conversation(), /Hidden/);
    isOver = true;
    opening = openingPanel();
    await assert.rejects(async () => elsewhere, /does not allow/);
    await asking;
    assert.deepEqual(asked.map(titleOf).toSorted(), [
      "A model in chat wants to run 'get_weather' on 'forecast'",
      "A model or an extension that could not be identified wants to run 'echo' on 'echoes'",
    ]);
  });

  test('gives the next request the results of the one before, as long as the server is available', async () => {
    await ask('call forecast__get_weather {"place":"Thun"}');
    await ask('again');
    const texts = JSON.stringify((await requested('again', 0)).messages);
    assert.match(texts, /"result":\[\{"text":"It rains in Thun\."\}\]/);
    assert.match(texts, /TOOL SAID: It rains in Thun\./);
    await makeAvailable('forecast', false);
    try {
      await ask('withdrawn');
      const later = await requested('withdrawn', 0);
      assert.ok(!JSON.stringify(later.messages).includes('"result"'), 'no model gets its results again');
      assert.ok(!later.tools.some((name) => name.startsWith('forecast')));
    } finally {
      await makeAvailable('forecast', true);
    }
  });

  test('stops a model that only calls tools, and goes on when you select Continue', async () => {
    await setMaxRounds(2);
    const { metadata, errorDetails } = await ask('loop echoes__echo {"text":"round #"}');
    assert.deepEqual([metadata?.end, errorDetails], ['stopped', undefined]);
    assert.equal(asked.length, 2);
    await vscode.commands.executeCommand('mcpHost.continueChat');
    const { messages } = await requested('Continue', 0);
    assert.equal(JSON.stringify(messages).match(/"result":\[\{"text":"round \d"/g)?.length, 2);
  });

  test('says why a model failed', async () => {
    const { metadata, errorDetails } = await ask('fail with these words');
    assert.equal(metadata?.end, 'failed');
    assert.match(errorDetails?.message ?? '', /'Scripted One' failed: .*these words/);
  });

  test('says that a model is gone', async () => {
    const { metadata, errorDetails } = await ask('gone');
    assert.equal(metadata?.end, 'failed');
    assert.match(errorDetails?.message ?? '', /'Scripted One' is no longer available\. Select another model/);
  });

  test('reads fifty attachments, and says how many it left out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-host-'));
    try {
      const files = Array.from({ length: 53 }, (_, index) => join(folder, `file-${index}.txt`));
      files.forEach((file) => writeFileSync(file, file));
      await ask(
        'how many?',
        files.map((file) => vscode.Uri.file(file)),
      );
      assert.equal(lastOf(await requested('how many?', 0)).match(/<attachment name=/g)?.length, 50);
      assert.match(await conversation(), /Only the first 50 attachments were read: 3 more were left out\./);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('reads an attached resource through the gate', async () => {
    const { id } = await running('echoes');
    await vscode.commands.executeCommand('mcpHost.openResource', { serverId: id, uri: 'test:///note' });
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no document');
    await ask('what does it say?', [document.uri]);
    const request = await requested('what does it say?', 0);
    assert.match(lastOf(request), /<attachment name=.*test:\/\/\/note \(a resource of echoes\).*A note\./s);
    assert.deepEqual(asked.map(titleOf), ["A model in chat wants to read a resource of 'echoes'"]);
  });
});
