import assert from 'node:assert/strict';
import type { Progress } from '@modelcontextprotocol/client';
import { receivedBy } from '../../support/connectionBed.ts';
import { legacyServer, modernServer, oddServer, resourceServer } from '../../support/definitions.ts';
import { GatewayBed, type Era } from '../../support/gatewayBed.ts';
import { Turns } from '../../support/turns.ts';
import { until, untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

const eras: readonly Era[] = ['legacy', 'modern'];
const server = legacyServer([], { name: 'files' });
/** As the server lists it from the start. */
const echo = { name: 'echo', inputSchema: { type: 'object' } };

for (const era of eras) {
  suite(`A ${era} client of the gateway`, () => {
    let bed: GatewayBed;
    perTest(() => (bed = new GatewayBed()));

    test('finds the server under its configured name, with its approved instructions', async () => {
      const client = await bed.client(await bed.serve(server), era);
      assert.equal(client.getServerVersion()?.name, 'files');
      assert.equal(client.getInstructions(), 'Echo first.');
      assert.deepEqual(Object.keys(client.getServerCapabilities() ?? {}).toSorted(), [
        'completions',
        'prompts',
        'resources',
        'tools',
      ]);
      assert.notEqual(client.getServerCapabilities()?.resources?.subscribe, true);
    });

    test('calls a tool, which is recorded as delegated', async () => {
      const client = await bed.client(await bed.serve(server), era);
      const { content } = await client.callTool({ name: 'echo', arguments: { text: 'Hello' } });
      assert.deepEqual(content, [{ type: 'text', text: 'Hello' }]);
      assert.deepEqual(
        bed.recorded.booked.map(({ caller, method, target, end }) => [
          caller.kind,
          method,
          target,
          end?.decision,
          end?.outcome,
        ]),
        [['agentMode', 'tools/call', 'echo', 'delegated', 'done']],
      );
    });

    test('gets no tool that cannot be called, and a note about unknown content', async () => {
      const client = await bed.client(await bed.serve(oddServer('legacy', 'malformed')), era);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['mixed', 'routed', 'rerouted', 'received', 'measured', 'wrongHeader'],
      );
      const task = await client.callTool({ name: 'tasked', arguments: {} });
      assert.equal(task.isError, true);
      assert.match(JSON.stringify(task.content), /runs only as a task/);
      const { content } = await client.callTool({ name: 'mixed', arguments: {} });
      assert.deepEqual(
        content.map((block) => (block.type === 'text' ? block.text : block)),
        [
          'before',
          'Content of the unknown type "video".',
          'Malformed content of the type "image" (the data is not valid base64).',
          'Malformed content of the type "image" (its MIME type is not one of image).',
          'Malformed content of the type "text" (`text` must be a string, not a number): {"type":"text","text":5}',
          'after',
        ],
      );
      const { messages } = await client.getPrompt({ name: 'greet' });
      assert.equal(messages.length, 3);
    });

    test('reads resources, gets prompts and completes their arguments', async () => {
      const client = await bed.client(await bed.serve(server), era);
      // The server is served once its tools are known; the other lists follow.
      const count = async (): Promise<number> =>
        (await client.listResources()).resources.length +
        (await client.listResourceTemplates()).resourceTemplates.length +
        (await client.listPrompts()).prompts.length;
      await untilSeen(async () => (await count()) === 3, 'its lists are known');
      assert.deepEqual((await client.listResources()).resources, [{ name: 'note', uri: 'test:///note' }]);
      assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, [
        { name: 'any', uriTemplate: 'test:///{name}' },
      ]);
      assert.deepEqual((await client.listPrompts()).prompts, [{ name: 'greet' }]);
      const { contents } = await client.readResource({ uri: 'test:///note' });
      assert.deepEqual(contents, [{ uri: 'test:///note', mimeType: 'text/plain', text: 'A note.' }]);
      const { messages } = await client.getPrompt({ name: 'greet', arguments: { who: 'you' } });
      assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: '{"who":"you"}' } }]);
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'who', value: 'y' },
      });
      assert.equal(completion.values.length, 100);
      assert.deepEqual(
        bed.recorded.booked.map(({ method, target }) => [method, target]),
        [
          ['resources/read', 'test:///note'],
          ['prompts/get', 'greet'],
          ['completion/complete', 'greet'],
        ],
      );
    });

    test('learns which resource is not there, but not of one that cannot be read', async () => {
      const client = await bed.client(await bed.serve(resourceServer()), era);
      const uri = 'odd://none';
      await assert.rejects(client.readResource({ uri }), { code: -32_602, data: { uri } });
      await assert.rejects(client.readResource({ uri: 'odd://home/fails' }), {
        code: -32_603,
        data: undefined,
      });
    });

    test('is not asked for headers that a tool wants', async () => {
      const client = await bed.client(await bed.serve(server), era);
      const wish = { 'x-mcp-header': 'Path' };
      await bed.list(server, [tool('read', { properties: { path: { type: 'string', ...wish } } })]);
      await bed.acceptAll(server);
      const [read] = (await client.listTools()).tools;
      assert.deepEqual(read?.inputSchema.properties, { path: { type: 'string' } });
    });

    test('receives progress', async () => {
      const client = await bed.client(await bed.serve(server), era);
      const steps: Progress[] = [];
      const abort = new AbortController();
      const call = client.callTool(
        { name: 'slow', arguments: { ms: 6_000, everyMs: 60 } },
        { onprogress: (step) => steps.push(step), signal: abort.signal },
      );
      const ended = call.catch(() => {});
      await untilSeen(() => steps.length > 1, 'two steps are heard');
      abort.abort();
      await ended;
      assert.ok(
        steps.every(
          ({ progress, total }, index) => progress > (steps[index - 1]?.progress ?? 0) && total === 100,
        ),
      );
    });

    test('receives the last progress of a quick tool', async () => {
      const client = await bed.client(await bed.serve(server), era);
      const steps: Progress[] = [];
      await client.callTool(
        { name: 'slow', arguments: { ms: 40, everyMs: 10 } },
        { onprogress: (step) => steps.push(step) },
      );
      assert.notEqual(steps.length, 0);
    });

    test('cancels a call, and the server is notified', async () => {
      const client = await bed.client(await bed.serve(server), era);
      const abort = new AbortController();
      const call = client.callTool({ name: 'silent', arguments: {} }, { signal: abort.signal });
      await untilCalled('silent');
      abort.abort();
      await assert.rejects(call);
      await untilCancelled();
    });

    test('leaves no call running if it disappears during the call', async () => {
      const endpoint = await bed.serve(server);
      const client = await bed.client(endpoint, era);
      const call = client.callTool({ name: 'silent', arguments: {} });
      await untilCalled('silent');
      await client.close();
      await assert.rejects(call);
      await untilCancelled();
      await until(
        () => bed.recorded.booked[0]?.end?.outcome === 'cancelled',
        'it is written down',
        (listener) => {
          const timer = setInterval(listener, 5);
          return { dispose: () => clearInterval(timer) };
        },
      );
    });

    test('gets a failure of the tool as the server wrote it', async () => {
      const client = await bed.client(await bed.serve(server), era);
      assert.deepEqual(await resultOf(client.callTool({ name: 'fail', arguments: {} })), {
        content: [{ type: 'text', text: 'It did not work.' }],
        isError: true,
      });
    });

    test('gets a sentence for a tool that is switched off, held back or given the wrong arguments', async () => {
      const definition = legacyServer([], { name: 'files' });
      const client = await bed.client(await bed.serve(definition), era);
      await bed.list(definition, [tool('read', { required: ['path'] }), echo]);
      await bed.acceptAll(definition);
      assert.deepEqual(namesIn(await client.listTools()), ['read', 'echo']);

      assert.match(
        await errorOf(client.callTool({ name: 'read', arguments: {} })),
        /path.*\. Correct the arguments, then try again\.$/s,
      );
      await bed.tools.expose(definition.id, false, 'echo');
      assert.deepEqual(namesIn(await client.listTools()), ['read']);
      assert.equal(
        await errorOf(client.callTool({ name: 'echo', arguments: {} })),
        "The server 'files' offers no tool 'echo' here.",
      );
      await bed.list(definition, [{ ...tool('read'), description: 'Deletes everything.' }, echo]);
      assert.deepEqual(namesIn(await client.listTools()), []);
      assert.match(await errorOf(client.callTool({ name: 'read', arguments: {} })), /held back/);
      await assert.rejects(client.callTool({ name: 'none', arguments: {} }), { code: -32_602 });
      assert.equal((await receivedBy(bed.of(definition)))['tools/call'], 3);
    });

    test('gets advice when the server ends during a call', async () => {
      const client = await bed.client(await bed.serve(server), era);
      const ended = errorOf(client.callTool({ name: 'die', arguments: { code: 1, stderr: '' } }));
      assert.match(
        await ended,
        /\. Find out whether the server has handled the request before you try again\.$/,
      );
    });

    test('sees annotations only of a server whose claims are trusted', async () => {
      const client = await bed.client(await bed.serve(server), era);
      const annotations = { readOnlyHint: true };
      await bed.list(server, [{ ...tool('read'), annotations }]);
      await bed.acceptAll(server);
      assert.equal((await client.listTools()).tools[0]?.annotations, undefined);
      await bed.tools.trust(server.id, true);
      assert.deepEqual((await client.listTools()).tools[0]?.annotations, annotations);
    });

    test('receives one notification for a flood of list changes', async () => {
      const heard: string[] = [];
      const changed = (kind: string) => ({
        autoRefresh: false,
        debounceMs: 0,
        onChanged: () => heard.push(kind),
      });
      const client = await bed.client(await bed.serve(server), era, {
        listChanged: {
          tools: changed('tools'),
          resources: changed('resources'),
          prompts: changed('prompts'),
        },
      });
      await client.ping().catch(() => {});
      await bed.of(server).callTool('list', { kind: 'prompts', names: ['other'] });
      await untilSeen(() => heard.includes('prompts'), 'the prompts have changed');
      await bed.of(server).callTool('list', { kind: 'resources', names: ['other'] });
      await untilSeen(() => heard.includes('resources'), 'the resources have changed');
      heard.length = 0;
      const began = performance.now();
      for (const name of ['echo', 'roots', 'slow', 'fail']) {
        await bed.tools.expose(server.id, false, name);
      }
      await untilSeen(() => heard.includes('tools'), 'the tools have changed');
      const gatheredMs = 50;
      const most = 1 + Math.ceil((performance.now() - began) / gatheredMs);
      assert.ok(heard.length <= most, `${heard.join()}; at most ${most}`);
      assert.ok(!namesIn(await client.listTools()).includes('fail'));
    });

    async function untilCalled(name: string): Promise<void> {
      await untilSeen(() => bed.recorded.booked.some(({ target }) => target === name), 'the tool is called');
    }

    async function untilCancelled(): Promise<void> {
      await untilSeen(
        async () => (await receivedBy(bed.of(server)))['notifications/cancelled'] === 1,
        'the server has heard of it',
      );
    }
  });
}

