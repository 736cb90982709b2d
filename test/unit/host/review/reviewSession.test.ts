import assert from 'node:assert/strict';
import type { Disposable } from '../../../../src/base/lifetime/disposable.ts';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { ReviewSession } from '../../../../src/host/review/reviewSession.ts';
import { stdioServer } from '../../support/definitions.ts';
import { untilSeen } from '../../support/until.ts';
import { QuestionQueue } from '../../../../src/host/questions/questionQueue.ts';
import {
  type LaunchAnswer,
  type LaunchQuestion,
  type LaunchView,
  launchQuestions,
} from '../../../../src/host/launch/question/launchQuestion.ts';
import {
  type RootsAnswer,
  type RootsQuestion,
  rootsQuestions,
} from '../../../../src/host/roots/rootsQuestion.ts';
import {
  type ShowMessage,
  type ToPanel,
  readFromPanel,
} from '../../../../src/host/questions/reviewProtocol.ts';
import type { QuestionView } from '../../../../src/host/questions/question.ts';
import { noLiveCards } from '../../support/questions.ts';

/** A panel that keeps what it got. */
class Panel {
  readonly shown: ToPanel[] = [];
  readonly opened: ServerDefinition[] = [];
  isFinished = false;
  hasFailed = false;

  readonly surface = {
    post: (message: ToPanel) => this.shown.push(message),
    placeOf: () => 'your user settings',
    openDefinition: (definition: ServerDefinition) => this.opened.push(definition),
    copy: () => undefined,
    isSharingKnown: false,
    finished: () => (this.isFinished = true),
    failed: () => (this.hasFailed = true),
  };

  get last(): ShowMessage {
    const message = this.shown.at(-1);
    assert.ok(message?.type === 'show', 'nothing was shown');
    return message;
  }

  get first(): QuestionView {
    const [question] = this.last.questions;
    assert.ok(question, 'no question is shown');
    return question;
  }
}

