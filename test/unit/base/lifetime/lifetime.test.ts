import assert from 'node:assert/strict';
import { DisposableStore, toDisposable } from '../../../../src/base/lifetime/disposable.ts';
import { Emitter } from '../../../../src/base/lifetime/event.ts';

suite('A store of disposables', () => {
  test('disposes what it holds once, last added first', () => {
    const ended: number[] = [];
    const store = new DisposableStore();
    for (const one of [1, 2, 3]) {
      store.add({ dispose: () => ended.push(one) });
    }
    store.dispose();
    store.dispose();
    assert.deepEqual(ended, [3, 2, 1]);
    assert.ok(store.isDisposed);
  });

  test('disposes at once what is added after its end, and returns it', () => {
    const store = new DisposableStore();
    store.dispose();
    let ended = 0;
    const one = toDisposable(() => {
      ended += 1;
    });
    assert.equal(store.add(one), one);
    assert.equal(ended, 1);
    one.dispose();
    assert.equal(ended, 1, 'it ends once');
  });
});

suite('An event', () => {
  test('reaches its listeners in their order, until they leave', () => {
    const emitter = new Emitter<string>();
    const heard: string[] = [];
    const first = emitter.event((value) => heard.push(`first ${value}`));
    emitter.event((value) => heard.push(`second ${value}`));
    emitter.fire('a');
    first.dispose();
    first.dispose();
    emitter.fire('b');
    assert.deepEqual(heard, ['first a', 'second a', 'second b']);
  });

  test('reaches a listener as often as it subscribed, and each subscription ends on its own', () => {
    const emitter = new Emitter<void>();
    let heard = 0;
    const listener = (): void => {
      heard += 1;
    };
    const first = emitter.event(listener);
    emitter.event(listener);
    emitter.fire();
    first.dispose();
    emitter.fire();
    assert.equal(heard, 3);
  });

  test('lets listeners come and go while it is fired: from the next event on', () => {
    const emitter = new Emitter<void>();
    const heard: string[] = [];
    const first = emitter.event(() => {
      heard.push('first');
      first.dispose();
      emitter.event(() => heard.push('late'));
    });
    emitter.event(() => heard.push('second'));
    emitter.fire();
    emitter.fire();
    assert.deepEqual(heard, ['first', 'second', 'second', 'late']);
  });

  test('reaches no listener once disposed', () => {
    const emitter = new Emitter<void>();
    emitter.event(() => assert.fail('heard'));
    emitter.dispose();
    emitter.fire();
  });
});
