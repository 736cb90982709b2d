import assert from 'node:assert/strict';
import { plain } from '../../../../src/host/questions/panelText.ts';
import { quotedParts, quotedText, visibleParts, visibleText } from '../../../../src/base/text/visibleText.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';
import * as fc from 'fast-check';
import {
  type LaunchQuestion,
  type LaunchView,
  launchQuestions,
} from '../../../../src/host/launch/question/launchQuestion.ts';
import { type RootsQuestion, rootsQuestions } from '../../../../src/host/roots/rootsQuestion.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';
import { shownOf } from '../../support/questions.ts';

suite('A question as it is shown', () => {
  const question: LaunchQuestion = {
    kind: launchQuestions,
    definition: stdioServer(['a\u200Bb', 'c d'], { command: 'npx', env: { TOKEN: 'secret' } }),
    label: 'git\u202E',
    workingDirectory: '/projects',
    warnings: ['It runs a shell.'],
    notes: ['npx downloads "x".'],
    changes: ['The command was uvx.'],
    variables: [
      { written: '${workspaceFolder}', becomes: '/projects\u202E' },
      { written: '${env:TOOLS}', becomes: '"/opt/my tools"' },
    ],
    tells: ['/projects/api (in argument 2)', '/projects\u202E (as its working directory)'],
    folders: [
      { uri: uriOnDisk('/projects/api'), name: 'api', isProposed: true },
      { uri: uriOnDisk('/projects/web'), name: 'web', isProposed: false },
    ],
  };
  const { view, text: viewText } = shownOf(question);

  test('marks what is written out', () => {
    assert.deepEqual(view.title, [
      { text: "Start 'git", isWrittenOut: false },
      { text: String.raw`\u{202E}`, isWrittenOut: true },
      { text: "'?", isWrittenOut: false },
    ]);
  });

  test('is the same as text, and holds no value of a variable', () => {
    assert.equal(
      viewText,
      [
        'Defined in: your user settings',
        '',
        'Look at this before you allow it:',
        '- It runs a shell.',
        '',
        "Warnings help you look. What they don't mention can still do harm.",
        '',
        'Changed since you last allowed it:',
        '- The command was uvx.',
        '',
        'Command: npx',
        'Arguments:',
        String.raw`  1. 'a\u{200B}b'`,
        '  2. "c d"',
        'Working directory: /projects',
        'Environment variables:',
        '  TOKEN: •••',
        String.raw`Variables: ${'${workspaceFolder}'} → /projects\u{202E}, ${'${env:TOOLS}'} → "/opt/my tools"`,
        String.raw`Also visible to the server: /projects/api (in argument 2), /projects\u{202E} (as its working directory)`,
        '',
        'Notes:',
        '- npx downloads "x".',
        '',
        'Shared with this server when you allow it:',
        `- ${pathOnDisk('/projects/api')}`,
        '',
        "It gets the names and paths of these folders, and isn't limited to them: a local server can reach " +
          'everything that you can. Sharing all includes folders that you add later.',
      ].join('\n'),
    );
  });

  test('says what is shared, and by what, where nothing is left to choose', () => {
    const said = (sharing: NonNullable<LaunchQuestion['sharing']>): string => {
      const { folders: _, ...rest } = question;
      const { view, text } = shownOf({ ...rest, folders: [], sharing } as LaunchQuestion);
      const shown = plain((view as LaunchView).sharing ?? []);
      assert.ok(text.endsWith(shown));
      return shown;
    };
    const roots = [{ uri: uriOnDisk('/projects/a%E2%80%AEb'), name: 'a' }];
    assert.equal(
      said({ basis: 'definition', roots }),
      `Shared with this server by its "roots" in your settings: ${pathOnDisk('/projects/a')}\\u{202E}b.`,
    );
    assert.equal(
      said({ basis: 'setting', roots: [] }),
      'No folder is shared with this server: your setting mcpHost.roots.default says so.',
    );
  });

  test('has each part of a sign-in on a line, and no secret', () => {
    const oauth = { clientId: 'a\u202E', clientSecret: '${input:secret}', scopes: ['read', 'write'] };
    const asked: LaunchQuestion = { ...question, definition: httpServer('https://x.example', { oauth }) };
    const signedIn = shownOf(asked);
    const { rows } = signedIn.view as LaunchView;
    assert.deepEqual(rows.find(({ title }) => title === 'Sign-in')?.values.map(plain), [
      String.raw`Client ID: a\u{202E}`,
      'Client secret: ${input:secret}',
      'List of scopes: read write',
    ]);
    assert.match(signedIn.text, /Sign-in:\n {2}Client ID: .*\n {2}Client secret: .*\n {2}List of scopes: /);
  });

  suite('of servers that ask for folders', () => {
    const ask = (...labels: readonly string[]): RootsQuestion => ({
      kind: rootsQuestions,
      servers: labels.map((label) => ({ definition: stdioServer([], { name: label }), label })),
      folders: question.folders,
    });

    test('says who asks, and what follows', () => {
      const { view, text } = shownOf(ask('files'));
      assert.equal(plain(view.title), "Share folders with 'files'?");
      assert.equal(
        text,
        [
          'files is defined in: your user settings',
          '',
          'Folders of this workspace:',
          `- ${pathOnDisk('/projects/api')}`,
          `- ${pathOnDisk('/projects/web')}`,
          '',
          'Proposed:',
          `- ${pathOnDisk('/projects/api')}`,
          '',
          "It gets the names and paths of these folders, and isn't limited to them: a local server can reach " +
            'everything that you can. Sharing all includes folders that you add later.',
          `"Don't Share": it gets no folder, and you are not asked again. ` +
            '"Not Now": it gets no folder this time, and you are asked when it asks again.',
        ].join('\n'),
      );
    });

    test('names several, with what cannot be seen written out', () => {
      const { view, text } = shownOf(ask('a', 'b\u202E', 'c'));
      assert.equal(plain(view.title), String.raw`Share folders with 'a', 'b\u{202E}' and 'c'?`);
      assert.match(text, /They get .* and aren't limited to them/);
    });
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
