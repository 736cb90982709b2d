import assert from 'node:assert/strict';
import { inNotification, inQuickInput, oneLine } from '../../../src/editor/messages/plainText.ts';

suite('plainText', () => {
  test('writes out what cannot be seen, on one line', () => {
    assert.equal(oneLine(' a\n  b\u200Bc '), 'a b\\u{200B}c');
    assert.equal(oneLine('abcdef', 4), 'abc…');
  });

  test('leaves no link that the editor would follow', () => {
    const link = /\[([^\]]+)\]\((?:https?:\/\/|command:|file:)/i;
    const text = '[Log in](command:workbench.action.quit) [x]]](https://example.com)';
    assert.doesNotMatch(inNotification(text), link);
    assert.doesNotMatch(inQuickInput(text), link);
  });

  test('leaves no icon in a quick input', () => {
    assert.equal(inQuickInput('$(check) safe'), '$ (check) safe');
  });
});
