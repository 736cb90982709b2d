import assert from 'node:assert/strict';
import type { Prompt } from '@modelcontextprotocol/client';
import {
  callsOf,
  childNodes,
  topNodes,
  treeNodes,
  type TreeSources,
} from '../../../../../src/editor/views/servers/serverNodes.ts';
import type { ModelAccessSource } from '../../../../../src/editor/sampling/modelAccessSource.ts';
import type { ServerNode } from '../../../../../src/editor/nodes/serverNode.ts';
import { PAGE } from '../../../../../src/editor/views/row.ts';
import { Parts } from '../../../../../src/base/lifetime/parts.ts';
import {
  chatOffer,
  twiceNote,
  whoAsks,
  type AgentModeSource,
} from '../../../../../src/editor/chat/agentModeState.ts';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { asksRow, remedyRow } from '../../../../../src/editor/views/servers/failureRows.ts';
import { serverContext } from '../../../../../src/editor/views/servers/serverWord.ts';
import { stateWords } from '../../../../../src/host/connection/stateWords.ts';
import {
  agentModeRow,
  promptRow,
  toolRow,
  toolTooltip,
} from '../../../../../src/editor/views/servers/offeredRows.ts';
import { toolSummary } from '../../../../../src/host/tools/toolSummary.ts';
import type { RunningRequest } from '../../../../../src/host/ledger/ledger.ts';
import { rootsSummary } from '../../../../../src/host/roots/rootsSummary.ts';
import { legacyServer, oddServer, ofUser, stdioServer } from '../../../support/definitions.ts';
import { RecordingLogger } from '../../../support/recordingLogger.ts';
import type { HostTool } from '../../../../../src/host/tools/hostTool.ts';
import { ToolsBed } from '../../../support/toolsBed.ts';
import { until } from '../../../support/until.ts';
import { uriOnDisk } from '../../../support/onDisk.ts';