suite('A review', () => {
  let queue: QuestionQueue;
  let panel: Panel;
  let session: ReviewSession;
  let answers: [string, LaunchAnswer][];

  setup(() => {
    queue = new QuestionQueue();
    panel = new Panel();
    session = new ReviewSession(queue, panel.surface, noLiveCards);
    answers = [];
  });

  teardown(() => session.dispose());

  const receive = (message: unknown): void => void session.receive(message);

  const ask = (label: string, more: Partial<LaunchQuestion> = {}): Disposable => {
    const definition = stdioServer(['--flag'], { name: label });
    const question: LaunchQuestion = {
      kind: launchQuestions,
      definition,
      label,
      workingDirectory: '/projects',
      warnings: [],
      notes: [],
      changes: [],
      folders: [
        { uri: 'file:///projects/api', name: 'api', isProposed: true },
        { uri: 'file:///projects/web', name: 'web', isProposed: false },
      ],
      ...more,
    };
    return queue.ask(question, (answer) => answers.push([label, answer]));
  };
  const allow = (id: string, ...roots: string[]) => receive({ type: 'answer', id, answer: 'allow', roots });

  test('shows nothing before the panel is ready, and the whole state then', () => {
    ask('one');
    assert.deepEqual(panel.shown, []);
    receive({ type: 'ready' });
    ask('two');
    assert.deepEqual(
      panel.last.questions.map(({ title }) => title[0]?.text),
      ["Start 'one'?", "Start 'two'?"],
    );
  });

  test('gives the folders that were chosen, in the order of the workspace', () => {
    ask('one');
    receive({ type: 'ready' });
    allow(panel.first.id, 'file:///projects/web', 'file:///projects/api');
    assert.deepEqual(answers, [
      ['one', { answer: 'allow', roots: ['file:///projects/api', 'file:///projects/web'] }],
    ]);
    assert.ok(panel.isFinished);
  });

  test('counts what is left, also while more is asked', () => {
    ['one', 'two', 'three'].forEach((label) => ask(label));
    receive({ type: 'ready' });
    receive({ type: 'answer', id: panel.first.id, answer: 'deny' });
    assert.equal(panel.last.status, 'Not allowed: one. 2 left.');
    ask('four');
    allow(panel.first.id);
    assert.equal(panel.last.status, 'Allowed: two. 2 left.');
    assert.equal(panel.isFinished, false);
  });

  test('takes no answer with a folder that was not offered', () => {
    ask('one');
    receive({ type: 'ready' });
    allow(panel.first.id, 'file:///etc');
    assert.deepEqual(answers, []);
  });

  test('takes no answer to a question that was withdrawn, changed or answered', () => {
    const question = ask('one');
    receive({ type: 'ready' });
    const { id } = panel.first;
    question.dispose();
    allow(id);
    ask('one', { warnings: ['It runs a shell.'] });
    allow(id);
    assert.deepEqual(answers, []);
    assert.notEqual(panel.first.id, id);
    allow(panel.first.id);
    allow(id);
    assert.equal(answers.length, 1);
  });

  test('says that a launch has changed, while it was shown and while it was not', () => {
    const question = ask('one');
    ask('two');
    receive({ type: 'ready' });
    session.hidden();
    question.dispose();
    ask('one');
    receive({ type: 'ready' });
    assert.deepEqual(
      panel.last.questions.map(({ isRenewed }) => isRenewed),
      [true, false],
    );
    assert.equal(panel.last.status, "The launch of 'one' has changed. Read it again.");
  });

  test('shows launches that change together in one step, each in its place', () => {
    const before = ['one', 'two', 'three', 'four'].map((label) => ask(label));
    receive({ type: 'ready' });
    const shown = panel.shown.length;
    queue.inOneChange(() => {
      before.slice(1).forEach((question) => question.dispose());
      ['three', 'two', 'five'].forEach((label) => ask(label));
    });
    assert.equal(panel.shown.length, shown + 1);
    assert.deepEqual(
      panel.last.questions.map((one) => [(one as LaunchView).label[0]?.text, one.isRenewed]),
      [
        ['one', false],
        ['two', true],
        ['three', true],
        ['five', false],
      ],
    );
    assert.equal(panel.last.status, '2 questions have changed. Read them again.');
  });

  test('says how many were withdrawn together', () => {
    const before = ['one', 'two', 'three'].map((label) => ask(label));
    receive({ type: 'ready' });
    queue.inOneChange(() => before.slice(1).forEach((question) => question.dispose()));
    assert.equal(panel.last.status, '2 questions no longer apply.');
    before[0]?.dispose();
    assert.equal(panel.last.status, "The question about 'one' no longer applies.");
  });

  test('asks again after an answer without calling it a change', () => {
    ask('one');
    receive({ type: 'ready' });
    allow(panel.first.id);
    ask('one');
    assert.equal(panel.first.isRenewed, false);
  });

  test('goes to the question that the user chose, once', () => {
    ask('one');
    ask('two');
    session.goTo(stdioServer([], { name: 'two' }).id);
    receive({ type: 'ready' });
    assert.equal(panel.last.focus, panel.last.questions[1]?.id);
    ask('three');
    assert.equal(panel.last.focus, undefined);
  });

  test('opens the definition of a question that is shown', () => {
    ask('one');
    receive({ type: 'ready' });
    receive({ type: 'openDefinition', id: panel.first.id });
    receive({ type: 'openDefinition', id: 'another' });
    assert.deepEqual(
      panel.opened.map(({ name }) => name),
      ['one'],
    );
  });

  suite('of several launches', () => {
    const api = 'file:///projects/api';
    const allowShown = (...launches: readonly (readonly [id: string, ...roots: readonly string[]])[]) =>
      receive({
        type: 'allowSelected',
        questions: launches.map(([id, ...roots]) => ({ id, roots })),
      });
    const ids = (): readonly string[] => panel.last.questions.map(({ id }) => id);

    test('allows what was selected in one step, each with its folders, and says so once', () => {
      ['one', 'two', 'three'].forEach((label) => ask(label));
      receive({ type: 'ready' });
      const before = panel.shown.length;
      const [one = '', , three = ''] = ids();
      allowShown([three, api], [one]);
      assert.deepEqual(answers, [
        ['three', { answer: 'allow', roots: [api] }],
        ['one', { answer: 'allow', roots: [] }],
      ]);
      assert.equal(panel.shown.length, before + 1);
      assert.equal(panel.last.status, 'Allowed: three, one. 1 left.');
      assert.equal(panel.isFinished, false);
      allow(panel.first.id);
      assert.ok(panel.isFinished);
    });

    test('says what sharing means until folders were shared', () => {
      ['one', 'two', 'three'].forEach((label) => ask(label));
      receive({ type: 'ready' });
      receive({ type: 'answer', id: panel.first.id, answer: 'allow', roots: [] });
      assert.equal(panel.last.isSharingKnown, false);
      receive({ type: 'answer', id: panel.first.id, answer: 'allow', roots: [api] });
      assert.equal(panel.last.isSharingKnown, true);
    });

    test('leaves what you must look at first', () => {
      ask('warned', { warnings: ['It runs a shell.'] });
      ask('changed', { changes: ['The command was uvx.'] });
      const question = ask('renewed');
      receive({ type: 'ready' });
      question.dispose();
      ask('renewed');
      assert.deepEqual(
        panel.last.questions.map((one) => (one as LaunchView).canAllowUnopened),
        [false, false, false],
      );
      allowShown(...ids().map((id) => [id, api] as const));
      assert.deepEqual(answers, []);
    });

    test('takes nothing for a launch that was renewed, withdrawn or answered since it was shown', () => {
      const renewed = ask('renewed');
      const withdrawn = ask('withdrawn');
      ['answered', 'other'].forEach((label) => ask(label));
      receive({ type: 'ready' });
      const [first = '', second = '', third = '', fourth = ''] = ids();
      renewed.dispose();
      ask('renewed', { workingDirectory: '/elsewhere' });
      withdrawn.dispose();
      allow(third);
      allowShown([first, api], [second, api], [third, api], [fourth, api], ['made up', api]);
      assert.deepEqual(
        answers.map(([label]) => label),
        ['answered', 'other'],
      );
    });

    test('takes nothing with a folder that was not offered, nor for another kind of question', () => {
      ask('one');
      const roots: RootsQuestion = { kind: rootsQuestions, servers: [], folders: [] };
      queue.ask(roots, () => assert.fail('it was answered'));
      receive({ type: 'ready' });
      allowShown(...ids().map((id) => [id, 'file:///etc'] as const));
      allowShown(
        ...ids()
          .slice(1)
          .map((id) => [id] as const),
      );
      assert.deepEqual(answers, []);
    });

    test('begins with the first, unless the user asked for one server', () => {
      ['one', 'two'].forEach((label) => ask(label));
      session.goTo(undefined);
      receive({ type: 'ready' });
      assert.equal(panel.last.focus, ids()[0]);
      session.goTo(stdioServer([], { name: 'two' }).id);
      assert.equal(panel.last.focus, ids()[1]);
    });
  });

  suite('of servers that ask for folders', () => {
    let said: RootsAnswer[];
    setup(() => (said = []));

    const askForFolders = (...labels: readonly string[]): Disposable => {
      const question: RootsQuestion = {
        kind: rootsQuestions,
        servers: labels.map((label) => ({ definition: stdioServer([], { name: label }), label })),
        folders: [
          { uri: 'file:///projects/api', name: 'api', isProposed: true },
          { uri: 'file:///projects/web', name: 'web', isProposed: true },
        ],
      };
      return queue.ask(question, (answer) => said.push(answer));
    };
    const answer = (given: object) => receive({ type: 'answer', id: panel.first.id, ...given });

    test('gives what was chosen, or that nothing is decided', () => {
      ['one', 'two', 'three'].forEach((label) => askForFolders(label));
      receive({ type: 'ready' });
      answer({ answer: 'share', roots: ['file:///projects/web'] });
      assert.equal(panel.last.status, 'Folders shared: one. 2 left.');
      answer({ answer: 'share', roots: [] });
      assert.equal(panel.last.status, 'No folder shared: two. 1 left.');
      answer({ answer: 'notNow' });
      assert.deepEqual(said, [
        { answer: 'share', roots: ['file:///projects/web'] },
        { answer: 'share', roots: [] },
        { answer: 'notNow' },
      ]);
      assert.ok(panel.isFinished);
    });

    test('takes no answer that is to another kind of question, or with another folder', () => {
      askForFolders('one');
      receive({ type: 'ready' });
      answer({ answer: 'allow', roots: [] });
      answer({ answer: 'deny' });
      answer({ answer: 'share', roots: ['file:///etc'] });
      ask('two');
      session.goTo(undefined);
      const launch = panel.last.questions.find(({ kind }) => kind === 'launch');
      receive({ type: 'answer', id: launch?.id ?? '', answer: 'share', roots: [] });
      receive({ type: 'answer', id: launch?.id ?? '', answer: 'notNow' });
      assert.equal(queue.questions.length, 2);
    });

    test('shows again what one of the servers has left', () => {
      const both = askForFolders('one', 'two');
      receive({ type: 'ready' });
      both.dispose();
      askForFolders('two');
      assert.equal(panel.last.status, "The question about the folders for 'two' has changed. Read it again.");
      assert.ok(panel.first.isRenewed);
    });

    test('is not a changed launch, nor the other way round', () => {
      const launch = ask('one');
      receive({ type: 'ready' });
      launch.dispose();
      askForFolders('one');
      assert.equal(panel.first.isRenewed, false);
    });
  });

  test('has failed when the panel does not report in time', async () => {
    const late = new Panel();
    const waiting = new ReviewSession(queue, late.surface, noLiveCards, 20);
    waiting.opened();
    await untilSeen(() => late.hasFailed, 'the panel has failed');
    waiting.dispose();
  });

  test('has not failed when the panel was ready, or was closed before', async () => {
    const ready = new Panel();
    const closed = new Panel();
    const late = new Panel();
    const sessions = [ready, closed, late].map(
      ({ surface }) => new ReviewSession(queue, surface, noLiveCards, 20),
    );
    sessions.forEach((one) => one.opened());
    void sessions[0]?.receive({ type: 'ready' });
    sessions[1]?.dispose();
    await untilSeen(() => late.hasFailed, 'the panel has failed');
    assert.deepEqual([ready.hasFailed, closed.hasFailed], [false, false]);
    sessions.forEach((one) => one.dispose());
  });

  for (const message of [
    undefined,
    null,
    'ready',
    {},
    { type: 'answer' },
    { type: 'answer', id: 1, answer: 'deny' },
    { type: 'openDefinition' },
    { type: 'allowSelected' },
    { type: 'allowSelected', questions: 'x' },
    { type: 'allowSelected', questions: [{ id: 'x', roots: [] }, undefined] },
    { type: 'allowSelected', questions: [{ id: 1, roots: [] }] },
    { type: 'act' },
    { type: 'act', id: 1, act: 'deny', phase: 0 },
    {
      type: 'allowSelected',
      questions: [
        { id: 'x', roots: [] },
        { id: 'x', roots: ['file:///'] },
      ],
    },
    { type: 'other', id: 'x' },
  ]) {
    test(`does not understand ${JSON.stringify(message)}`, () => {
      assert.equal(readFromPanel(message), undefined);
    });
  }
});

