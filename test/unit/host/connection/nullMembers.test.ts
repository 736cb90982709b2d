import assert from 'node:assert/strict';
import { SessionTraffic } from '../../../../src/host/traffic/sessionTraffic.ts';
import { TrafficRecorder } from '../../../../src/host/traffic/trafficRecorder.ts';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { levelSource } from '../../../../src/host/connection/messages/logLevels.ts';
import type { ProtocolEra, RunningState } from '../../../../src/host/state/connectionState.ts';
import { ServerMessages } from '../../../../src/host/connection/messages/serverMessages.ts';
import { SessionPipeline } from '../../../../src/host/connection/messages/sessionPipeline.ts';
import * as sdk from '../../../../src/host/sdk/sdk.ts';
import { readReceived } from '../../../../src/host/json/receivedLine.ts';
import { serveScripted } from '../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, namesOf, textOf } from '../../support/connectionBed.ts';
import { httpServer } from '../../support/definitions.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';
import { serverResults } from '../../support/serverResults.ts';
import { perTest } from '../../support/perTest.ts';

type Json = Readonly<Record<string, unknown>>;
type Name = keyof typeof sdk.specTypeSchemas;
type Path = readonly (string | number)[];

/** Envelopes that servers send: for a result the method that it answers. */
const envelopes: readonly (readonly [name: Name, method: string | undefined])[] = [
  ...serverResults,
  ['CreateTaskResult', 'tasks/create'],
  ['GetTaskResult', 'tasks/get'],
  ['ListTasksResult', 'tasks/list'],
  ['SubscriptionsListenResult', 'subscriptions/listen'],
  ['CreateMessageRequest', undefined],
  ['ListRootsRequest', undefined],
  ['PingRequest', undefined],
  ['CancelledNotification', undefined],
  ['ProgressNotification', undefined],
  ['LoggingMessageNotification', undefined],
  ['PromptListChangedNotification', undefined],
  ['ResourceListChangedNotification', undefined],
  ['ResourceUpdatedNotification', undefined],
  ['ToolListChangedNotification', undefined],
  ['TaskStatusNotification', undefined],
  ['SubscriptionsAcknowledgedNotification', undefined],
];

/** Items of lists are judged as they are; what is in these is the server's own, not the protocol's. */
const items = new Set(['tools', 'prompts', 'resources', 'resourceTemplates']);
const opaque = new Set([
  'inputSchema',
  'outputSchema',
  'arguments',
  'input',
  'metadata',
  'structuredContent',
]);

function schemaOf(name: Name): Json {
  const { jsonSchema } = sdk.specTypeSchemas[name]['~standard'] as unknown as {
    readonly jsonSchema: { input(options: Json): Json };
  };
  return jsonSchema.input({ target: 'draft-2020-12', unrepresentable: 'any' });
}

/** A value for a schema with all that may be in it, and where in it the members are that may be left out. */
interface Sample {
  readonly value: unknown;
  readonly optional: readonly Path[];
}

/** Of a union, each of its kinds: one after the other. */
function samplesOf(schema: unknown, root: Json, isList: boolean, depth = 0): readonly Sample[] {
  const one = Object(schema) as Json;
  const { $ref, anyOf, oneOf, allOf, type, items: element, const: constant, enum: values } = one;
  if (depth > 14) {
    return [{ value: {}, optional: [] }];
  }
  if (typeof $ref === 'string') {
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Json)[key], root);
    return samplesOf(target, root, isList, depth + 2);
  }
  const union = anyOf ?? oneOf;
  if (Array.isArray(union)) {
    return union.flatMap((each: unknown) => samplesOf(each, root, isList, depth + 1));
  }
  if (Array.isArray(allOf)) {
    return samplesOf(allOf[0], root, isList, depth + 1);
  }
  if (constant !== undefined || Array.isArray(values)) {
    return [{ value: constant ?? (values as unknown[])[0], optional: [] }];
  }
  switch (type) {
    case 'object':
      return objectsOf(one, root, isList, depth);
    case 'array':
      return samplesOf(element, root, isList, depth + 1).map(({ value, optional }) => ({
        value: [value],
        optional: optional.map((path) => [0, ...path]),
      }));
    case 'string':
      return [{ value: textFor(one), optional: [] }];
    case 'number':
    case 'integer':
      return [{ value: 1, optional: [] }];
    case 'boolean':
      return [{ value: true, optional: [] }];
    case 'null':
      return [{ value: null, optional: [] }];
    default:
      return [{ value: {}, optional: [] }];
  }
}

