import assert from 'node:assert/strict';
import { unknownExtension } from '../../../../src/host/ledger/caller.ts';
import { toolCall } from '../../support/callQuestion.ts';
import { stdioServer } from '../../support/definitions.ts';
import { type CallAnswer, callQuestions } from '../../../../src/host/gate/callQuestion.ts';
import { type LaunchQuestion, launchQuestions } from '../../../../src/host/launch/question/launchQuestion.ts';

const run = (span: CallAnswer['span'], scope: CallAnswer['scope']) =>
  ({ answer: 'run', span, scope }) as const;
const refuse = (span: 'once' | 'always', scope: CallAnswer['scope']) =>
  ({ answer: 'refuse', span, scope }) as const;

suite("The panel's answer to a request", () => {
  const once = toolCall({ spans: ['once'] });
  const unknown = toolCall({ caller: unknownExtension });
  const resource = toolCall({ method: 'resources/read', target: 'git://log' });
  const cases: [string, ReturnType<typeof toolCall>, object, CallAnswer | undefined][] = [
    ['for a session', toolCall(), run('session', 'server'), run('session', 'server')],
    ['for once is about this one', toolCall(), run('once', 'server'), run('once', 'one')],
    ['refused for once', toolCall(), refuse('once', 'server'), refuse('once', 'one')],
    ['never', toolCall(), refuse('always', 'server'), refuse('always', 'server')],
    ['a span that was not offered', once, run('session', 'one'), undefined],
    ['never, where each is asked about', once, refuse('always', 'one'), refuse('always', 'one')],
    ['of resources, one alone', resource, run('always', 'one'), undefined],
    ['of resources, all', resource, run('always', 'server'), run('always', 'server')],
    ['of resources, for once', resource, run('once', 'server'), run('once', 'one')],
    ['for a session, of nobody known', unknown, run('session', 'one'), undefined],
    ['never, of nobody known', unknown, refuse('always', 'one'), undefined],
    ['for once, of nobody known', unknown, run('once', 'one'), run('once', 'one')],
    ['to a launch', toolCall(), { answer: 'allow', roots: [] }, undefined],
    ['that is none', toolCall(), { answer: 'deny' }, undefined],
  ];
  for (const [name, question, given, expected] of cases) {
    test(name, () => assert.deepEqual(callQuestions.readAnswer(question, { ...given }), expected));
  }

  for (const message of [
    { answer: 'run', span: 'once' },
    { answer: 'run', span: 'forever', scope: 'one' },
    { answer: 'run', span: 'once', scope: 'all' },
    { answer: 'refuse', span: 'session', scope: 'one' },
    { answer: 'refuse', scope: 'one' },
  ]) {
    test(`is not ${JSON.stringify(message)}`, () => {
      assert.equal(callQuestions.readAnswer(toolCall(), message), undefined);
    });
  }

  test('is read whole', () => {
    const answer = run('workspace', 'server');
    assert.deepEqual(callQuestions.readAnswer(toolCall(), { ...answer, more: 1 }), answer);
  });
});

suite("The panel's answer to a launch", () => {
  const question: LaunchQuestion = {
    kind: launchQuestions,
    definition: stdioServer(['x.mjs']),
    label: 'one',
    workingDirectory: '/',
    warnings: [],
    notes: [],
    changes: [],
    folders: [],
    files: [{ path: '/x.mjs', sha256: 'a', isProposed: false }],
  };

  test('has the files that were chosen, or none of them, or does not mention files', () => {
    for (const files of [['/x.mjs'], []]) {
      const answer = { answer: 'allow', roots: [], files } as const;
      assert.deepEqual(launchQuestions.readAnswer(question, answer), answer);
    }
    assert.deepEqual(launchQuestions.readAnswer(question, { answer: 'allow', roots: [] }), {
      answer: 'allow',
      roots: [],
    });
  });

  test('is invalid with a file that was not offered', () => {
    assert.equal(
      launchQuestions.readAnswer(question, { answer: 'allow', roots: [], files: ['/etc/passwd'] }),
      undefined,
    );
  });
});
