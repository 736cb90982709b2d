import assert from 'node:assert/strict';
import type { LaunchQuestion } from '../../../../src/host/approval/questionQueue.ts';
import { plain, questionText, questionView } from '../../../../src/host/approval/questionView.ts';
import { quotedParts, quotedText, visibleParts, visibleText } from '../../../../src/base/visibleText.ts';
import { stdioServer } from '../../support/definitions.ts';
import * as fc from 'fast-check';

suite('A question as it is shown', () => {
  const question: LaunchQuestion = {
    kind: 'launch',
    definition: stdioServer(['a\u200Bb', 'c d'], { command: 'npx', env: { TOKEN: 'secret' } }),
    label: 'git\u202E',
    workingDirectory: '/projects',
    warnings: ['It runs a shell.'],
    changes: ['The command was uvx.'],
    folders: [
      { uri: 'file:///projects/api', name: 'api', isProposed: true },
      { uri: 'file:///projects/web', name: 'web', isProposed: false },
    ],
  };
  const view = questionView(question, { id: 'id', place: 'your user settings', isRenewed: false });

  test('marks what is written out', () => {
    assert.deepEqual(view.title, [
      { text: "Start the MCP server 'git", isWrittenOut: false },
      { text: String.raw`\u{202E}`, isWrittenOut: true },
      { text: "'?", isWrittenOut: false },
    ]);
  });

  test('is the same as text, and holds no value of a variable', () => {
    assert.equal(
      questionText(view),
      [
        'Defined in: your user settings',
        '',
        'Warnings:',
        '- It runs a shell.',
        '',
        'Changed since you last allowed it:',
        '- The command was uvx.',
        '',
        'Command: npx',
        'Arguments:',
        String.raw`  1. a\u{200B}b`,
        '  2. "c d"',
        'Working directory: /projects',
        'Environment variables: TOKEN',
        '',
        'Shared with this server when you allow it:',
        '- /projects/api',
      ].join('\n'),
    );
  });

  test('says what is shared, and by what, where nothing is left to choose', () => {
    const said = (sharing: NonNullable<LaunchQuestion['sharing']>): string => {
      const { folders: _, ...rest } = question;
      const shown = questionView({ ...rest, folders: [], sharing }, { id: '', place: '', isRenewed: false });
      assert.ok(questionText(shown).endsWith(plain(shown.sharing ?? [])));
      return plain(shown.sharing ?? []);
    };
    const roots = [{ uri: 'file:///projects/a%E2%80%AEb', name: 'a' }];
    assert.equal(
      said({ basis: 'definition', roots }),
      String.raw`Shared with this server by its "roots" in your settings: /projects/a\u{202E}b.`,
    );
    assert.equal(
      said({ basis: 'setting', roots: [] }),
      'No folder is shared with this server: your setting mcpHost.roots.default says so.',
    );
  });

  test('counts padding, which would push what follows out of sight', () => {
    assert.deepEqual(visibleParts(`a${' '.repeat(4)}b   c`), [
      { text: 'a', isWrittenOut: false },
      { text: '[4 spaces]', isWrittenOut: true },
      { text: 'b   c', isWrittenOut: false },
    ]);
  });

  test('says in parts what it says as text', () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('    '));
    fc.assert(
      fc.property(text, (one) => {
        assert.equal(plain(visibleParts(one)), visibleText(one));
        assert.equal(plain(quotedParts(one)), quotedText(one));
      }),
    );
  });
});
