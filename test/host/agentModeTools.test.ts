import assert from 'node:assert/strict';
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
  startServersOfEditor,
  titleOf,
  type ModelRequest,
} from './chatSupport.ts';
import {
  allowAll,
  api,
  configure,
  confirmCalls,
  fixtureServer,
  projectRoot,
  running,
  until,
} from './support.ts';

const { Workspace } = vscode.ConfigurationTarget;
const names = ['mcpHost_findTools', 'mcpHost_callTool', 'mcpHost_readResource'];

function invoke(
  name: string,
  input: object,
  token?: vscode.CancellationToken,
): Thenable<vscode.LanguageModelToolResult> {
  return vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
}

async function textOf(result: Thenable<vscode.LanguageModelToolResult>): Promise<string> {
  const { content } = await result;
  return content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : typeof part))
    .join('\n');
}

/** Requests of the chat until the model gets one: the editor may lose those that come while its chat is switched on. */
const mostRequests = 8;
const requestMs = 12_000;

/** Sends a text to agent mode, and waits for what the scripted model gets: with what a tool has returned, if it calls one. */
async function inAgentMode(query: string): Promise<ModelRequest> {
  const requests = await modelRequests();
  const count = query.startsWith('call ') ? 3 : 1;
  const find = (): ModelRequest | undefined =>
    requests.find(({ messages }) => messages[0]?.content[0]?.text === query && messages.length === count);
  for (let sent = 0; sent < mostRequests; sent += 1) {
    await vscode.commands.executeCommand('workbench.action.chat.open', { query, mode: 'agent' });
    for (const until = performance.now() + requestMs; performance.now() < until && !find();) {
      await delay(100);
    }
    const found = find();
    if (found) {
      return found;
    }
  }
  assert.fail(`Not seen: the request '${query}'`);
}

/** Records what the `when` clauses of the tools ask: the editor tells no extension whether it shows a tool to models. */
function recordingKey(): { readonly isSet: () => boolean | undefined } & vscode.Disposable {
  const commands = vscode.commands as unknown as Record<string, unknown>;
  const { executeCommand } = vscode.commands;
  let value: boolean | undefined;
  commands['executeCommand'] = (command: string, ...rest: unknown[]) => {
    if (command === 'setContext' && rest[0] === 'mcpHost.hasChatTools') {
      value = rest[1] === true;
    }
    return executeCommand(command, ...rest);
  };
  return {
    isSet: () => value,
    dispose: () => {
      commands['executeCommand'] = executeCommand;
    },
  };
}

