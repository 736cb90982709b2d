import assert from 'node:assert/strict';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import {
  ArgumentCompleter,
  type CompletingServer,
  type CompletionPace,
} from '../../../../src/host/completion/argumentCompleter.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { ConnectionBed } from '../../support/connectionBed.ts';
import { legacyServer, packageScript, stdioServer } from '../../support/definitions.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';
import { perTest } from '../../support/perTest.ts';

type Asked = Parameters<ServerConnection['complete']>[0];

const quick: CompletionPace = {
  quietMs: 20,
  maxInWindow: 30,
  windowMs: 10_000,
  patienceMs: 10_000,
  freshMs: 60_000,
};
const template = { type: 'ref/resource', uri: 'test:///{name}' } as const;
const always = new AbortController().signal;

/** A server that writes down what it is asked, and answers with what was typed twice. */
class Scribe implements CompletingServer {
  readonly asked: Asked[] = [];
  readonly logger = new RecordingLogger();
  readonly state: CompletingServer['state'];
  canComplete = true;
  answer: (asked: Asked, signal: AbortSignal | undefined) => Promise<unknown> = ({ argument }) =>
    Promise.resolve({ completion: { values: [argument.value.repeat(2)] } });

  constructor(revision = '2025-11-25') {
    this.state = { kind: 'running', run: 1, era: 'legacy', revision };
  }

  complete(asked: Asked, signal?: AbortSignal): Promise<unknown> {
    this.asked.push(asked);
    return this.answer(asked, signal);
  }
}

function suggesting(server: CompletingServer, answers: Record<string, string> = {}, pace = quick) {
  const suggest = new ArgumentCompleter(server, template, pace).suggestFor('name', answers);
  assert.ok(suggest);
  return suggest;
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal?.addEventListener('abort', () => reject(new CancellationError())),
  );
}

suite('An argument completer', () => {
  test('asks no server without the capability', () => {
    const server = new Scribe();
    server.canComplete = false;
    assert.equal(new ArgumentCompleter(server, template).suggestFor('name', {}), undefined);
  });

  test('asks only for what is typed last', async () => {
    const server = new Scribe();
    const suggest = suggesting(server);
    await suggest('', always);
    const typing = ['a', 'al', 'ali'].map((typed) => {
      const abort = new AbortController();
      return { abort, answer: suggest(typed, abort.signal) };
    });
    const ends = typing.map(({ answer }) => answer.catch((error: unknown) => error));
    typing.slice(0, 2).forEach(({ abort }) => abort.abort());
    const [first, second, last] = await Promise.all(ends);
    assert.ok(first instanceof CancellationError && second instanceof CancellationError);
    assert.deepEqual(last, { values: ['aliali'], hasMore: false });
    assert.deepEqual(
      server.asked.map(({ argument }) => argument.value),
      ['', 'ali'],
    );
  });

  test('cancels the question under way when typing goes on', async () => {
    const server = new Scribe();
    const abort = new AbortController();
    const cancelled = Promise.withResolvers<void>();
    server.answer = (_asked, signal) => {
      const answer = untilAborted(signal);
      answer.catch(() => cancelled.resolve());
      abort.abort();
      return answer;
    };
    await assert.rejects(suggesting(server)('a', abort.signal), CancellationError);
    await cancelled.promise;
    assert.deepEqual(server.logger.lines, []);
  });

  test('asks an equal question once', async () => {
    const server = new Scribe();
    const suggest = suggesting(server);
    await suggest('a', always);
    await suggest('b', always);
    assert.deepEqual(await suggest('a', always), { values: ['aa'], hasMore: false });
    assert.equal(server.asked.length, 2);
  });

  for (const [revision, context] of [
    ['2025-06-18', { arguments: { department: 'Sales' } }],
    ['2025-03-26', undefined],
  ] as const) {
    test(`${context ? 'sends' : 'does not send'} earlier values to a server of ${revision}`, async () => {
      const server = new Scribe(revision);
      await suggesting(server, { department: 'Sales' })('D', always);
      assert.deepEqual(server.asked, [
        { ref: template, argument: { name: 'name', value: 'D' }, ...(context && { context }) },
      ]);
    });
  }

  test('keeps the rate limit however many requests come', async () => {
    const server = new Scribe();
    const pace = { quietMs: 0, maxInWindow: 5, windowMs: 200, patienceMs: 1_000, freshMs: 60_000 };
    const suggest = suggesting(server, {}, pace);
    const started = performance.now();
    await Promise.all(Array.from({ length: 12 }, (_, index) => suggest(String(index), always)));
    assert.ok(performance.now() - started >= 2 * pace.windowMs);
    assert.equal(server.asked.length, 12);
  });

  test('asks again when an answer is no longer fresh', async () => {
    for (const [freshMs, times] of [
      [60_000, 1],
      [0, 2],
    ] as const) {
      const server = new Scribe();
      const suggest = suggesting(server, {}, { ...quick, freshMs });
      await suggest('a', always);
      await suggest('a', always);
      assert.equal(server.asked.length, times, `fresh for ${freshMs} ms`);
    }
  });

  test('has no suggestions after a failure or without an answer, and asks again', async () => {
    const server = new Scribe();
    const suggest = suggesting(server, {}, { ...quick, patienceMs: 50 });
    server.answer = () => Promise.reject(new Error('no such argument'));
    assert.deepEqual(await suggest('a', always), { values: [], hasMore: false });
    server.answer = (_asked, signal) => untilAborted(signal);
    assert.deepEqual(await suggest('a', always), { values: [], hasMore: false });
    assert.equal(server.asked.length, 2);
    assert.deepEqual(server.logger.lines, [
      'debug: There are no suggestions for "name": no such argument',
      'debug: There are no suggestions for "name": the server took too long',
    ]);
  });

  test('does not send what is too long to be the beginning of a value', async () => {
    const server = new Scribe();
    assert.deepEqual(await suggesting(server)('x'.repeat(1_001), always), { values: [], hasMore: false });
    assert.deepEqual(server.asked, []);
  });
});

