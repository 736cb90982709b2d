import assert from 'node:assert/strict';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { ChatPart } from '../../../../src/host/chat/chatParts.ts';
import { ChatTools } from '../../../../src/host/chat/chatTools.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { type CallAnswer, callQuestions } from '../../../../src/host/gate/callQuestion.ts';
import type { Caller } from '../../../../src/host/ledger/caller.ts';
import { receivedBy } from '../../support/connectionBed.ts';
import { legacyServer, packageScript, serverScript, stdioServer } from '../../support/definitions.ts';
import { GatewayBed } from '../../support/gatewayBed.ts';
import { until } from '../../support/until.ts';

const chat: Caller = { kind: 'chat', isInChat: true };
const once: CallAnswer = { answer: 'run', span: 'once', scope: 'one' };
const forSession: CallAnswer = { answer: 'run', span: 'session', scope: 'one' };

const weather = stdioServer([serverScript('changingServer')], { name: 'weather' });
const files = legacyServer([], { name: 'files' });

const textOf = (parts: readonly ChatPart[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : part.mimeType)).join('\n');

suite("MCP Host's own tools for models", () => {
  let bed: GatewayBed;
  let isOff: string | undefined;
  let chatTools: ChatTools;

  setup(() => {
    bed = new GatewayBed();
    isOff = undefined;
    chatTools = new ChatTools({
      servers: () => isOff ?? bed.host.servers,
      grants: bed.grants,
      tools: bed.tools,
      gate: bed.gate,
      settings: bed.gateSettings,
      keepWhole: (name, text) => `${name} ${bed.kept.push(text)}`,
    });
  });

  teardown(() => bed.close());

  async function run(...definitions: readonly ServerDefinition[]): Promise<void> {
    await bed.run(...definitions);
    for (const definition of definitions) {
      await bed.untilCompared(definition);
    }
  }

  async function offer(...definitions: readonly ServerDefinition[]): Promise<void> {
    await run(...definitions);
    for (const { id } of definitions) {
      await bed.grants.grant(id, true);
    }
  }

  async function answer(answered: CallAnswer): Promise<void> {
    bed.questions.answer(asked()[0] ?? (await bed.untilAsked(callQuestions)), answered);
  }

  const asked = () => bed.asked(callQuestions);
  const call = (input: unknown, signal?: AbortSignal): Promise<readonly ChatPart[]> =>
    chatTools.call(input, chat, signal);

  async function messageOf(failing: Promise<unknown>): Promise<string> {
    const error: unknown = await failing.then(
      () => assert.fail('it did not fail'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof HostError, String(error));
    assert.match(error.message, /^[A-Z"].*[.}:]$/s, 'a sentence');
    return error.message;
  }

  test('find a tool with its schema, call it once you have answered, and return its result', async () => {
    await offer(weather, files);
    const found = await chatTools.find({ query: 'forecast, will it rain' });
    const [head, first = ''] = found.split('\n');
    assert.equal(head, 'Call one of these with mcpHost_callTool:');
    const tool = JSON.parse(first) as Readonly<Record<string, unknown>>;
    assert.equal(tool['server'], 'weather');
    assert.equal(tool['tool'], 'get_weather');
    assert.match(String(tool['description']), /^Tells the weather/);
    assert.ok(tool['inputSchema']);
    assert.equal(tool['annotations'], undefined, 'claims count only if you trust them');
    const result = call({ server: 'weather', tool: 'get_weather', arguments: { place: 'Bern' } });
    await answer(once);
    assert.match(textOf(await result), /Bern/);
    assert.deepEqual(
      bed.recorded.booked.map(({ caller, target, end }) => [
        caller.kind,
        target,
        end?.decision,
        end?.outcome,
      ]),
      [['chat', 'get_weather', 'asked', 'done']],
    );
  });

  test('ask once for a call, and not again after an answer for longer', async () => {
    await offer(files);
    const input = { server: 'files', tool: 'echo', arguments: { text: 'Hello' } };
    const first = call(input);
    await answer(forSession);
    assert.equal(textOf(await first), 'Hello');
    assert.equal(textOf(await call(input)), 'Hello');
    assert.deepEqual(
      bed.recorded.booked.map(({ end }) => end?.decision),
      ['asked', 'remembered'],
    );
  });

  test('find and call nothing of a server that is not available to chat, and name none of it', async () => {
    await run(weather, files);
    await bed.grants.grant(files.id, true);
    const texts = [
      await chatTools.find({ query: 'weather' }),
      await chatTools.find({ query: 'mail' }),
      await messageOf(chatTools.find({ query: 'weather', server: 'weather' })),
      await messageOf(call({ server: 'weather', tool: 'get_weather', arguments: { place: 'Bern' } })),
      await messageOf(call({ tool: 'get_weather', arguments: { place: 'Bern' } })),
      await messageOf(call({ server: 'files', tool: 'get_weather' })),
      await messageOf(chatTools.read({ server: 'weather', uri: 'test:///note' }, chat)),
      await messageOf(chatTools.read({ server: 'nobody', uri: 'test:///note' }, chat)),
    ];
    for (const text of texts) {
      assert.doesNotMatch(text, /Tells the weather|send_mail|change_tool|Sends a mail|"weather"/, text);
    }
    assert.deepEqual(asked(), []);
    assert.equal((await receivedBy(bed.of(files)))['tools/call'], 1, 'only the call that counts');
  });

  test('say nothing of any server before one is made available to chat, and nothing after it is withdrawn', async () => {
    await run(weather, files);
    const requests = () => [
      chatTools.find({ query: 'forecast, send a mail, echo' }),
      chatTools.find({ query: 'forecast', server: 'weather' }),
      call({ server: 'weather', tool: 'get_weather', arguments: { place: 'Bern' } }),
      call({ tool: 'get_weather', arguments: { place: 'Bern' } }),
      call({ tool: 'echo', arguments: 'broken' }),
      chatTools.read({ server: 'files', uri: 'test:///note' }, chat),
      chatTools.read({}, chat),
    ];
    const refusals = async (): Promise<ReadonlySet<string>> =>
      new Set(await Promise.all(requests().map(messageOf)));
    const refused = await refusals();
    assert.equal(refused.size, 1, 'each request gets the same words, whatever it names');
    assert.match([...refused].join(), /^No running MCP server is in chat\./);
    await bed.grants.grant(weather.id, true);
    assert.match(await chatTools.find({ query: 'forecast' }), /get_weather/);
    await bed.grants.grant(weather.id, false);
    assert.deepEqual(await refusals(), refused);
    assert.deepEqual(asked(), []);
  });

  test('find and call no tool that you do not expose, or that has changed', async () => {
    await offer(weather);
    await bed.tools.expose(weather.id, false, 'send_mail');
    assert.doesNotMatch(await chatTools.find({ query: 'send a mail' }), /send_mail/);
    const hidden = await messageOf(call({ server: 'weather', tool: 'send_mail', arguments: { to: 'a' } }));
    assert.match(hidden, /offers no tool 'send_mail' here\. The nearest tools: /);
    assert.doesNotMatch(hidden, /Sends a mail|"tool":"send_mail"/);
    const changed = bed.of(weather).callTool('change_tool', { name: 'get_weather', description: 'Evil.' });
    await until(() => bed.tools.changes(weather.id) !== undefined, 'a change', bed.tools.onDidChange);
    await changed;
    assert.doesNotMatch(await chatTools.find({ query: 'weather' }), /Evil|get_weather/);
    assert.match(
      await messageOf(call({ server: 'weather', tool: 'get_weather', arguments: { place: 'Bern' } })),
      /has changed since it was approved. It is held back until the user reviews the change\.$/,
    );
  });

  test('say that you refused, and send nothing', async () => {
    await offer(files);
    const refused = messageOf(call({ server: 'files', tool: 'echo', arguments: { text: 'Hello' } }));
    await answer({ answer: 'refuse', span: 'once', scope: 'one' });
    assert.match(
      await refused,
      /^The user does not allow 'echo' of the server 'files'\. Do not try it again/,
    );
    assert.equal((await receivedBy(bed.of(files)))['tools/call'], 1, 'only the call that counts');
  });

  test('say what to do when the server ends during a call', async () => {
    await offer(files);
    bed.gateSettings.confirm = 'never';
    const ended = messageOf(call({ server: 'files', tool: 'die', arguments: { code: 1, stderr: '' } }));
    assert.match(
      await ended,
      /\. Find out whether the server has handled the request before you try again\.$/,
    );
  });

  test('withdraw the question when the model cancels, and cancel what runs', async () => {
    await offer(weather);
    const before = new AbortController();
    const waiting = call({ server: 'weather', tool: 'wait' }, before.signal);
    await until(() => asked().length === 1, 'a request waits', bed.questions.onDidChange);
    before.abort();
    await assert.rejects(waiting, CancellationError);
    assert.deepEqual(asked(), []);
    const during = new AbortController();
    const runs = call({ server: 'weather', tool: 'wait' }, during.signal);
    await answer(once);
    await until(() => asked().length === 0, 'it runs', bed.questions.onDidChange);
    during.abort();
    await assert.rejects(runs, CancellationError);
    assert.deepEqual(
      bed.recorded.booked.map(({ end }) => end?.outcome),
      ['cancelled', 'cancelled'],
    );
  });

  test('name the nearest tools where there is no such tool or server', async () => {
    await offer(weather, files);
    const wrongTool = await messageOf(call({ server: 'weather', tool: 'weather_forecast' }));
    assert.match(wrongTool, /offers no tool 'weather_forecast'.*\{"server":"weather","tool":"get_weather"\}/);
    const wrongServer = await messageOf(call({ server: 'meteo', tool: 'get_weather' }));
    assert.match(wrongServer, /No running server 'meteo' is in chat.*"files".*"tool":"get_weather"\}/);
    assert.deepEqual(asked(), []);
  });

  test('report invalid arguments, with the schema, before they ask you', async () => {
    await offer(weather);
    const message = await messageOf(call({ server: 'weather', tool: 'get_weather', arguments: { day: 7 } }));
    assert.match(
      message,
      /place.*Correct the arguments, then try again\. The schema of its arguments: \{"type":"object"/s,
    );
    assert.deepEqual(asked(), []);
  });

  const broken: readonly (readonly [what: string, input: unknown, expected: RegExp])[] = [
    ['nothing', undefined, /Give "tool"/],
    ['a text', 'get_weather', /Give "tool".*"get_weather"/],
    ['a list', [], /Give "tool"/],
    ['a call without a tool', { server: 'weather' }, /Give "tool"/],
    ['a tool that is no text', { server: 'weather', tool: 7 }, /Give "tool"/],
    [
      'arguments that are a list',
      { server: 'weather', tool: 'get_weather', arguments: [1] },
      /"arguments" must/,
    ],
    [
      'arguments in broken JSON',
      { server: 'weather', tool: 'get_weather', arguments: '{"pl' },
      /"arguments" must/,
    ],
  ];
  for (const [what, input, expected] of broken) {
    test(`answer a call with ${what} with a sentence that names tools`, async () => {
      await offer(weather);
      const message = await messageOf(call(input));
      assert.match(message, expected);
      assert.match(message, /mcpHost_findTools/);
    });
  }

  test('take what models often send: arguments as JSON, another case, and no server', async () => {
    await offer(weather, files);
    bed.gateSettings.confirm = 'never';
    const inputs = [
      { server: 'weather', tool: 'get_weather', arguments: '{"place":"Bern"}' },
      { server: ' Weather', tool: 'get_weather', arguments: { place: 'Bern' } },
      { tool: 'get_weather', arguments: { place: 'Bern' } },
    ];
    for (const input of inputs) {
      assert.match(textOf(await call(input)), /Bern/);
    }
  });

  test('read a resource once you have answered, and say what to do about one that is not there', async () => {
    await offer(files);
    const reading = chatTools.read({ server: 'files', uri: 'test:///note' }, chat);
    await answer({ answer: 'run', span: 'session', scope: 'server' });
    assert.match(textOf(await reading), /^The resource test:\/\/\/note:\nA note\.$/);
    assert.match(
      await messageOf(chatTools.read({ server: 'nobody', uri: 'test:///note' }, chat)),
      /No running server 'nobody'.*"files"/,
    );
    assert.match(await messageOf(chatTools.read({ server: 'files' }, chat)), /^Give "server".*"uri"/);
  });

  test('cut a result that is too long, and say where the whole is', async () => {
    await offer(files);
    bed.gateSettings.maxResultTokens = 10;
    bed.gateSettings.confirm = 'never';
    const text = 'word '.repeat(20);
    const result = textOf(await call({ server: 'files', tool: 'echo', arguments: { text } }));
    assert.match(result, /cut after about 10 tokens.*in echo 1/);
    assert.deepEqual(bed.kept, [text]);
  });

  test('keep what a server means for the user only from the model, and say where it is', async () => {
    const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio'], {
      name: 'everything',
    });
    await offer(everything);
    bed.gateSettings.confirm = 'never';
    const annotated = (args: object): Promise<readonly ChatPart[]> =>
      call({ server: 'everything', tool: 'get-annotated-message', arguments: args });
    assert.equal(
      textOf(await annotated({ messageType: 'success', includeImage: true })),
      '[The server means 2 of 2 parts of this result for the user only. ' +
        'The user finds the text in get-annotated-message 1.]',
    );
    assert.deepEqual(bed.kept, ['Operation completed successfully']);
    assert.equal(
      textOf(await annotated({ messageType: 'debug', includeImage: true })),
      'Debug: Cache hit ratio 0.95, latency 150ms\n' +
        '[The server means 1 of 2 parts of this result for the user only.]',
    );
    assert.equal(textOf(await annotated({ messageType: 'error' })), 'Error: Operation failed');
  });

  test('give the schemas of few tools, and the names of others', async () => {
    await offer(stdioServer([serverScript('changingServer'), '--tools=40'], { name: 'many' }));
    const lines = (await chatTools.find({ query: 'tool', server: 'many' })).split('\n');
    const hits = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object);
    assert.equal(hits.filter((hit) => 'inputSchema' in hit).length, 5);
    assert.ok(hits.length > 5 && hits.length <= 12);
    bed.gateSettings.maxResultTokens = 20;
    assert.doesNotMatch(await chatTools.find({ query: 'tool' }), /inputSchema/);
  });

  test('find a tool that has come since, under the name that its server has since', async () => {
    await offer(weather);
    await chatTools.find({ query: 'weather' });
    await bed.tools.offerNew(weather.id, true);
    const changed = until(
      () => bed.tools.of(weather.id).some(({ tool }) => tool.name === 'add_parcel'),
      'the tool is listed',
      bed.tools.onDidChange,
    );
    await bed.of(weather).callTool('add_tool', { name: 'add_parcel' });
    await changed;
    await bed.tools.settled();
    assert.match(await chatTools.find({ query: 'parcel' }), /"add_parcel"/);
  });

  test('say what to do where no server is available, or the editor has switched that off', async () => {
    assert.match(await messageOf(chatTools.find({ query: 'weather' })), /No running MCP server.*Use in Chat/);
    isOff = "The editor's settings turn off MCP servers in chat.";
    for (const failing of [
      chatTools.find({ query: 'weather' }),
      call({ server: 'weather', tool: 'wait' }),
      chatTools.read({ server: 'weather', uri: 'test:///note' }, chat),
    ]) {
      assert.equal(await messageOf(failing), isOff);
    }
    assert.match(await messageOf(chatTools.find({})), /^Give "query"/);
  });
});
