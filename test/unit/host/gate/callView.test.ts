import assert from 'node:assert/strict';
import { plain } from '../../../../src/host/questions/panelText.ts';
import { unknownExtension } from '../../../../src/host/ledger/caller.ts';
import { toolCall } from '../../support/callQuestion.ts';
import { type CallQuestion, type CallView, callQuestions } from '../../../../src/host/gate/callQuestion.ts';

const show = (question: CallQuestion): CallView => {
  return callQuestions.view(question, { id: 'id', placeOf: () => 'your user settings', isRenewed: false });
};
const extension = { kind: 'extension', id: 'acme.helper', label: 'Helper' } as const;

suite('A request as it is shown', () => {
  const titles: [Partial<CallQuestion>, string][] = [
    [{}, "Agent mode wants to run 'write_file' on 'git'"],
    [
      { caller: extension, method: 'resources/read', target: 'git://log' },
      "The extension 'Helper' wants to read a resource of 'git'",
    ],
    [{ caller: { kind: 'chat', isInChat: true } }, "A model in chat wants to run 'write_file' on 'git'"],
    [
      { caller: { kind: 'chat', isInChat: false } },
      "A model or an extension that could not be identified wants to run 'write_file' on 'git'",
    ],
    [{ method: 'prompts/get', target: 'review' }, "Agent mode wants the prompt 'review' of 'git'"],
    [{ target: 'a\u202Eb' }, String.raw`Agent mode wants to run 'a\u{202E}b' on 'git'`],
  ];
  for (const [more, title] of titles) {
    test(`begins with: ${title}`, () => {
      assert.equal(plain(show(toolCall(more)).title), title);
    });
  }

  test('shows strings as they are, and all else as JSON', () => {
    const values: [unknown, string][] = [
      ['one\n  two\n\tthree', 'one\n  two\n\tthree'],
      ['', '""'],
      ['a\u200Bb', String.raw`a\u{200B}b`],
      [`a${' '.repeat(9)}b`, 'a[9 spaces]b'],
      [`${' '.repeat(90)}b`, '[90 spaces]b'],
      [7, '7'],
      [null, 'null'],
      [{ a: ['\u202E'] }, '{\n  "a": [\n    "\\u{202E}"\n  ]\n}'],
    ];
    for (const [value, text] of values) {
      const [argument] = show(toolCall({ args: { value } })).arguments;
      assert.equal(plain(argument?.value.text ?? []), text);
    }
  });

  test('folds what is long, and cuts nothing', () => {
    const lines = Array.from({ length: 13 }, (_, index) => `line ${index}`);
    const cases: [string, boolean][] = [
      [lines.join('\n'), true],
      [lines.slice(1).join('\n'), false],
      ['x'.repeat(1_001), true],
      ['x'.repeat(1_000), false],
    ];
    for (const [text, isLong] of cases) {
      const [argument] = show(toolCall({ args: { text } })).arguments;
      assert.equal(argument?.value.isLong, isLong);
      assert.equal(plain(argument?.value.text ?? []), text);
    }
  });

  test('names the extension that asks by its id, too', () => {
    assert.equal(plain(show(toolCall({ caller: extension })).asker ?? []), 'acme.helper');
    assert.equal(show(toolCall()).asker, undefined);
  });

  test('offers spans in one order, and no choice for the resources of a server', () => {
    const view = show(toolCall({ spans: ['always', 'once'], method: 'resources/read', target: 'git://log' }));
    assert.deepEqual(
      [...view.allow, ...view.refuse].map(({ answer, label }) => [answer, plain(label)]),
      [
        [{ answer: 'run', span: 'always', scope: 'server' }, "Allow all resources of 'git' always"],
        [{ answer: 'refuse', span: 'always', scope: 'server' }, "Never allow all resources of 'git'"],
      ],
    );
    const { allow, refuse } = show(toolCall());
    assert.deepEqual(
      allow.map(({ label }) => plain(label)),
      ["'write_file'", "all tools of 'git'"].flatMap((what) => [
        `Allow ${what} for this session`,
        `Allow ${what} always in this workspace`,
        `Allow ${what} always`,
      ]),
    );
    assert.deepEqual(
      refuse.map(({ label }) => plain(label)),
      ["Never allow 'write_file'", "Never allow all tools of 'git'"],
    );
  });

  test('says for whom an answer holds', () => {
    assert.match(
      plain(show(toolCall()).hint),
      /^What you allow holds for agent mode only, what you never allow for everyone\./,
    );
  });

  test('offers nothing for later where it is not known who asks', () => {
    const view = show(toolCall({ caller: unknownExtension }));
    assert.deepEqual([view.allow, view.refuse], [[], []]);
    assert.equal(view.asker, undefined);
    assert.match(plain(view.hint), /for this request only/);
  });

  test('is the same as text', () => {
    const view = show(
      toolCall({
        title: 'Write File',
        description: 'Writes.\nAll of it.',
        args: { path: '/a', content: 'one\ntwo' },
        warnings: ['This tool is new since the server was allowed.'],
        claims: ['It may change things.', 'It reaches no other systems.'],
      }),
    );
    assert.equal(
      callQuestions.text(view),
      [
        'The server is defined in: your user settings',
        'Warning: This tool is new since the server was allowed.',
        'path: /a',
        'content:\none\ntwo',
        'The server says: Write File',
        'The server says:\nWrites.\nAll of it.',
        'The server claims: It may change things. It reaches no other systems. Not verified.',
      ].join('\n\n'),
    );
    assert.match(callQuestions.text(show(toolCall({ args: {} }))), /Without arguments$/);
    const read = show(toolCall({ method: 'resources/read', target: 'git://\u200Blog', caller: extension }));
    assert.match(
      callQuestions.text(read),
      /^Asked by: acme\.helper\n\n.*\n\nResource: git:\/\/\\u\{200B\}log$/,
    );
  });
});
