import assert from 'node:assert/strict';
import { toDisposable } from '../../../../src/base/lifetime/disposable.ts';
import { Parts } from '../../../../src/base/lifetime/parts.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';

suite('The parts of the extension', () => {
  let logger: RecordingLogger;
  let parts: Parts;
  let ended: string[];

  setup(() => {
    logger = new RecordingLogger();
    parts = new Parts(logger);
    ended = [];
  });

  const endOf = (name: string) => toDisposable(() => void ended.push(name));
  const failing = (message: string) => (): never => {
    throw new Error(message);
  };

  test('go on when one of them fails, which is logged', () => {
    let changes = 0;
    parts.onDidChange(() => (changes += 1));
    assert.equal(parts.register('Agent mode', failing('a provider must be\n  declared')), undefined);
    const view = endOf('view');
    assert.equal(
      parts.register('The view', () => view),
      view,
    );
    assert.deepEqual(parts.missing, [{ name: 'Agent mode', reason: 'a provider must be declared' }]);
    assert.equal(changes, 1);
    const [stack = '', sentence] = logger.lines;
    assert.match(stack, /^error: Error: a provider must be\n {2}declared\n.*parts\.test\.ts/s);
    assert.equal(sentence, "error: Agent mode isn't available: a provider must be declared");
  });

  test('are disposed with the whole, each once', () => {
    parts.register('one', (store) => {
      store.add(endOf('inside'));
      return endOf('one');
    });
    parts.register('two', () => endOf('two'));
    parts.dispose();
    parts.dispose();
    assert.deepEqual(ended, ['two', 'one', 'inside']);
  });

  test('leave nothing behind when one fails', () => {
    parts.register('half', (store) => {
      store.add(endOf('half'));
      return failing('not the rest')();
    });
    assert.deepEqual(ended, ['half']);
    parts.dispose();
    assert.deepEqual(ended, ['half']);
  });

  test('may throw anything', () => {
    parts.register('odd', () => {
      // oxlint-disable-next-line typescript/only-throw-error -- what an editor throws is its affair
      throw 'a text';
    });
    assert.deepEqual(parts.missing, [{ name: 'odd', reason: 'a text' }]);
  });
});
