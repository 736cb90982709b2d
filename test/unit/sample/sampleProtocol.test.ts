import assert from 'node:assert/strict';
import { RawSample, type Message } from '../support/rawSample.ts';
import { perTest } from '../support/perTest.ts';

suite('The sample server, message by message', () => {
  let sample: RawSample;
  perTest(() => (sample = new RawSample()));

  for (const [offered, spoken] of [
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ] as const) {
    test(`answers an offer of ${offered} with ${spoken}`, async () => {
      const { result } = await sample.begin(offered);
      assert.equal(result?.['protocolVersion'], spoken);
    });
  }

  test('answers a ping before it is initialized, and nothing else that it offers', async () => {
    assert.deepEqual((await sample.ask('ping')).result, {});
    assert.equal((await sample.ask('tools/list')).error?.code, -32600);
    assert.equal((await sample.ask('resources/read', { uri: 'sample://notes' })).error?.code, -32600);
    assert.equal((await sample.ask('server/discover')).error?.code, -32601);
  });

  const errors: [string, string, object | undefined, number][] = [
    ['a method that there is not', 'tools/guess', undefined, -32601],
    ['a tool that there is not', 'tools/call', { name: 'guess' }, -32602],
    ['a prompt that there is not', 'prompts/get', { name: 'guess' }, -32602],
    ['a prompt without its argument', 'prompts/get', { name: 'explain' }, -32602],
    ['a resource that there is not', 'resources/read', { uri: 'sample://guess' }, -32002],
    ['a note that there is not', 'resources/read', { uri: 'sample://notes/1' }, -32002],
    ['a file', 'resources/read', { uri: 'file:///etc/passwd' }, -32002],
    ['a read without a URI', 'resources/read', {}, -32602],
    ['a subscription to what there is not', 'resources/subscribe', { uri: 'sample://guess' }, -32002],
    ['a page that it never gave', 'tools/list', { cursor: 'x' }, -32602],
    [
      'a completion of what there is not',
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'guess' }, argument: { name: 'topic', value: '' } },
      -32602,
    ],
  ];
  for (const [what, method, params, code] of errors) {
    test(`refuses ${what} with ${code}`, async () => {
      await sample.begin();
      const { id, error } = await sample.ask(method, params);
      assert.equal(id, 'asked');
      assert.equal(error?.code, code);
    });
  }

  for (const [what, line, code] of [
    ['a line that is not JSON', 'no', -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
  ] as const) {
    test(`refuses ${what} with ${code}, and goes on`, async () => {
      await sample.begin();
      sample.sendText(`${line}\n`);
      assert.equal((await sample.next()).error?.code, code);
      assert.deepEqual((await sample.ask('ping')).result, {});
    });
  }

  test('ignores empty lines, notifications and answers that it does not know', async () => {
    await sample.begin();
    sample.sendText('\n\r\n');
    sample.send({ method: 'notifications/guess' }, { id: 99, result: {} });
    sample.send({ method: 'notifications/cancelled', params: { requestId: 98 } });
    assert.deepEqual((await sample.ask('ping')).result, {});
  });

  test('takes a message in pieces, and one with a line separator in a text', async () => {
    await sample.begin();
    const message = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'add-note', arguments: { text: 'one\u2028two' } },
    });
    sample.sendText(message.slice(0, 40));
    sample.sendText(`${message.slice(40)}\n`);
    assert.equal((await sample.next()).result?.['isError'], undefined);
    const { result } = await sample.ask('resources/read', { uri: 'sample://notes/1' });
    assert.equal(textOfResource(result), 'one two\n');
  });

  for (const [what, args] of [
    ['no text', {}],
    ['an empty text', { text: ' ' }],
    ['a text that is too long', { text: 'x'.repeat(501) }],
  ] as const) {
    test(`reports to a model what is wrong with ${what}`, async () => {
      await sample.begin();
      const { result } = await sample.ask('tools/call', { name: 'add-note', arguments: args });
      assert.equal(result?.['isError'], true);
    });
  }

  test('keeps at most a hundred notes', async () => {
    await sample.begin();
    const add = () => sample.ask('tools/call', { name: 'add-note', arguments: { text: 'a note' } });
    for (let number = 1; number <= 100; number += 1) {
      assert.equal((await add()).result?.['isError'], undefined);
    }
    assert.equal((await add()).result?.['isError'], true);
  });

  test('asks for no folder and no model of a client that has none', async () => {
    await sample.begin('2025-11-25', {});
    const folders = await sample.ask('tools/call', { name: 'list-folders' });
    assert.match(textOfTool(folders), /does not share folders/);
    const haiku = await sample.ask('tools/call', { name: 'write-haiku' });
    assert.equal(haiku.result?.['isError'], true);
  });

  test('cancels its own request with the one that it was for, and answers neither', async () => {
    await sample.begin('2025-11-25', { roots: {} });
    sample.send({ id: 7, method: 'tools/call', params: { name: 'list-folders' } });
    const asked = await sample.next();
    assert.equal(asked.method, 'roots/list');
    sample.send({ method: 'notifications/cancelled', params: { requestId: 7 } });
    const cancelled = await sample.next();
    assert.equal(cancelled.method, 'notifications/cancelled');
    assert.equal(cancelled.params?.['requestId'], asked.id);
    // Nothing stands between that and the answer to the next request.
    assert.equal((await sample.ask('ping')).id, 'asked');
  });

  test('gives the answer of a model, or the reason of a refusal', async () => {
    await sample.begin('2025-11-25', { sampling: {} });
    const haiku = async (answer: object): Promise<Message> => {
      sample.send({ id: 8, method: 'tools/call', params: { name: 'write-haiku' } });
      const { id, method } = await sample.next();
      assert.equal(method, 'sampling/createMessage');
      sample.send({ id, ...answer });
      return sample.next();
    };
    const content = { type: 'text', text: 'Five, seven, five.' };
    const answered = await haiku({ result: { role: 'assistant', content, model: 'm' } });
    assert.equal(textOfTool(answered), 'Five, seven, five.');
    const declined = await haiku({ error: { code: -1, message: 'User rejected sampling request' } });
    assert.equal(declined.result?.['isError'], true);
    assert.match(textOfTool(declined), /User rejected/);
  });

  test('ends with its input, also while the clock ticks', async () => {
    await sample.begin();
    await sample.ask('resources/subscribe', { uri: 'sample://clock' });
    sample.process.stdin.end();
    assert.deepEqual(await sample.exited, [0, null]);
  });
});

function textOfTool({ result }: Message): string {
  return textIn(result?.['content']);
}

function textOfResource(result: Message['result']): string {
  return textIn(result?.['contents']);
}

function textIn(blocks: unknown): string {
  const [block] = (blocks ?? []) as readonly { readonly text: string }[];
  return block?.text ?? '';
}
