import assert from 'node:assert/strict';
import { ShownLists } from '../../../../src/editor/quickInput/shownLists.ts';

interface Row {
  readonly name: string;
}

const rowsOf = (...names: readonly string[]): readonly Row[] => names.map((name) => ({ name }));

suite('The lists that a quick pick may be showing', () => {
  let lists: ShownLists<Row>;
  let latest: readonly Row[];

  setup(() => {
    lists = new ShownLists(({ name }) => name);
    latest = [];
  });

  /** Hands rows over, each time other objects, and gives what says that the window shows them. */
  const handOver = (text: string, ...names: readonly string[]): (() => void) => {
    latest = rowsOf(...names);
    return lists.handOver(latest, text);
  };
  /** Hands over the list that the window shows to begin with. */
  const show = (text: string, ...names: readonly string[]): void => handOver(text, ...names)();
  /** The row as the editor names it, when the one at a place of what the window shows is pressed. */
  const named = (place: number): Row | undefined => latest[place];
  const agreed = (place: number): string | undefined => lists.agreed(named(place))?.name;

  test('accepts a row of the only list at any place', () => {
    show('', 'a', 'b', 'c');
    assert.deepEqual(
      [0, 1, 2, 3].map((place) => agreed(place)),
      ['a', 'b', 'c', undefined],
    );
  });

  test('accepts no row whose place has another row in a list that may be shown', () => {
    show('', 'a', 'b', 'c');
    const confirm = handOver('', 'a', 'c');
    assert.deepEqual([agreed(0), agreed(1)], ['a', undefined]);
    confirm();
    assert.deepEqual([agreed(0), agreed(1)], ['a', 'c']);
  });

  test('accepts the row of the latest list when it has the same key', () => {
    show('', 'a', 'b');
    handOver('', 'a', 'b', 'c');
    assert.equal(lists.agreed(named(1)), latest[1]);
    assert.equal(agreed(2), 'c', 'only the latest list has that place');
  });

  test('accepts none when the editor has no row at the place that was pressed', () => {
    show('', 'a', 'b', 'c');
    handOver('', 'a');
    assert.equal(lists.agreed(undefined), undefined);
  });

  test('keeps every list that the window may be showing, until a later one is known to be shown', () => {
    show('', 'a', 'b');
    const confirms = [handOver('', 'b', 'b'), handOver('', 'a', 'b')];
    assert.deepEqual([agreed(0), agreed(1)], [undefined, 'b']);
    assert.equal(lists.isSettled, false);
    confirms[1]?.();
    confirms[0]?.(); // confirms nothing further
    assert.deepEqual([agreed(0), agreed(1)], ['a', 'b']);
    assert.equal(lists.isSettled, true);
  });

  test('knows the place of a row that was named before its list was renewed', () => {
    show('', 'a', 'b');
    const pressed = named(1);
    handOver('', 'c', 'b');
    assert.equal(lists.agreed(pressed)?.name, 'b');
    handOver('', 'b', 'c');
    assert.equal(lists.agreed(pressed), undefined);
  });

  suite('while you type', () => {
    const press = (place: number, text: string) => lists.press(named(place), text);

    test('treats Enter as early until the window shows the rows for the text', () => {
      show('', 'x', 'ask');
      lists.moved(named(1)); // the editor goes to the row that has what is typed
      lists.typed();
      assert.deepEqual(press(1, 'ask'), { kind: 'ahead', front: { name: 'ask' } });
      const confirm = handOver('ask', 'ask');
      assert.deepEqual(press(1, 'ask'), { kind: 'ahead', front: undefined });
      assert.deepEqual(press(0, 'ask'), { kind: 'ahead', front: { name: 'x' } });
      confirm();
      assert.deepEqual(press(0, 'ask'), { kind: 'row', row: { name: 'ask' } });
    });

    test('treats Enter as early also when a heading is above the first row', () => {
      lists = new ShownLists(
        ({ name }) => name,
        ({ name }) => name === 'heading',
      );
      show('', 'heading', 'a', 'b');
      lists.moved(named(1));
      assert.equal(lists.press(named(1), 'text').kind, 'ahead');
      lists.moved(named(2));
      assert.equal(lists.press(named(2), '').kind, 'row');
    });

    test('treats Enter as early when there is no list yet', () => {
      assert.deepEqual(lists.press(undefined, ''), { kind: 'ahead', front: undefined });
    });

    test('treats Enter as early when a list for a part of the text has come', () => {
      show('', 'x', 'y');
      lists.typed();
      const confirm = handOver('a', 'y', 'ask');
      handOver('ask', 'ask');
      lists.moved(named(0)); // by the list that has come
      confirm();
      assert.deepEqual(press(0, 'ask'), { kind: 'ahead', front: { name: 'y' } });
    });

    test('treats Enter as early after the list has come, until it is known to be shown', () => {
      show('', 'x', 'y');
      lists.typed();
      handOver('ask', 'ask', 'asking');
      lists.moved(named(0)); // by the list that has come
      assert.deepEqual(press(0, 'ask'), { kind: 'ahead', front: { name: 'x' } });
    });

    test('accepts a row at once whose place is the same in the rows for the text', () => {
      show('', 'x', 'ask');
      lists.typed();
      handOver('ask', 'x', 'ask');
      assert.deepEqual(press(1, 'ask'), { kind: 'row', row: { name: 'ask' } });
    });

    test('accepts no row that you moved to if the lists differ', () => {
      show('', 'x', 'ask', 'asking');
      lists.typed();
      handOver('ask', 'ask', 'asking');
      lists.moved(named(1));
      assert.deepEqual(press(1, 'ask'), { kind: 'unclear' });
      assert.deepEqual(press(2, 'ask'), { kind: 'unclear' });
    });

    test('accepts the row that you moved to while the rows for the text are looked up', () => {
      show('', 'x', 'ask');
      lists.typed();
      lists.moved(named(1));
      assert.deepEqual(press(1, 'ask'), { kind: 'row', row: { name: 'ask' } });
    });

    test('accepts no row for the same text if the rows have changed', () => {
      show('', 'x', 'y');
      handOver('', 'y', 'x');
      assert.deepEqual(press(0, ''), { kind: 'unclear' });
    });
  });

  test('catches up with the first row, unless the row that was highlighted is still there', () => {
    show('ask', 'ask', 'asking');
    const [ask, asking] = latest;
    const [other] = rowsOf('other');
    assert.equal(lists.caughtUp(undefined, ask), ask);
    assert.equal(lists.caughtUp(ask, ask), ask);
    assert.equal(lists.caughtUp(other, ask), ask, 'what is gone does not count');
    assert.equal(lists.caughtUp(asking, ask), undefined);
    assert.equal(lists.caughtUp(ask, undefined), undefined);
  });
});
