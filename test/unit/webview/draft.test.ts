import assert from 'node:assert/strict';
import { Draft } from '../../../src/webview/draft.ts';

suite('What is written into a page', () => {
  const timers = new Map<number, () => void>();
  const now = performance.now.bind(performance);
  let time = 0;
  let sent: string[];
  let written: string;
  let draft: Draft<string>;

  setup(() => {
    sent = [];
    timers.clear();
    time = 1_000;
    performance.now = () => time;
    Object.assign(globalThis, {
      window: {
        setTimeout: (work: () => void) => {
          timers.set(timers.size + 1, work);
          return timers.size;
        },
        clearTimeout: (id: number | undefined) => timers.delete(id ?? 0),
      },
    });
    draft = new Draft(
      () => written,
      (message) => sent.push(message),
    );
  });

  teardown(() => {
    performance.now = now;
    Reflect.deleteProperty(globalThis, 'window');
  });

  const type = (text: string): void => {
    for (let length = 1; length <= text.length; length += 1) {
      written = text.slice(0, length);
      draft.changed(false);
    }
  };

  test('is sent with the first key and after the last, however many there are', () => {
    type('a'.repeat(100));
    assert.deepEqual(sent, ['a']);
    assert.equal(timers.size, 1);
    timers.forEach((work) => work());
    assert.deepEqual(sent, ['a', 'a'.repeat(100)]);
  });

  test('is sent at once when the editing ends, and only once', () => {
    type('ab');
    draft.send();
    draft.send();
    assert.deepEqual(sent, ['a', 'ab']);
    assert.equal(timers.size, 0);
  });
});