suite('The nodes of the tree of servers', () => {
  let bed: ToolsBed;
  let sources: TreeSources;

  setup(() => {
    bed = new ToolsBed();
    const { host, tools } = bed;
    const agentMode: AgentModeSource = {
      onDidChange: host.onDidChangeServers,
      isAvailable: true,
      stateOf: () => 'notGranted',
      twinOf: () => undefined,
      settingAgainst: () => undefined,
      meaningOf: () => '',
      use: () => Promise.resolve(),
      offerFor: () => undefined,
      whoAsks: whoAsks('byTrust', true),
      leavesToolsOut: false,
      isLeftOut: () => false,
    };
    const access: ModelAccessSource = {
      onDidChange: host.onDidChangeServers,
      settings: { maxTokensPerDay: 200_000, removed: [] },
      accessOf: () => assert.fail('nobody has looked at the row'),
    };
    sources = {
      host,
      tools,
      agentMode,
      access,
      accounts: {
        onDidChange: () => ({ dispose: () => {} }),
        accountOf: () => undefined,
        access: 'empty',
      },
      calls: { running: [], onDidChange: host.onDidChangeServers },
      parts: new Parts(new RecordingLogger()),
    };
  });

  teardown(() => bed.close());

  const child = (parent: ServerNode, kind: ServerNode['kind']): ServerNode => {
    const found = childNodes(sources, parent, PAGE).find((node) => node.kind === kind);
    assert.ok(found, `there is no ${kind}`);
    return found;
  };

  test('show which folders are left out because no server can read them', async () => {
    bed.folders = [
      { uri: uriOnDisk('/projects/api'), name: 'api' },
      { uri: 'memfs:/notes', name: 'notes' },
    ];
    await bed.run(legacyServer());
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const roots = child(server, 'roots');
    assert.ok(roots.kind === 'roots');
    assert.equal(rootsSummary(roots.view), 'api · 1 not shared');
    const kinds = childNodes(sources, roots, PAGE).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['root', 'leftOut']);
  });

  test('show what a server may still use until it is restarted', async () => {
    bed.folders = [{ uri: uriOnDisk('/projects/api'), name: 'api' }];
    const definition = legacyServer();
    const [connection] = await bed.run(definition);
    await connection?.callTool('roots', {});
    const [server] = topNodes(bed.host);
    assert.ok(server && !childNodes(sources, server, PAGE).some(({ kind }) => kind === 'lingering'));
    await bed.roots.setShared({ definition, label: 'server' }, uriOnDisk('/projects/api'), false);
    const lingering = child(server, 'lingering');
    assert.ok(lingering.kind === 'lingering');
    assert.deepEqual(
      lingering.roots.map(({ name }) => name),
      ['api'],
    );
  });

  test('put the problems of one definition below one row, and those of a running server below it', async () => {
    const running = legacyServer([], { name: 'running' });
    await bed.run(running);
    const problem = (name: string, message: string) =>
      ({ origin: ofUser, name, severity: 'error', message }) as const;
    bed.configure(
      [],
      [problem('running', 'half-typed'), problem('broken', 'first'), problem('broken', 'second')],
    );
    const nodes = topNodes(bed.host);
    assert.deepEqual(
      nodes.map(({ kind }) => kind),
      ['server', 'unreadable'],
    );
    const [server, unreadable] = nodes;
    assert.ok(server && unreadable);
    assert.equal(child(server, 'problem').kind, 'problem');
    assert.equal(childNodes(sources, unreadable, PAGE).length, 2);
  });

  test('show what a server asks for before it starts, in its own words, and what you can do', async () => {
    const ask = 'To log in, open https://issuer.example/device and enter the code ABCD-1234';
    const script = `console.error(${JSON.stringify(ask)}); setInterval(() => {}, 1_000)`;
    const definition = stdioServer(['-e', script], { command: process.execPath });
    bed.configure([definition]);
    bed.answerAll('allow');
    const asks = (): boolean => topNodes(bed.host).some((node) => rowsOf(node).includes('asks'));
    const rowsOf = (node: ServerNode): readonly string[] =>
      childNodes(sources, node, PAGE).map((one) => (one.kind === 'remedy' ? one.remedy.kind : one.kind));
    await until(asks, 'it asks', bed.host.onDidChangeServer);
    const [server] = topNodes(bed.host);
    assert.ok(server?.kind === 'server');
    assert.deepEqual(rowsOf(server).slice(0, 5), ['asks', 'open', 'copyAddress', 'copyCode', 'cancel']);
    const asked = child(server, 'asks');
    assert.ok(asked.kind === 'asks');
    assert.equal(asksRow(asked).label, ask);
    const rows = childNodes(sources, server, PAGE).flatMap((one) =>
      one.kind === 'remedy' ? [remedyRow(one)] : [],
    );
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description]),
      [
        ['Open…', 'issuer.example'],
        ['Copy the Address', undefined],
        ['Copy the Code', 'ABCD-1234'],
        ['Cancel', undefined],
      ],
    );
    assert.equal(stateWords(server.server.connection.state).word, 'waiting for you');
    await bed.host.stop(definition.id);
    assert.ok(!rowsOf(server).includes('asks'));
  });

  for (const kind of ['tools', 'prompts'] as const) {
    test(`show many ${kind} page by page`, async () => {
      const [connection] = await bed.run(legacyServer());
      assert.ok(connection);
      const names = Array.from({ length: PAGE + 8 }, (_, index) => `name${index}`);
      await connection.callTool('list', { kind, names });
      await connection.catalogue?.refresh(kind);
      await bed.tools.settled();
      const [server] = topNodes(bed.host);
      assert.ok(server);
      const parent = child(server, kind);
      const shown = childNodes(sources, parent, PAGE);
      assert.equal(shown.length, PAGE + 1);
      const last = shown.at(-1);
      assert.ok(last?.kind === 'more' && last.hidden === 8 && last.what === kind);
      assert.equal(childNodes(sources, parent, 2 * PAGE).length, PAGE + 8);
    });
  }

  test('show what a server lists but cannot be used, after what can', async () => {
    const definition = oddServer('legacy', 'malformed');
    await bed.runCompared(definition);
    await bed.of(definition).catalogue?.listing('prompts');
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const rows = (kind: 'tools' | 'prompts'): readonly (string | undefined)[] =>
      childNodes(sources, child(server, kind), PAGE).map((node) =>
        node.kind === 'malformed'
          ? `${node.item.name}: ${node.item.reason}`
          : node.kind === 'tool'
            ? node.tool.name
            : node.kind,
      );
    assert.deepEqual(rows('tools').slice(0, 3), ['mixed', 'routed', 'tasked']);
    assert.deepEqual(rows('tools').slice(7, 9), [
      'titled: `title` must be a string, not null',
      'untyped: `inputSchema.type` is missing',
    ]);
    assert.deepEqual(rows('prompts'), ['prompt', 'undefined: `name` must be a string, not a number']);
    const summary = toolSummary(bed.tools.of(definition.id));
    assert.match(summary.text, /^6 on/, 'neither those nor what runs only as a task counts');
  });

  test('put the tools that are held back before the others', async () => {
    const definition = legacyServer();
    await bed.runCompared(definition);
    const listed = (name: string, description: string) => ({
      name,
      description,
      // Of its own: with that of a tool that is gone it would pass for a renamed one.
      inputSchema: { type: 'object', required: [name] },
    });
    const [first, second] = [listed('first', 'As it was.'), listed('second', 'As it was.')];
    await bed.list(definition, [first, second]);
    await bed.acceptAll(definition);
    await bed.list(definition, [first, { ...second, description: 'Another text.' }]);
    const isChanged = (): boolean => bed.tool(definition, 'second').standing.kind === 'changed';
    await until(isChanged, 'the second tool is held back', bed.tools.onDidChange);
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const rows = childNodes(sources, child(server, 'tools'), PAGE);
    assert.deepEqual(
      rows.map((row) => row.kind === 'tool' && [row.tool.name, row.listed.standing.kind]),
      [
        ['second', 'changed'],
        ['first', 'known'],
      ],
    );
  });

  test('find the running calls of a tool', async () => {
    const definition = legacyServer();
    await bed.runCompared(definition);
    const request = (more: Partial<RunningRequest>): RunningRequest => ({
      id: '1',
      at: 0,
      caller: { kind: 'agentMode' },
      serverId: definition.id,
      server: 'server',
      method: 'tools/call',
      target: 'echo',
      isSent: true,
      isCancelling: false,
      cancel: () => {},
      ...more,
    });
    const call = request({});
    const others = [
      request({ isSent: false }),
      request({ target: 'roots' }),
      request({ serverId: 'other' }),
      request({ method: 'prompts/get' }),
    ];
    const running = { running: [...others, call], onDidChange: sources.calls.onDidChange };
    assert.deepEqual(callsOf(bed.tool(definition, 'echo'), running), [call]);
  });

  test('are on the page in the order of use, and without what the server offers when it does not run', async () => {
    const definition = legacyServer();
    await bed.runCompared(definition);
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const kinds = childNodes(sources, server, PAGE).map(({ kind }) => kind);
    const others = kinds.filter((kind) => kind !== 'resources' && kind !== 'prompts');
    assert.deepEqual(others, ['tools', 'roots', 'agentMode', 'modelAccess']);
    await bed.host.stop(definition.id);
    await bed.until(definition, 'stopped');
    assert.deepEqual(
      childNodes(sources, server, PAGE).map(({ kind }) => kind),
      ['roots', 'modelAccess'],
    );
  });

  test('are in the tree only tools, prompts and folders, and model access when a limit was reached', async () => {
    await bed.runCompared(legacyServer());
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const kinds = (note?: string): readonly string[] => {
      const policy = { policy: 'ask', basis: 'setting', isForSession: false } as const;
      const asks = {
        policies: { inCall: policy, unasked: policy },
        today: { requests: 0, tokens: 0 },
        hasModel: true,
        isOffered: true,
      };
      const access = {
        ...sources.access,
        accessOf: () => ({ ...asks, ...(note !== undefined && { note }) }),
      };
      return treeNodes({ ...sources, access }, server, PAGE)
        .map(({ kind }) => kind)
        .filter((kind) => kind !== 'prompts');
    };
    assert.deepEqual(kinds(), ['tools', 'roots']);
    assert.deepEqual(kinds('paused until tomorrow'), ['tools', 'roots', 'modelAccess']);
  });

  test('have context values that give the menus what applies to a server', async () => {
    const definition = legacyServer();
    const context = (): string => {
      const server = bed.host.server(definition.id);
      assert.ok(server);
      return serverContext(server, sources);
    };
    await bed.runCompared(definition);
    assert.equal(context(), 'server active running editable on notInChat');
    bed.configure([{ ...definition, disabled: true }]);
    await bed.until(definition, 'disabled');
    for (const state of ['granted', 'grantedByTools'] as const) {
      sources = { ...sources, agentMode: { ...sources.agentMode, stateOf: () => state } };
      assert.equal(context(), 'server idle disabled editable off inChat');
    }
    sources = { ...sources, agentMode: { ...sources.agentMode, stateOf: () => 'unavailable' } };
    const token = { type: 'promptString', id: 'token', password: true } as const;
    const format = 'elsewhere' as 'settings';
    bed.configure([
      { ...definition, disabled: true, inputs: [token], origin: { ...definition.origin, format } },
    ]);
    await bed.until(definition, 'disabled');
    assert.equal(context(), 'server idle disabled inputs');
  });

  test('say in which way models in chat have a server, with a checkbox to change it', async () => {
    await bed.run(legacyServer());
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const node = child(server, 'agentMode');
    assert.ok(node.kind === 'agentMode');
    const rows = (['granted', 'grantedByTools', 'notGranted', 'unavailable'] as const).map((state) => {
      const agentMode = { ...sources.agentMode, stateOf: () => state };
      const { description, checkbox } = agentModeRow(node, { ...sources, agentMode });
      return [description, checkbox?.isChecked];
    });
    assert.deepEqual(rows, [
      ['in chat · in agent mode and with @mcp', true],
      ['in chat · with @mcp and by search', true],
      ['not in chat', false],
      ["isn't available in this editor", undefined],
    ]);
  });

  test('show who else gives a server to chat, and let you choose to have it twice', async () => {
    await bed.run(legacyServer());
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const node = child(server, 'agentMode');
    assert.ok(node.kind === 'agentMode');
    const rows = (['editor', 'copilot'] as const).map((by) =>
      (['twin', 'granted', 'grantedByTools'] as const).map((state) => {
        const twinOf = () => ({ by, place: 'notes/.mcp.json' });
        const agentMode: AgentModeSource = { ...sources.agentMode, stateOf: () => state, twinOf };
        const { description, checkbox, tooltip } = agentModeRow(node, { ...sources, agentMode });
        assert.match(
          String(tooltip),
          /notes\/\.mcp\.json.*\. If you use it in chat from here too, chat may show its tools twice\./,
        );
        return [description, checkbox?.isChecked];
      }),
    );
    assert.deepEqual(rows, [
      [
        ['left out: the editor runs it', false],
        ['in chat · in agent mode and with @mcp · the editor runs it too', true],
        ['in chat · with @mcp and by search · the editor runs it too', true],
      ],
      [
        ['left out: Copilot sessions run it', false],
        ['in chat · in agent mode and with @mcp · Copilot sessions run it too', true],
        ['in chat · with @mcp and by search · Copilot sessions run it too', true],
      ],
    ]);
  });

  test('say of a server in a file that Copilot reads that its tools may be in chat twice', () => {
    const twice = 'A Copilot session reads this file too and may show these tools twice.';
    const folder = { uri: uriOnDisk('/projects/api'), name: 'api' };
    const place = `${folder.uri}/.mcp.json`;
    const shared: ServerDefinition = {
      ...legacyServer(),
      origin: { scope: 'folder', format: 'mcpJson', place, folder },
    };
    assert.equal(twiceNote(legacyServer(), undefined), undefined);
    assert.equal(twiceNote(shared, undefined), twice);
    const hidden = { by: 'editor', place: 'notes/\u202Emcp.json' } as const;
    assert.match(
      twiceNote(shared, hidden) ?? '',
      /^The editor runs this server itself, because it is in notes\/\\u\{202E\}mcp\.json\./,
    );
    assert.match(
      chatOffer(false, 'MCP Host asks.', twice).meaning,
      /MCP Host asks\. A Copilot session .* twice\.$/,
    );
    assert.doesNotMatch(chatOffer(true, 'MCP Host asks.', twice).meaning, /twice/);
  });

  test('say who asks about calls, in each way into the chat', async () => {
    await bed.run(legacyServer());
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const node = child(server, 'agentMode');
    assert.ok(node.kind === 'agentMode');
    const agentMode: AgentModeSource = { ...sources.agentMode, stateOf: () => 'granted' };
    assert.match(
      String(agentModeRow(node, { ...sources, agentMode }).tooltip),
      /In agent mode, the editor asks .*, which may allow calls .* With @mcp, .* MCP Host asks for each call, unless/,
    );
    assert.doesNotMatch(String(agentModeRow(node, sources).tooltip), /asks/);
    assert.match(
      whoAsks('always', true),
      /and then MCP Host asks\. With @mcp, .*, MCP Host asks for each call\.$/,
    );
    assert.match(
      whoAsks('never', true),
      /may allow calls .* With @mcp, .* asks about no call, because of your setting/,
    );
    assert.match(whoAsks('byTrust', false), /^MCP Host asks for each call, unless/);
  });

  test('say which tools agent mode does not get by name, because the editor takes only so many', async () => {
    const definition = legacyServer();
    await bed.runCompared(definition);
    const isLeftOut = ({ tool }: HostTool): boolean => tool.name === 'echo' || tool.name === 'roots';
    const agentMode: AgentModeSource = {
      ...sources.agentMode,
      stateOf: () => 'granted',
      leavesToolsOut: true,
      isLeftOut,
    };
    sources = { ...sources, agentMode };
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const node = child(server, 'agentMode');
    assert.ok(node.kind === 'agentMode');
    const { description, tooltip } = agentModeRow(node, sources);
    const count = bed.tools.of(definition.id).length;
    assert.equal(description, `in chat · ${count - 2} of ${count} tools by name, the others by search`);
    assert.match(String(tooltip), /at most 128 tools/);
    const rows = childNodes(sources, child(server, 'tools'), PAGE).flatMap((one) =>
      one.kind === 'tool' ? [[one.tool.name, toolRow(one, sources), toolTooltip(one, sources)] as const] : [],
    );
    assert.equal(rows.length, count);
    for (const [name, row, text] of rows) {
      const isFound = name === 'echo' || name === 'roots';
      assert.equal(String(row.description).startsWith('found by search'), isFound, name);
      assert.equal(text.includes('Models find it by search'), isFound, name);
    }
    await bed.tools.expose(definition.id, false, 'echo');
    assert.match(String(agentModeRow(node, sources).description), / the others by search$/);
  });

  test('have no row for prompts if there are none', async () => {
    const [connection] = await bed.run(legacyServer());
    await connection?.callTool('list', { kind: 'prompts', names: [] });
    await connection?.catalogue?.refresh('prompts');
    const [server] = topNodes(bed.host);
    assert.ok(server);
    assert.ok(!childNodes(sources, server, PAGE).some(({ kind }) => kind === 'prompts'));
  });

  test('open the form of a tool or of a prompt, or the review for which a tool is held back', async () => {
    await bed.runCompared(legacyServer());
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const [tool] = childNodes(sources, child(server, 'tools'), PAGE);
    assert.ok(tool?.kind === 'tool');
    const opens = (changes: Partial<HostTool>): string | undefined =>
      toolRow({ ...tool, listed: { ...tool.listed, ...changes } }, sources).command?.command;
    assert.equal(opens({}), 'mcpHost.showToolForm');
    assert.equal(opens({ isExposed: false }), 'mcpHost.showToolForm');
    assert.equal(opens({ lacksTasks: true }), 'mcpHost.showToolForm');
    assert.equal(opens({ standing: { kind: 'added' } }), 'mcpHost.reviewToolChanges');
    assert.deepEqual(toolRow(tool, sources).command?.arguments, [tool]);
    const [prompt] = childNodes(sources, child(server, 'prompts'), PAGE);
    assert.ok(prompt?.kind === 'prompt');
    assert.deepEqual(
      [promptRow(prompt, bed).command?.command, promptRow(prompt, bed).command?.arguments],
      ['mcpHost.usePrompt', [prompt]],
    );
  });

  test('have no checkbox for a tool that no model gets, and say that you can run it', async () => {
    await bed.runCompared(legacyServer());
    const [server] = topNodes(bed.host);
    assert.ok(server);
    const [tool] = childNodes(sources, child(server, 'tools'), PAGE);
    assert.ok(tool?.kind === 'tool');
    const _meta = { ui: { visibility: ['app'] } };
    const forApps = { ...tool, listed: { ...tool.listed, tool: { ...tool.tool, _meta } } };
    const { checkbox, description, command } = toolRow(forApps, sources);
    assert.deepEqual(
      [checkbox, description?.split(' · ')[0], command?.command],
      [undefined, 'not for models', 'mcpHost.showToolForm'],
    );
    assert.match(toolTooltip(forApps, sources), /^No model sees this tool, .* You can run it\./);
  });

  test('say what a prompt asks for', async () => {
    await bed.run(legacyServer());
    const [first] = topNodes(bed.host);
    assert.ok(first?.kind === 'server');
    const { server } = first;
    const nodeOf = (one: Prompt) => ({ kind: 'prompt', id: one.name, server, prompt: one }) as const;
    const prompt = {
      name: 'review',
      title: 'Review\u202E',
      description: 'Reviews it.',
      arguments: [{ name: 'file', description: 'The file', required: true }, { name: 'style' }],
    };
    const { label, tooltip } = promptRow(nodeOf(prompt), bed);
    assert.equal(label, 'Review\\u{202E}');
    assert.equal(tooltip, 'review\n\nReviews it.\n\nAsks for:\nfile (required): The file\nstyle (optional)');
    assert.equal(promptRow(nodeOf({ name: 'plain' }), bed).tooltip, 'plain');
  });

  test('say of a prompt that it is held back from models', async () => {
    await bed.runCompared(legacyServer());
    const prompts = [{ name: 'greet', description: 'Something else.' }, { name: 'later' }];
    await bed.listItems(legacyServer(), 'prompts', prompts);
    const [server = assert.fail('there is no server')] = bed.host.servers;
    const rows = prompts.map((prompt) => promptRow({ kind: 'prompt', id: 'prompt', server, prompt }, bed));
    assert.deepEqual(
      rows.map(({ description, context }) => [description, context]),
      [
        ['changed: held back from models until you review it · Something else.', 'prompt changed'],
        ['new: held back from models until you review it', 'prompt added'],
      ],
    );
    assert.match(String(rows[0]?.tooltip), /^Held back from models: this is not what you approved\./);
    await bed.acceptAll(legacyServer());
    assert.equal(
      promptRow({ kind: 'prompt', id: 'p', server, prompt: { name: 'later' } }, bed).context,
      'prompt',
    );
  });
});