suite('An argument completer and server-everything', () => {
  let bed: ConnectionBed;
  let connection: ServerConnection;

  suiteSetup(async () => {
    bed = new ConnectionBed();
    connection = bed.connection(
      stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio']),
    );
    await connection.start();
  });

  suiteTeardown(() => bed.close());

  test("complete a prompt's argument by the answer to the one before", async () => {
    const completer = new ArgumentCompleter(connection, { type: 'ref/prompt', name: 'completable-prompt' });
    const department = completer.suggestFor('department', {});
    assert.deepEqual((await department?.('', always))?.values, [
      'Engineering',
      'Sales',
      'Marketing',
      'Support',
    ]);
    assert.deepEqual((await department?.('S', always))?.values, ['Sales', 'Support']);
    const name = completer.suggestFor('name', { department: 'Sales' });
    assert.deepEqual((await name?.('', always))?.values, ['David', 'Eve', 'Frank']);
  });

  test("complete a template's variable", async () => {
    const [first] = connection.catalogue?.resourceTemplates ?? [];
    assert.ok(first);
    const completer = new ArgumentCompleter(connection, { type: 'ref/resource', uri: first.uriTemplate });
    const suggest = completer.suggestFor('resourceId', {});
    assert.deepEqual(await suggest?.('7', always), { values: ['7'], total: 1, hasMore: false });
    assert.deepEqual(await suggest?.('x', always), { values: [], total: 0, hasMore: false });
  });

  test('learn that the server has no prompt of that name', async () => {
    const completer = new ArgumentCompleter(connection, { type: 'ref/prompt', name: 'no such prompt' });
    assert.deepEqual(await completer.suggestFor('name', {})?.('', always), { values: [], hasMore: false });
  });
});

suite('An argument completer and a server of revision 2025-11-25', () => {
  let bed: ConnectionBed;

  perTest(() => (bed = new ConnectionBed()));

  test('take the first hundred of an answer that has too many values', async () => {
    const connection = bed.connection(legacyServer());
    await connection.start();
    const suggest = new ArgumentCompleter(connection, template).suggestFor('name', {});
    const suggestions = await suggest?.('n', always);
    assert.equal(suggestions?.values.length, 100);
    assert.equal(suggestions.values[99], 'n99');
    assert.equal(suggestions.hasMore, true);
  });
});