suite('A launch', () => {
  const about = { definition: stdioServer([]), label: 'one', workingDirectory: '/' };
  const nothing = { warnings: [], notes: [], changes: [] };
  const folders = [{ uri: 'file:///', name: 'all', isProposed: true }];
  const question: LaunchQuestion = { kind: launchQuestions, ...about, ...nothing, folders };

  for (const given of [
    {},
    { answer: 'always' },
    { answer: 'share', roots: [] },
    { answer: 'run', span: 'once', scope: 'one' },
    { answer: 'allow' },
    { answer: 'allow', roots: 'file:///' },
    { answer: 'allow', roots: [1] },
    { answer: 'allow', roots: [], files: 'x' },
    { answer: 'allow', roots: [], files: [1] },
  ]) {
    test(`takes no ${JSON.stringify(given)}`, () => {
      assert.equal(launchQuestions.readAnswer(question, given), undefined);
    });
  }

  for (const given of [
    {},
    { roots: 'file:///' },
    { roots: [1] },
    { roots: ['file:///etc'] },
    { roots: [], files: [1] },
    { roots: [], files: ['/etc/passwd'] },
  ]) {
    test(`is not allowed unopened by ${JSON.stringify(given)}`, () => {
      assert.equal(launchQuestions.readUnopened(question, given, false), undefined);
    });
  }
});

