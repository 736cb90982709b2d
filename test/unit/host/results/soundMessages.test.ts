import assert from 'node:assert/strict';
import { Client, InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { asChecked } from '../../../../src/host/results/checkedResult.ts';
import { lightBounds } from '../../../../src/host/json/bounds.ts';
import { lists, type ListMethod, type ListRules } from '../../../../src/host/results/soundList.ts';
import type { SoundPage } from '../../../../src/host/results/soundPage.ts';
import { SoundMessages } from '../../../../src/host/results/soundMessages.ts';
import * as sdk from '../../../../src/host/sdk/sdk.ts';
import { unreadableIn } from '../../../../src/host/results/unreadableContent.ts';
import type { Era } from '../../../fixtures/servers/oddScript.ts';

type Value = Readonly<Record<string, unknown>>;

/** Numbers that look random, the same in each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const values = [null, 0, -1, 1.5, '', 'x', true, [], {}, [1], ['x'], { a: null }, { type: 'object' }];

/** The value with something in it replaced, taken out or put in. */
function mutated(value: unknown, roll: (sides: number) => number): unknown {
  if (typeof value !== 'object' || value === null || roll(4) === 0) {
    return values[roll(values.length)];
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const at = roll(items.length + 1);
    return items.toSpliced(at, 1, mutated(items[at], roll));
  }
  const fields = Object.entries(value);
  const [name = 'name', field] = fields[roll(fields.length)] ?? [];
  const { [name]: _, ...rest } = value as Value;
  return roll(3) === 0 ? rest : { ...rest, [name]: mutated(field, roll) };
}

const base = {
  title: 'Title',
  icons: [{ src: 'data:,', mimeType: 'image/png', sizes: ['any'], theme: 'light' }],
  description: 'Text',
  _meta: { 'x/y': 1 },
};
const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };
const items: Readonly<Record<ListMethod, Value>> = {
  'tools/list': {
    ...base,
    name: 'tool',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { type: 'string', 'x-mcp-header': 'A' } },
      required: ['a'],
    },
    outputSchema: { type: 'object', properties: { b: { type: 'number' } }, required: [] },
    annotations: { title: 'T', readOnlyHint: true },
    execution: { taskSupport: 'optional' },
  },
  'prompts/list': { ...base, name: 'prompt', arguments: [{ name: 'a', description: 'd', required: true }] },
  'resources/list': { ...base, name: 'r', uri: 'test:///r', mimeType: 'text/plain', size: 1, annotations },
  'resources/templates/list': {
    ...base,
    name: 't',
    uriTemplate: 'test:///{a}',
    mimeType: 'a/b',
    annotations,
  },
};
const blocks: readonly Value[] = [
  { type: 'text', text: 'x', annotations, _meta: {} },
  { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  { type: 'resource_link', name: 'r', uri: 'test:///r', annotations },
  { type: 'resource', resource: { uri: 'test:///r', text: 'x', mimeType: 'text/plain' } },
  { type: 'resource', resource: { uri: 'test:///r', blob: 'AAAA' } },
  { type: 'video', data: 'AAAA' },
];

/** The SDK's client, whose server answers everything with what the test has put there. */
class BareClient {
  readonly client = new Client({ name: 'bare', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  answer: Value = {};

  async connect(era: Era): Promise<void> {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    const info = { name: 'server', version: '1' };
    theirs.onmessage = (message) => {
      if (!('method' in message && 'id' in message)) {
        return;
      }
      const { id, method } = message;
      const fail = (code: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, error: { code, message: 'no' } });
      const give = (result: Value): JSONRPCMessage => ({
        jsonrpc: '2.0',
        id,
        result: era === 'modern' ? { resultType: 'complete', ...result } : { ...result },
      });
      const answered =
        method === 'server/discover'
          ? era === 'legacy'
            ? fail(-32_601)
            : give({ supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' })
          : method === 'initialize'
            ? give({ protocolVersion: '2025-11-25', capabilities, serverInfo: info })
            : give(this.answer);
      void theirs.send(answered);
    };
    await theirs.start();
    await this.client.connect(ours);
    assert.equal(this.client.getProtocolEra(), era);
  }
}

/** What the SDK's client gets in place of a result. */
async function shownOf(
  { era, ...rules }: ListRules,
  method: string,
  result: Value,
  warn: (text: string) => void = () => assert.fail('there is nothing to warn of'),
): Promise<Value> {
  const complain = (text: string): void => assert.fail(text);
  const messages = new SoundMessages({ ...rules, era: () => era, complain, warn });
  const sound = await messages.sound({ jsonrpc: '2.0', id: 1, result }, method);
  return sound && 'result' in sound ? sound.result : assert.fail('it is no longer a result');
}

/** What the caller gets of what the SDK gets. */
function checkedIn(shown: Value): Value {
  const outcome = asChecked<Value>()['~standard'].validate(shown);
  return 'value' in outcome ? outcome.value : assert.fail('it is refused');
}

/** The result of that method, as the caller gets it. */
async function soundOf(rules: ListRules, method: string, result: Value): Promise<Value> {
  return checkedIn(await shownOf(rules, method, result));
}

async function pageOf(rules: ListRules, method: ListMethod, page: Value): Promise<SoundPage> {
  return (await soundOf(rules, method, page)) as unknown as SoundPage;
}

function isBase64(data: string): boolean {
  try {
    atob(data);
    return true;
  } catch {
    return false;
  }
}

/** In pages that are checked at once. */
function pagesOf(listed: readonly unknown[]): readonly (readonly unknown[])[] {
  const size = 25;
  return Array.from({ length: Math.ceil(listed.length / size) }, (_, page) =>
    listed.slice(page * size, (page + 1) * size),
  );
}

for (const era of ['legacy', 'modern'] as const) {
  suite(`Sound results, ${era}`, () => {
    const bare = new BareClient();
    suiteSetup(() => bare.connect(era));
    suiteTeardown(() => bare.client.close());

    const rules = { schemas: sdk, era, isHttp: false };

    for (const [index, method] of (Object.keys(lists) as ListMethod[]).entries()) {
      const { field } = lists[method];

      test(`${method}: every item that is kept is as the SDK would give it, of 3,000 mutated ones`, async () => {
        const roll = dice(index + 1);
        const listed = Array.from({ length: 3_000 }, () => mutated(items[method], roll));
        let [kept, malformed] = [0, 0];
        for (const items of pagesOf(listed)) {
          const page = await pageOf(rules, method, { [field]: items });
          const given = page.entries.map(({ item }) => item);
          bare.answer = { [field]: given, ttlMs: 0, cacheScope: 'private' };
          const answer: Value = await bare.client.request({ method });
          assert.deepEqual(given, answer[field]);
          kept += given.length;
          malformed += page.malformed.length;
        }
        assert.ok(kept > 300 && malformed > 300, `${kept} kept`);
        assert.equal(kept + malformed, 3_000);
        const { entries } = await pageOf(rules, method, { [field]: [items[method]] });
        const { execution: _, ...withoutExecution } = items[method];
        const whole = era === 'modern' ? withoutExecution : items[method];
        assert.deepEqual(entries[0]?.item, whole);
      });

      test(`${method}: what is left out has a reason`, async () => {
        const roll = dice(index + 11);
        const listed = Array.from({ length: 1_000 }, () => mutated(items[method], roll));
        const { malformed } = await pageOf(rules, method, { [field]: listed });
        assert.ok(malformed.length > 0);
        for (const { reason } of malformed) {
          assert.match(reason, /^(`|it )[^\n{]{1,200}$/);
        }
      });
    }

    if (era === 'legacy') {
      test('nothing is left out that the SDK would have accepted', async () => {
        const roll = dice(7);
        const listed = Array.from({ length: 300 }, () => mutated(items['tools/list'], roll));
        let leftOut = 0;
        for (const tool of listed) {
          const { entries } = await pageOf(rules, 'tools/list', { tools: [tool] });
          if (entries.length === 0) {
            leftOut += 1;
            bare.answer = { tools: [tool] };
            await assert.rejects(bare.client.request({ method: 'tools/list' }), JSON.stringify(tool));
          }
        }
        assert.ok(leftOut > 30, `${leftOut} left out`);
      });
    }

    test('every result is as the SDK would give it, with its content in its order', async () => {
      const roll = dice(42);
      for (let round = 0; round < 200; round += 1) {
        const content = blocks.map((block) => (roll(3) === 0 ? block : mutated(block, roll)));
        const result = await soundOf(rules, 'tools/call', { content, isError: true, unknown: 1 });
        bare.answer = result;
        assert.deepEqual(result, await bare.client.callTool({ name: 'any' }));
        const sound = result['content'] as readonly Value[];
        assert.equal(sound.length, content.length);
        for (const [index, block] of sound.entries()) {
          const unreadable = unreadableIn(block);
          assert.deepEqual(
            unreadable ? unreadable.block : block['type'],
            unreadable ? content[index] : block['type'],
          );
        }
        const prompt = await soundOf(rules, 'prompts/get', {
          messages: [
            { role: 'user', content, unknown: 1 },
            ...content,
            { role: 'user', content: content[0] },
          ],
        });
        bare.answer = prompt;
        assert.deepEqual(prompt, await bare.client.getPrompt({ name: 'any' }));
      }
    });

    test('the caller gets what was checked, of which the SDK sees little', async () => {
      const content = [{ type: 'text', text: 'x' }];
      const resultType = era === 'modern' ? { resultType: 'complete' } : {};
      const shown = await shownOf(rules, 'tools/call', { content, isError: true });
      assert.deepEqual(JSON.parse(JSON.stringify(shown)), { ...resultType, content: [], isError: true });
      bare.answer = shown;
      const request = { method: 'tools/call', params: { name: 'any' } };
      assert.deepEqual(await bare.client.request(request, asChecked()), { content, isError: true });
      const large = [{ type: 'text', text: 'x'.repeat(lightBounds.characters) }];
      bare.answer = await shownOf(rules, 'tools/call', { content: large, isError: true });
      assert.deepEqual(JSON.parse(JSON.stringify(bare.answer)), { ...resultType, content: [] });
      assert.deepEqual(await bare.client.request(request, asChecked()), { content: large, isError: true });
    });

    for (const [method, result] of [
      ['tools/list', { tools: 'none' }],
      ['prompts/get', { messages: 'none' }],
      ['resources/read', { contents: [{ uri: 'test:///r', text: 5 }] }],
    ] as const) {
      test(`${method}: a result without its parts fails the request in the words of the SDK`, async () => {
        for (const size of [0, lightBounds.characters]) {
          const answer = { ...result, other: 'x'.repeat(size) };
          bare.answer = await shownOf(rules, method, answer, () => {});
          const failure = new RegExp(`^SdkError: Invalid result for ${method}: \\[`);
          await assert.rejects(bare.client.request({ method, params: {} }, asChecked()), failure);
        }
      });
    }

    test('`null` in an envelope or a block counts as absent, and a list of `null` as empty', async () => {
      const resultType = era === 'modern' ? { resultType: 'complete' } : {};
      for (const method of Object.keys(lists) as ListMethod[]) {
        const { field } = lists[method];
        const page = await pageOf(rules, method, {
          ...resultType,
          [field]: null,
          nextCursor: null,
          ttlMs: null,
          _meta: null,
        });
        assert.deepEqual(page.entries, []);
        assert.equal(page.nextCursor, undefined);
        assert.equal(page.cut, undefined);
      }
      const result = await soundOf(rules, 'tools/call', {
        ...resultType,
        content: [{ type: 'text', text: 'x', annotations: null, _meta: null }],
        isError: null,
        structuredContent: null,
      });
      assert.deepEqual(result['content'], [{ type: 'text', text: 'x' }]);
      assert.equal(result['isError'], undefined);
      assert.equal(result['structuredContent'], era === 'modern' ? null : undefined);
      const { contents } = await soundOf(rules, 'resources/read', { ...resultType, contents: null });
      assert.deepEqual(contents, []);
      const other = await shownOf(rules, 'ping', { own: 1 });
      assert.equal(other['own'], 1);
      assert.equal(checkedIn(other), other, 'an answer to another request is not checked here');
    });

    test('a block with long data is kept if it is base64 as `atob` reads it', async () => {
      for (const end of [
        '',
        '=',
        '==',
        '===',
        'A=',
        'AA==\n',
        'AAA=\r\n\t\f ',
        `AA==${' '.repeat(100)}`,
        'A A A\nA',
        'AA=A',
        'A\v',
      ]) {
        const data = 'A'.repeat(128 * 1024) + end;
        const block = { type: 'image', data, mimeType: 'image/png' };
        const { content } = await soundOf(rules, 'tools/call', { content: [{ ...block, unknown: 1 }] });
        const [sound] = content as readonly unknown[];
        if (isBase64(data)) {
          assert.deepEqual(sound, block);
        } else {
          assert.ok(unreadableIn(sound), JSON.stringify(end));
        }
      }
    });

    test('a server cannot mark a block as unreadable in `_meta`', async () => {
      const { content } = await soundOf(rules, 'tools/call', {
        content: [
          { type: 'text', text: 'for the model', _meta: { 'mcp-host/original': { block: 'for you' } } },
        ],
      });
      assert.equal(unreadableIn((content as unknown[])[0]), undefined);
    });

    test('a value of a million levels is left out, and ends nothing', async () => {
      let deep: unknown = {};
      for (let level = 0; level < 1_000_000; level += 1) {
        deep = { deep };
      }
      const { entries, malformed } = await pageOf(rules, 'tools/list', {
        tools: [{ name: 'deep', inputSchema: { type: 'object', properties: { deep } } }],
      });
      assert.deepEqual(entries, []);
      assert.match(malformed[0]?.reason ?? '', /nested/);
      const { content } = await soundOf(rules, 'tools/call', { content: [{ type: 'text', text: deep }] });
      assert.match(String(unreadableIn((content as unknown[])[0])?.fault), /nested/);
    });
  });
}

suite('A list of tools over HTTP, modern', () => {
  const wishes: readonly (readonly [what: string, schema: Value, isKept: boolean])[] = [
    ['a string', { properties: { a: { type: 'string', 'x-mcp-header': 'A' } } }, true],
    [
      'a string in an object',
      { properties: { a: { properties: { b: { type: 'integer', 'x-mcp-header': 'B' } } } } },
      true,
    ],
    ['a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }, false],
    ['an item of a list', { properties: { a: { items: { type: 'string', 'x-mcp-header': 'A' } } } }, false],
    ['one of several', { anyOf: [{ properties: { a: { type: 'string', 'x-mcp-header': 'A' } } }] }, false],
    ['a definition', { $defs: { a: { type: 'string', 'x-mcp-header': 'A' } } }, false],
    ['no token', { properties: { a: { type: 'string', 'x-mcp-header': 'A B' } } }, false],
    ['an empty name', { properties: { a: { type: 'string', 'x-mcp-header': '' } } }, false],
    [
      'two of one name',
      {
        properties: {
          a: { type: 'string', 'x-mcp-header': 'A' },
          b: { type: 'string', 'x-mcp-header': 'a' },
        },
      },
      false,
    ],
    ['data that looks like one', { properties: { a: { const: { 'x-mcp-header': 1 } } } }, true],
  ];
  for (const [what, schema, isKept] of wishes) {
    test(`${isKept ? 'keeps' : 'leaves out'} a tool that asks for headers: ${what}`, async () => {
      const tool = { name: 'tool', inputSchema: { type: 'object', ...schema } };
      const rules: ListRules = { schemas: sdk, era: 'modern', isHttp: true };
      const { entries } = await pageOf(rules, 'tools/list', { tools: [tool] });
      assert.deepEqual(
        entries.map(({ item }) => item),
        isKept ? [tool] : [],
      );
    });
  }
});
