import assert from 'node:assert/strict';
import { ChangedText } from '../../../../src/webview/sampling/changedText.ts';

/** What a text area makes of a text: it has line ends of its own. */
const given = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

suite('A text in a text area', () => {
  test('is not changed by the line ends of the text area', () => {
    const text = new ChangedText('one\r\ntwo\rthree');
    text.put(given(text.text));
    text.take(given('one\r\ntwo\rthree'));
    assert.equal(text.isChanged, false);
    assert.equal(text.text, 'one\r\ntwo\rthree');
  });

  test('is what was typed, and again what it was when that is typed back', () => {
    const text = new ChangedText('one\r\ntwo');
    text.put(given(text.text));
    text.take('one\ntwo!');
    assert.equal(text.isChanged, true);
    assert.equal(text.text, 'one\ntwo!');
    text.take('one\ntwo');
    assert.equal(text.isChanged, false);
    assert.equal(text.text, 'one\r\ntwo');
  });

  test('stays as it was changed when it is edited a second time', () => {
    const text = new ChangedText('one');
    text.set('two\r\n');
    text.put(given(text.text));
    text.take('two\n');
    assert.equal(text.text, 'two\r\n');
    text.take('three');
    assert.equal(text.text, 'three');
    text.undo();
    assert.deepEqual([text.text, text.isChanged], ['one', false]);
  });
});