function objectsOf(
  { properties, required = [] }: Json,
  root: Json,
  isList: boolean,
  depth: number,
): readonly Sample[] {
  const members = Object.entries(Object(properties) as Json).map(([name, schema]) => {
    const isLeft = opaque.has(name) || (isList && depth === 0 && items.has(name));
    const kinds = samplesOf(schema, root, isList, depth + 1);
    const isOptional = !(required as unknown[]).includes(name) && !allowsNull(schema, root);
    return { name, isOptional, kinds: kinds.map((kind) => (isLeft ? { ...kind, optional: [] } : kind)) };
  });
  const most = Math.max(1, ...members.map(({ kinds }) => kinds.length));
  return Array.from({ length: most }, (_, index) => {
    const value: Record<string, unknown> = {};
    const optional: Path[] = [];
    for (const { name, isOptional, kinds } of members) {
      const kind = kinds[index % kinds.length];
      value[name] = ['data', 'blob'].includes(name) && typeof kind?.value === 'string' ? 'AAAA' : kind?.value;
      optional.push(
        ...(isOptional ? [[name]] : []),
        ...(kind?.optional ?? []).map((path) => [name, ...path]),
      );
    }
    return { value, optional };
  });
}

function textFor({ format, pattern }: Json): string {
  return format === 'date-time' || String(pattern).includes('\\d{4}')
    ? '2026-07-28T00:00:00Z'
    : format === 'uri'
      ? 'file:///x'
      : 'image/png';
}

/** Whether the revision's schema gives `null` a meaning there, or takes any value. */
function allowsNull(schema: unknown, root: Json): boolean {
  const { $ref, anyOf, oneOf, type } = Object(schema) as Json;
  if (typeof $ref === 'string') {
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Json)[key], root);
    return allowsNull(target, root);
  }
  const union = anyOf ?? oneOf;
  return Array.isArray(union)
    ? union.some((one: unknown) => allowsNull(one, root))
    : type === 'null' || Object.keys(Object(schema) as Json).every((key) => key === 'description');
}

/** The value with these members as `null`, or without them. */
function changed(value: unknown, paths: readonly Path[], isNull: boolean): unknown {
  const copy = structuredClone(value);
  // The deepest first: a member may be in another that goes.
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Json)[key], copy) as Record<
      string,
      unknown
    >;
    const name = String(path.at(-1));
    if (isNull) {
      parent[name] = null;
    } else {
      delete parent[name];
    }
  }
  return copy;
}

const every = envelopes.flatMap(([name, method]) => {
  const schema = schemaOf(name);
  return samplesOf(schema, schema, method?.endsWith('/list') === true).map((sample) => ({
    name,
    method,
    ...sample,
  }));
});

/** What the SDK is handed of a message that has come. */
async function handed(
  value: unknown,
  method: string | undefined,
  era: ProtocolEra,
): Promise<JSONRPCMessage | undefined> {
  const logger = new RecordingLogger();
  const messages = new ServerMessages(logger, [], () => 'debug');
  const pipeline = new SessionPipeline({
    logger,
    messages,
    level: levelSource('x', logger, undefined),
    schemas: sdk,
    traffic: new SessionTraffic(new TrafficRecorder([])),
    isHttp: false,
    era: () => era,
    takesProgress: () => false,
  });
  pipeline.sent({ jsonrpc: '2.0', id: 1, method: method ?? 'tools/call', params: {} });
  const envelope = method === undefined ? Object(value) : { id: 1, result: value };
  const isRequest = method === undefined && !String((value as Json)['method']).startsWith('notifications/');
  const json = JSON.stringify({ jsonrpc: '2.0', ...(isRequest && { id: 'x' }), ...envelope });
  try {
    for (const one of readReceived(Buffer.from(json))) {
      if (typeof one !== 'number') {
        assert.equal(one.kind, 'message', JSON.stringify(one));
        return one.kind === 'message' ? await pipeline.received(one.message) : undefined;
      }
    }
    return undefined;
  } finally {
    messages.dispose();
  }
}

