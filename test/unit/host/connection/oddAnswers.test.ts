import assert from 'node:assert/strict';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import { HostError, messageOf } from '../../../../src/host/errors/hostError.ts';
import { serveScripted, type Script, type ScriptedOptions } from '../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, namesOf, textOf } from '../../support/connectionBed.ts';
import { httpServer } from '../../support/definitions.ts';
import { perTest } from '../../support/perTest.ts';

const info = { name: 'odd', version: '1' };
const agreed = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: info };
const echoed = { content: [{ type: 'text', text: 'Hello' }] };
const noMcp = 'the server does not answer as an MCP server';

suite('An answer that is not what the protocol asks for', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function serve(results: Record<string, unknown>, options: ScriptedOptions = {}) {
    const script: Script = Object.fromEntries(
      Object.entries(results).map(([method, result]) => [method, ({ json, answer }) => json(answer(result))]),
    );
    const server = bed.endLater(await serveScripted(script, options));
    return { server, connection: bed.connection(httpServer(server.url)) };
  }

  for (const error of [
    { code: -32_002, message: 'No such note', data: { uri: 'note:1' } },
    { code: -32_002, message: 'Not initialized' },
    { code: -32_602, message: 'No such note', data: { uri: 'note:1' } },
  ]) {
    test(`with ${error.code}, "${error.message}" is named with that code`, async () => {
      const script: Script = {
        initialize: ({ json, answer }) => json(answer({ ...agreed, capabilities: { resources: {} } })),
        'resources/read': ({ json, message }) => json({ jsonrpc: '2.0', id: message?.id, error }),
      };
      const connection = bed.connection(httpServer(bed.endLater(await serveScripted(script)).url));
      await connection.start();
      await assert.rejects(connection.readResource('note:1'), {
        message: `the server answered: ${error.message} (${error.code})`,
      });
    });
  }

  for (const [what, result, problem] of [
    ['nothing', {}, '`protocolVersion` is missing, and 2 more'],
    [
      'a number as its version',
      { ...agreed, protocolVersion: 5 },
      '`protocolVersion` must be a string, not a number',
    ],
    ['null as its version', { ...agreed, protocolVersion: null }, '`protocolVersion` is missing'],
    [
      'a list of capabilities',
      { ...agreed, capabilities: [] },
      '`capabilities` must be an object, not a list',
    ],
    [
      'a text as one capability',
      { ...agreed, capabilities: { tools: 'yes' } },
      '`capabilities.tools` must be an object, not a string',
    ],
    ['no name', { ...agreed, serverInfo: { version: '1' } }, '`serverInfo.name` is missing'],
    [
      'a number as its title',
      { ...agreed, serverInfo: { ...info, title: 7 } },
      '`serverInfo.title` must be a string, not a number',
    ],
    [
      'instructions in a list',
      { ...agreed, instructions: ['a'] },
      '`instructions` must be a string, not a list',
    ],
  ] as const) {
    test(`to initialize, with ${what}, is reported in a sentence`, async () => {
      const { connection } = await serve({ initialize: result });
      const message = `${noMcp}: its answer to 'initialize' is not valid: ${problem}`;
      await assert.rejects(connection.start(), { code: 'protocol', message });
      assert.ok(bed.logger.has(`error: Failed: ${message}`));
      assertNoJson();
    });
  }

  test('to a call, being a task, is reported in a sentence', async () => {
    const task = { taskId: 'x', status: 'working', ttl: null, createdAt: '', lastUpdatedAt: '' };
    const { connection } = await serve({ 'tools/call': { task } });
    await connection.start();
    await assert.rejects(connection.callTool('echo', {}), {
      code: 'protocol',
      message: `${noMcp}: its answer to 'tools/call' is not valid: content is required when the body carries 'task'`,
    });
    assertNoJson();
  });

  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    test(`to a list at ${revision} is reported in a sentence in the log`, async () => {
      const { connection } = await serve(
        { 'tools/list': { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: 'none' } },
        { revision },
      );
      await connection.start();
      assert.ok(
        bed.logger.has("its answer to 'tools/list' is not valid: `tools` must be a list, not a string"),
        bed.logger.lines.join('\n'),
      );
      assertNoJson();
    });
  }

  test('in a notification is reported in a sentence in the log', async () => {
    const { server, connection } = await serve({});
    server.script['tools/call'] = ({ events, answer }) => {
      const stream = events();
      const params = { level: 'loud', data: 'x' };
      stream.event(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })}`);
      stream.event(`data: ${answer(echoed)}`);
      stream.end();
    };
    await connection.start();
    assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    assertNoJson();
  });

  test('as an error whose words are those of a schema is reported in a sentence', async () => {
    const issue = {
      code: 'invalid_type',
      expected: 'string',
      path: ['text'],
      message: 'Invalid input: expected string, received undefined',
    };
    const words = `Invalid arguments for tool echo: ${JSON.stringify([issue, issue], undefined, 2)}`;
    const { server, connection } = await serve({});
    server.script['tools/call'] = ({ json, message }) =>
      json({ jsonrpc: '2.0', id: message.id, error: { code: -32602, message: words } });
    await connection.start();
    await assert.rejects(connection.callTool('echo', {}), {
      message: 'the server answered: Invalid arguments for tool echo: `text` is missing, and 1 more (-32602)',
    });
  });

  function assertNoJson(): void {
    assert.deepEqual(
      bed.logger.lines.filter((line) => /^(info|warn|error).*("code"|"path")/s.test(line)),
      [],
    );
  }
});

suite('A result that does not say what it is', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  for (const [what, type] of [
    ['nothing', {}],
    ['null', { resultType: null }],
  ] as const) {
    test(`but has ${what} there is complete, of a modern server`, async () => {
      const list = { ...type, ttlMs: 0, cacheScope: 'private' };
      const results: Record<string, object> = {
        'server/discover': {
          ...type,
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
        },
        'tools/list': { ...list, tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
        'prompts/list': { ...list, prompts: [{ name: 'greet' }] },
        'resources/list': { ...list, resources: [{ name: 'r', uri: 'test:///r' }] },
        'resources/templates/list': { ...list, resourceTemplates: [] },
        'tools/call': { ...type, ...echoed },
        'prompts/get': { ...type, messages: [{ role: 'user', content: echoed.content[0] }] },
        'resources/read': { ...list, contents: [{ uri: 'test:///r', text: 'Hello' }] },
        'completion/complete': { ...type, completion: { values: ['a'] } },
      };
      const script: Script = Object.fromEntries(
        Object.entries(results).map(([method, result]) => [
          method,
          ({ json, answer }) => json(answer(result)),
        ]),
      );
      const server = bed.endLater(await serveScripted(script, { revision: '2026-07-28' }));
      const connection = bed.connection(httpServer(server.url));
      await connection.start();
      assert.equal((connection.state as RunningState).revision, '2026-07-28');
      assert.deepEqual(namesOf(connection.catalogue?.tools), ['echo']);
      assert.deepEqual(namesOf(connection.catalogue?.prompts), ['greet']);
      assert.deepEqual(namesOf(connection.catalogue?.resources), ['r']);
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
      assert.equal((await connection.getPrompt('greet', {})).messages.length, 1);
      const { contents } = await connection.readResource('test:///r');
      assert.deepEqual(contents, [{ uri: 'test:///r', text: 'Hello' }]);
      const completed = (await connection.complete({
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'a', value: '' },
      })) as { readonly completion: object };
      assert.deepEqual(completed.completion, { values: ['a'] });
      for (const method of Object.keys(results)) {
        assert.equal(server.received(method).length, 1, method);
      }
    });
  }

  test('as the host knows it is not valid, of a modern server', async () => {
    const server = bed.endLater(await serveScripted({}, { revision: '2026-07-28' }));
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    for (const resultType of ['task', '', 5, {}, []]) {
      server.script['tools/call'] = ({ json, answer }) => json(answer({ resultType, ...echoed }));
      await assert.rejects(connection.callTool('echo', {}), { code: 'protocol' }, JSON.stringify(resultType));
    }
  });

  test('means nothing before 2026-07-28, whatever it says', async () => {
    const server = bed.endLater(await serveScripted());
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    for (const resultType of ['complete', 'input_required', 'task', null, 5]) {
      server.script['tools/call'] = ({ json, answer }) =>
        json(answer({ resultType, content: [{ type: 'text', text: 'Hello', annotations: null }] }));
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello', String(resultType));
    }
  });
});

suite('The text of an error', () => {
  const issue = { code: 'invalid_type', expected: 'array', path: ['a', 0, 'b'], message: 'x, received null' };
  for (const [text, words] of [
    ['plain', 'plain'],
    [`Invalid: ${JSON.stringify([issue])}`, 'Invalid: `a[0].b` must be a list, not null'],
    [`Invalid: ${JSON.stringify([issue])}.`, 'Invalid: `a[0].b` must be a list, not null.'],
    [
      JSON.stringify([{ code: 'invalid_value', values: ['x', 1], path: [], message: 'No.' }]),
      'it must be "x" or 1',
    ],
    [
      JSON.stringify([{ code: 'invalid_union', errors: [], path: ['a'], message: 'No.' }]),
      '`a` is not one of the values that are allowed there',
    ],
    [JSON.stringify([{ code: 'custom', path: ['a'], message: 'No.' }]), '`a` is not valid: No.'],
    ['[]', '[]'],
    ['Got [{"a":1}]', 'Got [{"a":1}]'],
    ['Got [{"a":', 'Got [{"a":'],
    [`${'[{"'.repeat(100)}]`, `${'[{"'.repeat(100)}]`],
  ] as const) {
    test(`is a sentence for ${text.slice(0, 60)}`, () =>
      assert.equal(messageOf(new HostError('protocol', text)), words));
  }
});
