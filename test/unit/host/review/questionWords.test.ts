import assert from 'node:assert/strict';
import { announcementText } from '../../../../src/host/review/questionWords.ts';
import { toolCall } from '../../support/callQuestion.ts';
import type { SamplingState } from '../../../../src/host/sampling/review/reviewState.ts';
import { answer, samplingQuestion, ScriptedReview } from '../../support/scriptedReview.ts';
import { stdioServer } from '../../support/definitions.ts';
import type { Question } from '../../../../src/host/questions/question.ts';
import { type CallAnswer, callQuestions } from '../../../../src/host/gate/callQuestion.ts';
import { launchQuestions, type LaunchQuestion } from '../../../../src/host/launch/question/launchQuestion.ts';
import { rootsQuestions, type RootsQuestion } from '../../../../src/host/roots/rootsQuestion.ts';

const server = (label: string) => ({ definition: stdioServer([], { name: label }), label });
const launch = (label: string): LaunchQuestion => ({
  kind: launchQuestions,
  ...server(label),
  workingDirectory: '/projects',
  warnings: [],
  notes: [],
  changes: [],
  folders: [],
});
const folders = (...labels: readonly string[]): RootsQuestion => ({
  kind: rootsQuestions,
  servers: labels.map(server),
  folders: [],
});

const sampling = (state: SamplingState = { kind: 'request' }): Question =>
  samplingQuestion(Object.assign(new ScriptedReview(), { state }));

suite('What is announced', () => {
  const cases: [readonly Question[], string][] = [
    [[launch('git')], "The MCP server 'git' is waiting for your decision."],
    [[launch('git'), launch('web')], '2 MCP servers are waiting for your decision.'],
    [[folders('git')], "Share folders with 'git'?"],
    [[folders('git', 'web')], "Share folders with 'git' and 'web'?"],
    [[folders('git', 'web'), launch('files')], '3 MCP servers are waiting for your decision.'],
    [[toolCall()], "Agent mode is waiting for your decision about 'git'."],
    [[toolCall(), toolCall()], "Agent mode is waiting for your decision about 'git'."],
    [
      [toolCall({ caller: { kind: 'extension', id: 'acme.helper', label: 'Helper' } })],
      "The extension 'Helper' is waiting for your decision about 'git'.",
    ],
    [[toolCall(), toolCall({ server: server('web') })], '2 questions are waiting for your decision.'],
    [
      [toolCall(), toolCall({ caller: { kind: 'extension', id: 'acme.helper', label: 'Helper' } })],
      '2 questions are waiting for your decision.',
    ],
    [[launch('git'), toolCall()], '2 questions are waiting for your decision.'],
    [[sampling()], "'everything' wants to ask a language model."],
    [
      [sampling({ kind: 'answer', answer: answer('x'), isStopped: false })],
      "The answer from a language model for 'everything' is waiting for you.",
    ],
    [[sampling(), sampling()], "The MCP server 'everything' is waiting for your decision."],
    [[sampling(), launch('git')], '2 MCP servers are waiting for your decision.'],
    [[sampling(), toolCall()], '2 questions are waiting for your decision.'],
    [[folders('git'), folders('git')], "The MCP server 'git' is waiting for your decision."],
  ];
  for (const [questions, text] of cases) {
    test(`of ${questions.map(({ kind }) => kind.name).join(' and ')}: ${text}`, () => {
      assert.equal(announcementText(questions), text);
    });
  }
});

suite('What was answered to a request', () => {
  const run = (span: CallAnswer['span'], scope: CallAnswer['scope'] = 'one'): CallAnswer => ({
    answer: 'run',
    span,
    scope,
  });
  const cases: [ReturnType<typeof toolCall>, CallAnswer, string][] = [
    [toolCall(), run('once'), 'Allowed: write_file of git, this time.'],
    [toolCall(), run('once', 'server'), 'Allowed: write_file of git, this time.'],
    [toolCall(), run('session'), 'Allowed: write_file of git, for this session.'],
    [toolCall(), run('workspace', 'server'), 'Allowed: all tools of git, always in this workspace.'],
    [toolCall(), { answer: 'refuse', span: 'once', scope: 'one' }, 'Not allowed: write_file of git.'],
    [toolCall(), { answer: 'refuse', span: 'always', scope: 'server' }, 'Never allowed: all tools of git.'],
    [
      toolCall({ method: 'resources/read', target: 'git://log' }),
      run('once'),
      'Allowed: a resource of git, this time.',
    ],
    [
      toolCall({ method: 'resources/read', target: 'git://log' }),
      run('always', 'server'),
      'Allowed: all resources of git, always.',
    ],
    [
      toolCall({ method: 'prompts/get', target: 'a\u200Bb' }),
      run('always'),
      String.raw`Allowed: the prompt a\u{200B}b of git, always.`,
    ],
  ];
  for (const [question, answer, text] of cases) {
    test(text, () => assert.equal(callQuestions.answered(question, answer), text));
  }
});
