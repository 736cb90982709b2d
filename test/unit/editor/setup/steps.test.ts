import assert from 'node:assert/strict';
import { ProgressLine } from '../../../editor/setup/progressLine.mjs';
import { progressText, takeSteps, type Step } from '../../../editor/setup/steps.mjs';

/** A step that is done when the test says so. */
class TestStep implements Step {
  readonly what: string;
  readonly weight = 10;
  readonly #ended = Promise.withResolvers<void>();
  hasBegun = false;

  constructor(what: string) {
    this.what = what;
  }

  isDone(): boolean {
    return false;
  }

  run(): Promise<void> {
    this.hasBegun = true;
    return this.#ended.promise;
  }

  end(): void {
    this.#ended.resolve();
  }

  fail(message: string): void {
    this.#ended.reject(new Error(message));
  }
}

suite('the steps of the set-up', () => {
  let written: string;
  let line: ProgressLine;

  setup(() => {
    written = '';
    line = new ProgressLine('set-up: ', { write: (text: string) => (written += text) });
  });

  test('say nothing when there is nothing to do', async () => {
    const step = { ...stepOf('the dependencies'), isDone: () => true };
    await takeSteps([[step]], line);
    assert.equal(written, '');
  });

  test('are taken side by side, those of one row after each other', async () => {
    const [first, second, other] = ['a', 'b', 'c'].map((what) => new TestStep(what)) as [
      TestStep,
      TestStep,
      TestStep,
    ];
    const taken = takeSteps([[first, second], [other]], line);
    assert.deepEqual(
      [first, second, other].map(({ hasBegun }) => hasBegun),
      [true, false, true],
    );
    assert.match(written, /^set-up: brings a, b and c\.\nset-up: 0 % after 0 s: a and c\n$/);
    first.end();
    other.end();
    await new Promise(setImmediate);
    assert.equal(second.hasBegun, true);
    second.end();
    await taken;
    assert.match(written, /set-up: done in \d+ s\.\n$/);
  });

  test('fail with the first failure, when the others have ended', async () => {
    const [failing, other] = [new TestStep('a'), new TestStep('b')];
    let hasFailed = false;
    const taken = takeSteps([[failing], [other]], line).catch((error: unknown) => {
      hasFailed = true;
      return error;
    });
    failing.fail('no network');
    await new Promise(setImmediate);
    assert.equal(hasFailed, false);
    other.end();
    assert.match(String(await taken), /no network/);
    assert.doesNotMatch(written, /done in/);
  });

  test('show how much is done, and how long it took', () => {
    const steps = [stepOf('a'), { ...stepOf('b'), weight: 30 }];
    const [a, b] = steps as [Step, Step];
    const half = { ...b, share: () => 0.5 };
    const text = (seconds: number, running: readonly Step[], done: readonly Step[], all = steps) =>
      progressText({ steps: all, running: new Set(running), done: new Set(done), seconds });
    assert.equal(text(0, [a, b], []), '0 % after 0 s: a and b');
    assert.equal(text(60.4, [b], [a]), '25 % after 60 s: b');
    assert.equal(text(300, [half], [a], [a, half]), '62 % after 300 s: b');
  });
});

suite('the line of progress', () => {
  test('is written over in a terminal, and never wraps', () => {
    let written = '';
    const terminal = { isTTY: true, columns: 20, write: (text: string) => (written += text) };
    const line = new ProgressLine('set-up: ', terminal);
    line.show('0 %, a long line that would wrap');
    assert.equal(written, 'set-up: 0 %, a long');
    written = '';
    line.show('9 %');
    line.say('done.');
    assert.equal(written, '\r\u001B[Kset-up: 9 %\r\u001B[Kset-up: done.\n');
  });

  test('is a new line now and then elsewhere', () => {
    let written = '';
    const line = new ProgressLine('', { write: (text: string) => (written += text) });
    line.show('1 %', 0);
    line.show('2 %', 9000);
    line.show('3 %', 10_000);
    assert.equal(written, '1 %\n3 %\n');
  });
});

function stepOf(what: string): Step {
  return { what, weight: 10, isDone: () => false, run: () => Promise.resolve() };
}
