import assert from 'node:assert/strict';
import {
  countsText,
  inRow,
  resourceTooltip,
} from '../../../../../src/editor/views/resources/resourceText.ts';

suite('The texts of the tree of resources', () => {
  test('count what there is', () => {
    assert.equal(countsText(1, 2), '1 resource · 2 templates');
    assert.equal(countsText(10, 0), '10 resources');
  });

  test('show everything that is known about a resource', () => {
    const text = resourceTooltip(
      {
        uri: 'demo://x/guide.md',
        name: 'guide.md',
        title: 'The guide',
        description: 'Read it.\nSoon.',
        mimeType: 'text/markdown',
        size: 2_048,
        annotations: {
          audience: ['user', 'assistant'],
          priority: 0.75,
          lastModified: '2026-03-14T12:00:00Z',
        },
      },
      'The guide',
    );
    assert.match(
      text,
      /^The guide\nName: guide\.md\nURI: demo:\/\/x\/guide\.md\nType: text\/markdown\nSize: 2\.0 KB\n/,
    );
    assert.match(text, /\nFor: you and models\nPriority: 75 %\nChanged: .*2026.*\n\nRead it\.\nSoon\.$/);
  });

  test('leave out what is missing or invalid', () => {
    const text = resourceTooltip(
      { uri: 'a:1', name: 'n', annotations: { audience: [], lastModified: 'yesterday' } },
      'n',
    );
    assert.equal(text, 'n\nURI: a:1');
  });

  test('show invisible characters, and let no field pass for another', () => {
    const text = resourceTooltip(
      { uri: 'a:1\nType: safe', name: 'n\u202Em', description: '\u200B' },
      'n\u202Em',
    );
    assert.equal(text, 'n\\u{202E}m\nURI: a:1 Type: safe\n\n\\u{200B}');
    assert.equal(inRow('a\nb\u202E'), 'a b\\u{202E}');
    assert.ok(inRow('x'.repeat(1_000_000)).length <= 200);
  });
});