// Mocha runs the files in their order: this one comes before the chat is switched off and on, which loses requests.
suite("MCP Host's own tools for models", () => {
  /** The questions that were shown, and the answer that each of them gets; undefined leaves it waiting. */
  let asked: CallView[];
  let answer: CallAnswer | undefined;
  let answering: vscode.Disposable;

  suiteSetup(async () => {
    await setGateway(false);
    await configure(Workspace, {
      weather: fixtureServer('changingServer.ts'),
      files: fixtureServer('legacyServer.ts'),
      many: fixtureServer('changingServer.ts', '--tools=140'),
      pictures: {
        ...fixtureServer('legacyServer.ts'),
        args: [join(projectRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
      },
    });
    const host = await api();
    await until(
      'four questions',
      () => host.servers.filter(({ state }) => state === 'awaitingApproval').length === 4,
    );
    await allowAll();
    await Promise.all(['weather', 'files', 'many', 'pictures'].map(running));
    await makeAvailable('weather', true);
    await makeAvailable('pictures', true);
  });

  suiteTeardown(async () => {
    await makeAvailable('weather', false);
    await makeAvailable('pictures', false);
    await setGateway(true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await configure(Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  setup(async () => {
    asked = [];
    answer = { answer: 'run', span: 'once', scope: 'one' };
    await confirmCalls('byTrust');
    answering = answerCalls(asked, () => answer);
  });

  teardown(async () => {
    answering.dispose();
    await confirmCalls('never');
  });

  test('find a tool, and call it after one question in the panel that opens', async () => {
    const found = await textOf(invoke('mcpHost_findTools', { query: 'forecast, will it rain' }));
    assert.match(found, /"server":"weather","tool":"get_weather"/);
    assert.match(found, /"inputSchema":/);
    const result = await textOf(
      invoke('mcpHost_callTool', { server: 'weather', tool: 'get_weather', arguments: { place: 'Bern' } }),
    );
    assert.equal(result, 'It rains in Bern.');
    assert.equal(asked.length, 1);
    assert.equal(
      titleOf(asked[0]),
      "A model or an extension that could not be identified wants to run 'get_weather' on 'weather'",
    );
    assert.deepEqual(asked[0]?.allow, [], 'it can be allowed once only');
  });

  test('give a model the images of a result', async () => {
    const { content } = await invoke('mcpHost_callTool', { server: 'pictures', tool: 'get-tiny-image' });
    const image = content.find((part) => part instanceof vscode.LanguageModelDataPart);
    assert.equal(image?.mimeType, 'image/png');
    assert.deepEqual([...(image?.data.slice(1, 4) ?? [])], [...Buffer.from('PNG')]);
  });

  test('read a resource after one question', async () => {
    const found = await invoke('mcpHost_readResource', {
      server: 'pictures',
      uri: 'demo://resource/static/document/features.md',
    });
    assert.ok(found.content.length > 0);
    assert.equal(asked.length, 1);
  });

  test('say that you refused', async () => {
    answer = { answer: 'refuse', span: 'once', scope: 'one' };
    await assert.rejects(
      Promise.resolve(
        invoke('mcpHost_callTool', { server: 'weather', tool: 'send_mail', arguments: { to: 'a' } }),
      ),
      /The user does not allow 'send_mail' of the server 'weather'\. Do not try it again/,
    );
    assert.equal(asked.length, 1);
  });

  test('withdraw the question when the model cancels', async () => {
    answer = undefined;
    const source = new vscode.CancellationTokenSource();
    const call = assert.rejects(
      Promise.resolve(invoke('mcpHost_callTool', { server: 'weather', tool: 'wait' }, source.token)),
    );
    await seen('the question', () => asked.length === 1);
    source.cancel();
    await call;
    answer = { answer: 'run', span: 'once', scope: 'one' };
    asked.length = 0;
    await textOf(
      invoke('mcpHost_callTool', { server: 'weather', tool: 'get_weather', arguments: { place: 'Bern' } }),
    );
    assert.equal(asked.length, 1, 'only the question of the second call is left');
  });

  test('neither find nor call what is not in chat', async () => {
    const found = await textOf(invoke('mcpHost_findTools', { query: 'echo a text' }));
    assert.doesNotMatch(found, /"files"/);
    await assert.rejects(
      Promise.resolve(
        invoke('mcpHost_callTool', { server: 'files', tool: 'echo', arguments: { text: 'Hello' } }),
      ),
      /No running server 'files' is in chat\. Available servers: "weather", "pictures"\./,
    );
    assert.deepEqual(asked, []);
  });

  test('ask once in a chat, where the editor asks nothing, and not again after an answer for the session', async () => {
    answer = { answer: 'run', span: 'session', scope: 'one' };
    await inAgentMode('tools? ready');
    for (const place of ['Thun', 'Biel']) {
      const input = JSON.stringify({ server: 'weather', tool: 'get_weather', arguments: { place } });
      const { messages } = await inAgentMode(`call mcpHost_callTool ${input}`);
      assert.ok(JSON.stringify(messages.at(-1)).includes(`It rains in ${place}.`));
    }
    assert.deepEqual(asked.map(titleOf), ["A model in chat wants to run 'get_weather' on 'weather'"]);
  });

  test('are what agent mode sees, until it gets the same servers by the gateway', async () => {
    const ofWeather = /^mcp_\w+_get_weather$/;
    const without = await inAgentMode('tools? without');
    assert.deepEqual(
      names.filter((name) => !without.tools.includes(name)),
      [],
    );
    assert.ok(!without.tools.some((name) => ofWeather.test(name)));
    await setGateway(true);
    try {
      await seen('the tools of the gateway', async () => {
        await startServersOfEditor();
        return vscode.lm.tools.some(({ name }) => ofWeather.test(name));
      });
      const { tools } = await inAgentMode('tools? with');
      assert.deepEqual(
        names.filter((name) => tools.includes(name)),
        [],
      );
      assert.ok(tools.some((name) => ofWeather.test(name)));
    } finally {
      await setGateway(false);
    }
  });

  test('find what agent mode does not get by name, where there are more tools than the editor takes', async () => {
    await setGateway(true);
    await makeAvailable('many', true);
    try {
      // 128, without these three.
      await seen('as many tools of the gateway as fit', async () => {
        await startServersOfEditor();
        return vscode.lm.tools.filter(({ name }) => name.startsWith('mcp_')).length === 125;
      });
      const { tools } = await inAgentMode('tools? many');
      assert.deepEqual(
        names.filter((name) => !tools.includes(name)),
        [],
      );
      assert.ok(tools.includes('mcp_many_tool_1') && !tools.includes('mcp_many_tool_139'));
      const found = await textOf(invoke('mcpHost_findTools', { query: 'tool 139', server: 'many' }));
      assert.match(found, /"tool":"tool_139"/);
      const input = { server: 'many', tool: 'tool_139', arguments: { path: 'a' } };
      await textOf(invoke('mcpHost_callTool', input));
      assert.equal(asked.length, 1);
    } finally {
      await makeAvailable('many', false);
      await setGateway(false);
    }
  });

  test('are hidden while agent mode gets the same servers by the gateway, or nothing is available', async () => {
    for (const name of names) {
      assert.ok(
        vscode.lm.tools.some((tool) => tool.name === name),
        name,
      );
    }
    const key = recordingKey();
    try {
      await setGateway(true);
      await seen('no tools', () => key.isSet() === false);
      const found = await textOf(invoke('mcpHost_findTools', { query: 'weather' }));
      assert.match(found, /get_weather/, 'the chat of another extension can still use them');
      await setGateway(false);
      await seen('the tools', () => key.isSet() === true);
      await makeAvailable('weather', false);
      await makeAvailable('pictures', false);
      await seen('no tools', () => key.isSet() === false);
      await makeAvailable('weather', true);
      await makeAvailable('pictures', true);
      await seen('the tools', () => key.isSet() === true);
    } finally {
      key.dispose();
    }
  });
});