suite('The gateway', () => {
  let bed: GatewayBed;
  perTest(() => (bed = new GatewayBed({}, Infinity)));

  test('serves what runs and is granted, and nothing else', async () => {
    await bed.gateway.start();
    await bed.runCompared(server);
    assert.deepEqual(bed.gateway.endpoints, []);
    await bed.grants.grant(server.id, true);
    await bed.untilServed(server);
    const { url, headers } = bed.endpoint(server);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{16}$/);
    assert.match(headers.Authorization, /^Bearer [\w-]{43}$/);

    await bed.host.stop(server.id);
    assert.deepEqual(bed.gateway.endpoints, []);
    await bed.host.start(server.id);
    assert.equal(bed.endpoint(server).url, url);
    assert.deepEqual(bed.endpoint(server).headers, headers);

    bed.isGatewayOn = false;
    assert.deepEqual(bed.gateway.endpoints, []);
  });

  for (const era of eras) {
    test(`ends what a ${era} client does when the grant is withdrawn`, async () => {
      const client = await bed.client(await bed.serve(server), era);
      const call = client.callTool({ name: 'silent', arguments: {} });
      const failed = assert.rejects(call);
      await untilSeen(() => bed.recorded.booked.length === 1, 'the tool is called');
      await bed.grants.grant(server.id, false);
      assert.deepEqual(bed.gateway.endpoints, []);
      await untilSeen(
        async () => (await receivedBy(bed.of(server)))['notifications/cancelled'] === 1,
        'the server has heard of it',
      );
      await assert.rejects(client.callTool({ name: 'echo', arguments: {} }));
      await client.close();
      await failed;
    });
  }

  test('serves a modern server as well', async () => {
    const modern = modernServer();
    const client = await bed.client(await bed.serve(modern), 'modern');
    assert.deepEqual(await resultOf(client.callTool({ name: 'echo', arguments: { text: 'Hello' } })), {
      content: [{ type: 'text', text: 'Hello' }],
    });
  });

  test('changes the version when tools change while no client listens, and keeps it while one does', async () => {
    const before = (await bed.serve(server)).version;
    const client = await bed.client(bed.endpoint(server), 'modern', {
      listChanged: { tools: { autoRefresh: false, onChanged: () => {} } },
    });
    const told: number[] = [];
    bed.gateway.onDidChangeEndpoints(() => told.push(bed.gateway.endpoints.length));
    await bed.tools.expose(server.id, false, 'echo');
    const renewed = new Promise((resolve) => setTimeout(resolve, 150));
    await renewed;
    assert.equal(bed.endpoint(server).version, before);
    await client.close();
    await until(
      () => bed.endpoint(server).version !== before,
      'there is another version',
      bed.gateway.onDidChangeEndpoints,
    );
    assert.deepEqual(told, [1]);
  });

  test('cuts what is too long for a model, and says where the whole is', async () => {
    bed.gateSettings.maxResultTokens = 10;
    const client = await bed.client(await bed.serve(server), 'modern');
    const { content } = await resultOf(
      client.callTool({ name: 'echo', arguments: { text: 'x'.repeat(100) } }),
    );
    const [beginning, note] = content as readonly { readonly text: string }[];
    assert.deepEqual(beginning, { type: 'text', text: 'x'.repeat(40) });
    assert.match(note?.text ?? '', /cut after about 10 tokens.*100 characters.*whole result in echo 1/);
    assert.equal(content.length, 2);
    assert.deepEqual(bed.kept, ['x'.repeat(100)]);
  });

  test('offers every one of 2,000 tools under a name of its own, without holding up the process', async () => {
    const client = await bed.client(await bed.serve(server), 'modern');
    const names = Array.from({ length: 1_000 }, (_, index) => [`a.${index}`, `a_${index}`]).flat();
    await bed.list(
      server,
      names.map((name) => ({ ...tool(name), description: `Does ${name}. ${'More. '.repeat(30)}` })),
    );
    await bed.acceptAll(server);
    const turns = new Turns();
    const { tools } = await client.listTools();
    turns.end('the list of tools');
    assert.equal(new Set(tools.map(({ name }) => name)).size, 2_000);
    assert.ok(tools.every(({ name }) => /^[a-zA-Z0-9_-]{1,46}$/.test(name)));
    for (const index of [0, 1, 999, 1_998, 1_999]) {
      const name = tools[index]?.name ?? '';
      assert.equal(
        await errorOf(client.callTool({ name, arguments: {} })),
        `There is no tool ${names[index]}.`,
      );
    }
  });
});

function tool(name: string, schema: object = {}): { readonly name: string; readonly inputSchema: object } {
  // A schema of its own: otherwise it would be taken for another tool under a new name.
  return { name, inputSchema: { type: 'object', title: name, ...schema } };
}

function namesIn({ tools }: { readonly tools: readonly { readonly name: string }[] }): readonly string[] {
  return tools.map(({ name }) => name);
}

interface ToolResult {
  readonly content: readonly unknown[];
  readonly isError?: boolean | undefined;
}

async function resultOf(call: Promise<ToolResult>): Promise<ToolResult> {
  const { content, isError } = await call;
  return { content, ...(isError !== undefined && { isError }) };
}

async function errorOf(call: Promise<ToolResult>): Promise<string> {
  const { content, isError } = await call;
  assert.equal(isError, true);
  const [block] = content as { readonly text: string }[];
  return block?.text ?? '';
}
