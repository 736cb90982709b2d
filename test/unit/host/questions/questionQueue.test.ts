import assert from 'node:assert/strict';
import { ofKind } from '../../support/questions.ts';
import { legacyServer } from '../../support/definitions.ts';
import { QuestionQueue } from '../../../../src/host/questions/questionQueue.ts';
import { waitingServers } from '../../../../src/host/questions/question.ts';
import {
  type LaunchAnswer,
  type LaunchQuestion,
  launchQuestions,
} from '../../../../src/host/launch/question/launchQuestion.ts';
import {
  type RootsAnswer,
  type RootsQuestion,
  rootsQuestions,
} from '../../../../src/host/roots/rootsQuestion.ts';

function questionAbout(label: string): LaunchQuestion {
  const nothing = { warnings: [], notes: [], changes: [], folders: [] };
  return { kind: launchQuestions, definition: legacyServer(), label, workingDirectory: '/', ...nothing };
}

const allow: LaunchAnswer = { answer: 'allow', roots: [] };
const deny: LaunchAnswer = { answer: 'deny' };

suite('The queue of questions', () => {
  test('keeps each question until it is answered or withdrawn', () => {
    const queue = new QuestionQueue();
    let changes = 0;
    queue.onDidChange(() => {
      changes += 1;
    });
    const answers: string[] = [];
    const [one, other] = [questionAbout('one'), questionAbout('other')];
    queue.ask(one, ({ answer }) => answers.push(`one ${answer}`));
    const asked = queue.ask(other, ({ answer }) => answers.push(`other ${answer}`));
    assert.deepEqual(queue.questions, [one, other]);
    assert.equal(queue.answer(one, allow), true);
    assert.deepEqual(queue.questions, [other]);
    asked.dispose();
    assert.deepEqual(queue.questions, []);
    assert.deepEqual(answers, ['one allow']);
    assert.equal(changes, 4);
  });

  test('reports what changes together once, also where it fails', () => {
    const queue = new QuestionQueue();
    const [one, other] = [questionAbout('one'), questionAbout('other')];
    const changes: (readonly string[])[] = [];
    queue.onDidChange(() => changes.push(ofKind(queue.questions, launchQuestions).map(({ label }) => label)));
    queue.inOneChange(() => {
      queue.ask(one, () => undefined);
      queue.inOneChange(() => queue.ask(other, () => undefined));
      assert.deepEqual(queue.questions, [one, other]);
      assert.deepEqual(changes, []);
    });
    assert.deepEqual(changes, [['one', 'other']]);
    queue.inOneChange(() => undefined);
    assert.equal(changes.length, 1, 'nothing has changed');
    assert.throws(() =>
      queue.inOneChange(() => {
        queue.answer(one, deny);
        throw new Error('failed');
      }),
    );
    assert.deepEqual(changes.slice(1), [['other']]);
    queue.answer(other, deny);
    assert.deepEqual(changes.slice(2), [[]]);
  });

  test('takes no second answer, and none to what was withdrawn', () => {
    const queue = new QuestionQueue();
    const [one, other] = [questionAbout('one'), questionAbout('other')];
    const answers: LaunchAnswer[] = [];
    queue.ask(one, (answer) => answers.push(answer));
    queue.ask(other, () => assert.fail('answered')).dispose();
    queue.answer(one, deny);
    assert.equal(queue.answer(one, allow), false);
    assert.equal(queue.answer(other, allow), false);
    assert.deepEqual(answers, [deny]);
  });

  test('counts servers, each once', () => {
    const [one, other] = [questionAbout('one'), questionAbout('other')];
    const server = (name: string) => ({ definition: legacyServer([], { name }), label: name });
    const folders: RootsQuestion = { kind: rootsQuestions, servers: [server('a'), server('b')], folders: [] };
    assert.equal(waitingServers([]), 0);
    assert.equal(waitingServers([one, other]), 1, 'they are about one server');
    assert.equal(waitingServers([one, folders, folders]), 3);
  });

  test('gives a question of another kind its own answers', () => {
    const queue = new QuestionQueue();
    const question: RootsQuestion = {
      kind: rootsQuestions,
      servers: [{ definition: legacyServer(), label: 'files' }],
      folders: [],
    };
    const answers: RootsAnswer[] = [];
    queue.ask(question, (answer) => answers.push(answer));
    assert.equal(queue.answer(question, { answer: 'notNow' }), true);
    assert.deepEqual(answers, [{ answer: 'notNow' }]);
  });
});