suite('A question about folders', () => {
  for (const given of [
    {},
    { answer: 'share' },
    { answer: 'share', roots: [undefined] },
    { answer: 'share', roots: 'file:///' },
    { answer: 'allow', roots: [] },
    { answer: 'deny' },
  ]) {
    const folders = [{ uri: 'file:///', name: 'all', isProposed: true }];
    const question: RootsQuestion = { kind: rootsQuestions, servers: [], folders };
    test(`takes no ${JSON.stringify(given)}`, () => {
      assert.equal(rootsQuestions.readAnswer(question, given), undefined);
    });
  }
});

suite('A review of a flood of questions', () => {
  test('sends the panel a few of its states, the last one whole', async () => {
    const queue = new QuestionQueue();
    const panel = new Panel();
    const session = new ReviewSession(queue, panel.surface, noLiveCards);
    void session.receive({ type: 'ready' });
    for (let count = 0; count < 1_000; count += 1) {
      const definition = stdioServer(['x'.repeat(100)], { name: `s${count}` });
      const about = {
        definition,
        label: `s${count}`,
        workingDirectory: '/',
        warnings: [],
        notes: [],
        changes: [],
        folders: [],
      };
      const question: LaunchQuestion = { kind: launchQuestions, ...about };
      queue.ask(question, () => undefined);
    }
    await untilSeen(() => panel.last.questions.length === 1_000, 'all are shown');
    assert.ok(panel.shown.length <= 50, `${panel.shown.length} messages`);
    session.dispose();
  });
});