suite('A member that may be left out', () => {
  test('is in the messages of every kind', () => {
    assert.deepEqual(new Set(every.map(({ name }) => name)), new Set(envelopes.map(([name]) => name)));
    const count = every.reduce((sum, { optional }) => sum + optional.length, 0);
    assert.ok(count > 300, `${count}`);
  });

  for (const era of ['legacy', 'modern'] as const) {
    test(`counts as left out when it is null, of a ${era} server: each alone`, async () => {
      for (const { value, optional, name, method } of every) {
        for (const path of optional) {
          const [asNull, absent] = await Promise.all(
            [true, false].map((isNull) => handed(changed(value, [path], isNull), method, era)),
          );
          assert.deepEqual(asNull, absent, `${name}: ${path.join('.')}`);
        }
      }
    });

    test(`counts as left out when it is null, of a ${era} server: any of them together`, async () => {
      const some = fc
        .constantFrom(...every.filter(({ optional }) => optional.length > 0))
        .chain((one) => fc.record({ one: fc.constant(one), paths: fc.subarray([...one.optional]) }));
      await fc.assert(
        fc.asyncProperty(some, async ({ one: { value, method }, paths }) => {
          const [asNull, absent] = await Promise.all(
            [true, false].map((isNull) => handed(changed(value, paths, isNull), method, era)),
          );
          assert.deepEqual(asNull, absent);
        }),
        { numRuns: 500 },
      );
    });
  }

  test('is null where that means something, or where it is the server’s own', async () => {
    for (const [method, result, era] of [
      ['tasks/get', { taskId: 'x', status: 'working', ttl: null }, 'legacy'],
      ['tasks/create', { task: { taskId: 'x', ttl: null } }, 'legacy'],
      ['completion/complete', { completion: { values: [] }, _meta: { 'own/key': null } }, 'legacy'],
      ['initialize', { capabilities: { experimental: { x: { y: null } } } }, 'legacy'],
    ] as const) {
      const message = await handed(result, method, era);
      assert.deepEqual(message && 'result' in message && message.result, result);
    }
    const call = await handed({ content: [], structuredContent: null }, 'tools/call', 'modern');
    assert.equal(call && 'result' in call && call.result['structuredContent'], null);
    const said = await handed(
      { method: 'notifications/message', params: { level: 'info', logger: null, data: null } },
      undefined,
      'legacy',
    );
    assert.deepEqual(said && 'method' in said && said.params, { level: 'info', data: null });
  });
});

suite('A server that writes null for what it leaves out', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  const nothing = { title: null, description: null, icons: null, websiteUrl: null };
  const serverInfo = { name: 'nulls', version: '1', ...nothing };
  const capabilities = {
    experimental: null,
    logging: null,
    prompts: null,
    resources: null,
    completions: null,
    tasks: null,
    tools: { listChanged: null },
  };

  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    test(`is connected to at ${revision}, and its answers are what they say`, async () => {
      const server = bed.endLater(
        await serveScripted(
          {
            initialize: ({ json, answer }) =>
              json(
                answer({
                  protocolVersion: '2025-11-25',
                  capabilities,
                  serverInfo,
                  instructions: null,
                  _meta: null,
                }),
              ),
            ...(revision === '2026-07-28' && {
              'server/discover': ({ json, answer }) =>
                json(
                  answer({
                    resultType: null,
                    supportedVersions: [revision],
                    capabilities: { ...capabilities, extensions: { 'a/b': null } },
                    instructions: null,
                    ttlMs: null,
                    cacheScope: null,
                    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
                  }),
                ),
            }),
            'tools/call': ({ json, answer }) =>
              json(
                answer({
                  content: [{ type: 'text', text: 'Hello', annotations: { priority: null }, _meta: null }],
                  structuredContent: null,
                  isError: null,
                  resultType: null,
                  _meta: null,
                }),
              ),
          },
          { revision },
        ),
      );
      const connection = bed.connection(httpServer(server.url));
      await connection.start();
      assert.equal((connection.state as RunningState).revision, revision);
      assert.equal(connection.serverInfo?.name, 'nulls');
      assert.deepEqual(namesOf(connection.catalogue?.tools), ['echo']);
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
      assert.equal(server.received('tools/call').length, 1);
    });
  }
});
