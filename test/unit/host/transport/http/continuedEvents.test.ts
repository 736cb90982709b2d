import assert from 'node:assert/strict';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import {
  continuedEvents,
  MAX_FAILURES,
  type Continuation,
  type Opening,
} from '../../../../../src/host/transport/http/continuedEvents.ts';
import { ServerStream } from '../../../../../src/host/transport/http/serverStream.ts';
import { untilSeen } from '../../../support/until.ts';
import { RecordingLogger } from '../../../support/recordingLogger.ts';

const notNow: Opening = { kind: 'notNow' };

function stream(...events: readonly string[]): Response {
  const text = events.map((event) => `${event}\n\n`).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

/** Follows a stream to its end; gives how long each wait was, and why it ended. */
async function followed(
  first: Response,
  open: Continuation['open'],
  most = Infinity,
): Promise<{ readonly waits: readonly number[]; readonly end: unknown }> {
  const waits: number[] = [];
  const end = new AbortController();
  const continuation: Continuation = {
    open,
    afterMany: (failures) => Promise.reject(new HostError('lost', `after ${failures}`)),
    wait: (ms) => {
      waits.push(ms);
      if (waits.length >= most) {
        end.abort();
      }
      return Promise.resolve();
    },
  };
  try {
    for await (const _ of continuedEvents(first, continuation, end.signal)) {
      // Only the waits count.
    }
    return { waits, end: undefined };
  } catch (error) {
    return { waits, end: error };
  }
}

suite('The waits before a broken stream is opened again', () => {
  for (const retry of ['retry: 0\nid: 1', 'retry: 1\nid: 1']) {
    test(`grow with failures when a server proposes ${retry.slice(0, 8)}, and end with a reason`, async () => {
      const { waits, end } = await followed(stream(retry), () => Promise.resolve(notNow));
      assert.equal(waits.length, MAX_FAILURES + 1);
      assert.deepEqual(waits.slice(0, 4), [50, 75, 112.5, 168.75]);
      assert.ok(waits.every((ms, index) => ms >= (waits[index - 1] ?? 0)));
      assert.equal(waits.at(-1), 50 * 1.5 ** MAX_FAILURES);
      assert.match(String(end), /after 15$/);
    });
  }

  test('grow and end as well when a server proposes nothing', async () => {
    const { waits, end } = await followed(stream('id: 1'), () => Promise.resolve(notNow));
    assert.deepEqual([waits[0], waits[1], waits.at(-1)], [1_000, 1_500, 30_000]);
    assert.match(String(end), /after 15$/);
  });

  test('are never shorter than what a server proposes', async () => {
    const { waits } = await followed(stream('retry: 8000\nid: 1'), () => Promise.resolve(notNow));
    assert.equal(waits[0], 8_000);
    assert.ok(waits.every((ms) => ms >= 8_000));
  });

  test('grow to five seconds for streams that open and bring nothing, which is how a server is polled', async () => {
    const empty = (): Promise<Opening> =>
      Promise.resolve({ kind: 'open', response: stream('id: 1\nretry: 0\ndata:') });
    const { waits, end } = await followed(stream('retry: 0\nid: 1'), empty, 100);
    assert.equal(end, undefined);
    assert.equal(waits.at(-1), 5_000);
  });

  test('begin again with a message', async () => {
    let opened = 0;
    const { waits } = await followed(
      stream('retry: 0\nid: 1'),
      () => {
        opened += 1;
        return Promise.resolve(
          opened % 4 === 0 ? { kind: 'open', response: stream('id: 2\ndata: {}') } : notNow,
        );
      },
      9,
    );
    assert.deepEqual(waits, [50, 75, 112.5, 168.75, 50, 75, 112.5, 168.75, 50]);
  });
});

suite('The stream of a server that cannot be opened', () => {
  test('is tried again when the server answers a request, and the log says so once', async () => {
    const logger = new RecordingLogger();
    const end = new AbortController();
    let tries = 0;
    let asked = 0;
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { signal } = end;
    const serverStream = new ServerStream(logger, {
      ask: () => Promise.resolve(stream()),
      open: () => {
        tries += 1;
        return Promise.resolve(notNow);
      },
      answered: () => answers[asked++]?.promise ?? Promise.resolve(end.abort()),
      receive: () => Promise.resolve(),
      refused: () => assert.fail('it is not refused'),
      forgotten: () => assert.fail('it is not forgotten'),
      wait: () => Promise.resolve(),
    });
    await serverStream.begin(signal);
    await untilSeen(() => asked === 1, 'it waits for an answer');
    assert.equal(tries, MAX_FAILURES);
    answers[0]?.resolve();
    await untilSeen(() => asked === 2, 'it waits for an answer');
    assert.equal(tries, MAX_FAILURES + 1);
    answers[1]?.resolve();
    await untilSeen(() => signal.aborted, 'it waits no longer');
    assert.deepEqual(
      logger.lines.filter((line) => line.startsWith('warn')),
      [
        "warn: The server's event stream could not be opened in 15 tries. It will be opened again when the server answers a request.",
      ],
    );
  });
});
