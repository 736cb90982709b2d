import assert from 'node:assert/strict';
import {
  appendWords,
  inNotification,
  inQuickInput,
  oneLine,
} from '../../../src/editor/messages/plainText.ts';

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

suite('Words that are added to Markdown', () => {
  test('are text, and have spaces at which a line can break', () => {
    const parts: string[] = [];
    const markdown = {
      appendText: (text: string) => parts.push(`text ${JSON.stringify(text)}`),
      appendMarkdown: (text: string) => text !== '' && parts.push(`markdown ${JSON.stringify(text)}`),
    };
    appendWords(markdown as unknown as Parameters<typeof appendWords>[0], '[a](b) c');
    assert.deepEqual(parts, ['text "[a](b)"', 'markdown " "', 'text "c"']);
  });
});
