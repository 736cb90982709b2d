import assert from 'node:assert/strict';
import type { Disposable } from '../../../../../src/base/lifetime/disposable.ts';
import { ReviewSession } from '../../../../../src/host/review/reviewSession.ts';
import type {
  SamplingNow,
  SamplingUpdate,
  SamplingView,
} from '../../../../../src/host/sampling/review/samplingProtocol.ts';
import { MissedRequests } from '../../../../../src/host/sampling/review/missedRequests.ts';
import { plain } from '../../../../../src/host/questions/panelText.ts';
import { answer, samplingQuestion, ScriptedReview } from '../../../support/scriptedReview.ts';
import { QuestionQueue } from '../../../../../src/host/questions/questionQueue.ts';
import type { ToPanel } from '../../../../../src/host/questions/reviewProtocol.ts';
import { isSamplingQuestion } from '../../../../../src/host/sampling/review/samplingQuestion.ts';
import { SamplingCards } from '../../../../../src/host/sampling/review/samplingCards.ts';

const draft = { modelId: 'fast', edits: [{ at: '0/0', text: 'Changed' }] };
const untouched = { modelId: 'fast', edits: [] };

function updateOf(message: ToPanel | undefined): SamplingUpdate | undefined {
  return message?.type === 'update' ? (message.update as SamplingUpdate) : undefined;
}

suite('A request for a model in the panel', () => {
  let queue: QuestionQueue;
  let missed: MissedRequests;
  let session: ReviewSession;
  let posted: ToPanel[];
  let copied: string[];
  let finished: number;
  let review: ScriptedReview;
  let asked: Disposable;

  const open = (): ReviewSession => {
    const surface = {
      post: (message: ToPanel) => posted.push(message),
      placeOf: () => 'your user settings',
      openDefinition: () => undefined,
      copy: (text: string) => copied.push(text),
      isSharingKnown: false,
      finished: () => (finished += 1),
      failed: () => undefined,
    };
    return new ReviewSession(queue, surface, (port) => new SamplingCards(missed, () => 13_000, port), 5_000);
  };

  const receive = (message: unknown): void => void session.receive(message);

  setup(() => {
    queue = new QuestionQueue();
    missed = new MissedRequests();
    posted = [];
    copied = [];
    finished = 0;
    review = new ScriptedReview();
    session = open();
    asked = queue.ask(samplingQuestion(review), () => undefined);
    receive({ type: 'ready' });
  });

  teardown(() => session.dispose());

  const shown = (): readonly SamplingView[] => {
    const message = posted.findLast(({ type }) => type === 'show');
    const questions = message?.type === 'show' ? message.questions : [];
    return questions.filter((one): one is SamplingView => one.kind === 'sampling');
  };
  const id = (): string => shown()[0]?.id ?? '';
  const last = (): ToPanel | undefined => posted.at(-1);
  const now = (): SamplingNow => {
    const update = posted.map(updateOf).findLast((one) => one?.kind === 'now');
    assert.ok(update?.kind === 'now');
    return update.now;
  };
  const phase = (): number => {
    const update = updateOf(last());
    return update?.kind === 'now' ? update.now.phase : (shown()[0]?.now.phase ?? -1);
  };
  const act = (more: object, from = phase()) =>
    receive({ type: 'act', id: id(), phase: from, draft: untouched, edits: [], ...more });
  const answerIt = (text = 'Good day') =>
    review.become({ kind: 'answer', answer: answer(text), isStopped: false });
  const end = (more: object = {}) => {
    review.become({ kind: 'ended', why: 'It has gone.', canRunAgain: true, ...more });
    asked.dispose();
  };

  test('is shown with how long it has waited', () => {
    assert.equal(shown()[0]?.now.waitedMs, 12_000);
    assert.equal(shown()[0]?.now.state.kind, 'request');
  });

  const acts: [object, (review: ScriptedReview) => void, unknown[]][] = [
    [{ choice: 'send', draft }, () => undefined, ['send', draft, 'once']],
    [{ choice: 'sendForSession', draft: untouched }, () => undefined, ['send', untouched, 'session']],
    [{ choice: 'deny' }, () => undefined, ['deny']],
    [{ choice: 'never' }, () => undefined, ['never']],
    [{ choice: 'stop' }, (one) => one.become({ kind: 'generating', text: '' }), ['stop']],
    [{ choice: 'deny' }, (one) => one.become({ kind: 'generating', text: '' }), ['deny']],
    [
      { choice: 'deliver', edits: [{ at: '0', text: 'b' }] },
      () => answerIt(),
      ['deliver', [{ at: '0', text: 'b' }]],
    ],
    [{ choice: 'regenerate' }, () => answerIt(), ['regenerate']],
  ];
  for (const [given, before, done] of acts) {
    test(`takes ${JSON.stringify(given)}`, () => {
      before(review);
      act(given);
      assert.deepEqual(review.acts, [done]);
    });
  }

  const refused: [string, object][] = [
    ['an answer before there is one', { choice: 'deliver', edits: [{ at: '0', text: 'x' }] }],
    ['a choice that there is not', { choice: 'allow' }],
    ['an answer to another kind of question', { type: 'answer', answer: 'deny' }],
  ];
  for (const [what, given] of refused) {
    test(`does not take ${what}`, () => {
      act(given);
      assert.deepEqual(review.acts, []);
      assert.equal(queue.questions.length, 1);
    });
  }

  test('does not take "for this session" where that was not offered', () => {
    review.subject.canAllowSession = false;
    act({ choice: 'sendForSession', draft: untouched });
    assert.deepEqual(review.acts, []);
  });

  test('never takes a click on Send for one on Deliver', () => {
    const ofRequest = phase();
    act({ choice: 'send', draft: untouched });
    const ofGeneration = phase();
    answerIt();
    for (const stale of [ofRequest, ofGeneration, -1, 99]) {
      for (const given of ['stop', 'regenerate', 'deny', 'never', 'copy', 'close']) {
        act({ choice: given }, stale);
      }
      act({ choice: 'deliver', edits: [] }, stale);
      act({ choice: 'send', draft: untouched }, stale);
      act({ edits: [{ at: '0', text: 'x' }] }, stale);
    }
    assert.deepEqual(review.acts, [['send', untouched, 'once']]);
    assert.deepEqual(copied, []);
  });

  test('takes an act on one answer for no other', () => {
    answerIt('one');
    const ofOne = phase();
    answerIt('two');
    act({ choice: 'deliver', edits: [] }, ofOne);
    assert.deepEqual(review.acts, []);
  });

  test('asks again when the last attempt failed', () => {
    const first = phase();
    act({ choice: 'send', draft });
    review.become({ kind: 'request', problem: 'The model is busy.' });
    assert.deepEqual(last(), { ...last(), status: 'The model is busy.' });
    const { state } = now();
    assert.equal(state.kind === 'request' && plain(state.problem ?? []), 'The model is busy.');
    act({ choice: 'send', draft }, first);
    act({ choice: 'send', draft });
    assert.equal(review.acts.length, 2);
  });

  test('shows your edits with invisible characters written out', () => {
    act({ draft: { modelId: 'slow', edits: [{ at: '0/0', text: 'a\u202Eb' }] } });
    assert.deepEqual(review.draft.modelId, 'slow');
    const [edited] = now().edited;
    assert.equal(edited?.text, 'a\u202Eb');
    assert.equal(plain(edited?.shown.text ?? []), String.raw`a\u{202E}b`);
    assert.equal(now().modelId, 'slow');
  });

  test('keeps your edits while there is no model for them', () => {
    review.models = [];
    act({ draft });
    assert.deepEqual(review.acts, []);
    assert.deepEqual(
      now().edited.map(({ text }) => text),
      ['Changed'],
    );
  });

  test('shows what was sent, whatever is drafted meanwhile', () => {
    act({ choice: 'send', draft: untouched });
    act({ draft });
    assert.deepEqual(now().edited, []);
  });

  test('keeps what was written into an answer, and no other answer gets it', () => {
    answerIt();
    act({ edits: [{ at: '0', text: 'Mine' }] });
    session.dispose();
    session = open();
    receive({ type: 'ready' });
    const [view] = shown();
    assert.ok(view?.now.state.kind === 'answer');
    assert.deepEqual(
      view.now.state.answer.edited.map(({ text }) => text),
      ['Mine'],
    );
    answerIt('Another');
    const { state } = now();
    assert.ok(state.kind === 'answer');
    assert.deepEqual(state.answer.edited, []);
    assert.deepEqual(review.acts, []);
  });

  test('posts the text of the model alone, without the request', () => {
    act({ choice: 'send', draft: untouched });
    posted = posted.filter(({ type }) => type === 'show');
    review.become({ kind: 'generating', text: 'a b c' });
    const said = posted.filter(({ type }) => type !== 'show');
    assert.deepEqual(said, [
      {
        type: 'update',
        id: id(),
        update: { kind: 'progress', phase: 1, text: [{ text: 'a b c', isWrittenOut: false }] },
        status: '',
      },
    ]);
  });

  const ends: ['delivered' | 'denied' | 'never', string][] = [
    ['delivered', "Delivered to 'everything'."],
    ['denied', "Denied: 'everything' gets no answer from a language model."],
    ['never', "Never for 'everything': it gets no answer from a language model from now on."],
  ];
  for (const [how, words] of ends) {
    test(`says: ${words}`, () => {
      review.become({ kind: 'done', how });
      asked.dispose();
      assert.deepEqual(last(), { type: 'show', questions: [], status: words, isSharingKnown: false });
      assert.equal(finished, 1);
    });
  }

  test('says how one ended while another waits', () => {
    queue.ask(samplingQuestion(new ScriptedReview(), 'other'), () => undefined);
    review.become({ kind: 'done', how: 'delivered' });
    asked.dispose();
    const message = last();
    assert.equal(message?.type === 'show' && message.status, "Delivered to 'everything'. 1 left.");
    assert.equal(finished, 0);
  });

  test('stays when its request has ended, until it is closed', () => {
    end();
    assert.equal(queue.questions.length, 0);
    assert.equal(shown()[0]?.now.state.kind, 'ended');
    assert.equal(session.isEmpty, false);
    assert.equal(finished, 0);
    act({ choice: 'close' });
    assert.deepEqual(last(), { type: 'show', questions: [], status: '', isSharingKnown: false });
    assert.equal(session.isEmpty, true);
    assert.equal(finished, 1);
  });

  test('stays while others are answered, and lets the panel go after the last of all', () => {
    const other = new ScriptedReview();
    const otherAsked = queue.ask(samplingQuestion(other, 'other'), () => undefined);
    const order = shown().map((view) => view.id);
    end();
    assert.deepEqual(
      shown().map((view) => view.id),
      order,
      'it stays in its place',
    );
    other.become({ kind: 'done', how: 'denied' });
    otherAsked.dispose();
    assert.equal(finished, 0);
    act({ choice: 'close' });
    assert.equal(finished, 1);
  });

  test('is opened afterwards although it was never shown, and is gone once it is closed', () => {
    session.dispose();
    session = open();
    const [question] = queue.questions;
    assert.ok(question && isSamplingQuestion(question));
    end();
    missed.keep({ question, waitedMs: 60_000 }, new AbortController().signal);
    session.goToMissed(question);
    receive({ type: 'ready' });
    const [view] = shown();
    assert.ok(view?.now.state.kind === 'ended');
    assert.ok(view.now.choices.some(({ label }) => label === 'Run the Tool Again and Send This'));
    const message = last();
    assert.equal(message?.type === 'show' && message.focus, view.id);
    session.goToMissed(question);
    assert.equal(shown().length, 1, 'once, however often it is opened');
    act({ choice: 'close' });
    assert.equal(missed.has(question), false);
    assert.equal(session.isEmpty, true);
    assert.equal(finished, 1);
  });

  test('does not stay when it was never shown, or was withdrawn for another reason', () => {
    session.dispose();
    session = open();
    end();
    receive({ type: 'ready' });
    assert.deepEqual(shown(), []);
    const withdrawn = queue.ask(samplingQuestion(new ScriptedReview()), () => undefined);
    withdrawn.dispose();
    const message = last();
    assert.equal(
      message?.type === 'show' && message.status,
      "The question about 'everything' no longer applies.",
    );
    assert.equal(session.isEmpty, true);
  });

  test('stays when it ended while another tab was in front', () => {
    session.hidden();
    end();
    receive({ type: 'ready' });
    assert.equal(shown()[0]?.now.state.kind, 'ended');
  });

  test('takes only the choices of its last state when its request has ended', () => {
    answerIt();
    const before = phase();
    end({ answer: answer('Good day') });
    for (const from of [before, phase()]) {
      act({ choice: 'send', draft: { modelId: 'other', edits: [] } }, from);
    }
    act({ choice: 'deliver', edits: [] }, before);
    assert.deepEqual(review.acts, []);
  });

  test('runs the tool again with the present edits, once', () => {
    const given = answer('Good day');
    review.become({ kind: 'answer', answer: given, isStopped: false });
    act({ edits: [{ at: '0', text: 'Mine' }] });
    end({ answer: given });
    const edits = [{ at: '0', text: 'Mine, too' }];
    const from = phase();
    act({ choice: 'runAgain', draft: untouched, edits }, from);
    act({ choice: 'runAgain', draft: untouched, edits }, from);
    assert.deepEqual(review.acts, [['runAgain', edits, untouched]]);
    const message = last();
    assert.equal(
      message?.type === 'show' && message.status,
      "'ask' runs again. The answer is ready for it, once.",
    );
    assert.equal(finished, 1);
  });

  test('copies the answer, or the request, with your edits', () => {
    const given = answer('Good day', {
      parts: [
        { kind: 'text', text: 'a' },
        { kind: 'text', text: 'b' },
      ],
    });
    review.become({ kind: 'answer', answer: given, isStopped: false });
    act({ edits: [{ at: '1', text: 'Mine' }] });
    end({ answer: given });
    act({ choice: 'copy' });
    assert.deepEqual(copied, ['a\n\nMine']);
    assert.deepEqual(last(), { ...last(), status: 'Copied.' });
    review = new ScriptedReview({ systemPrompt: 'Be short.' });
    act({ choice: 'close' });
    asked = queue.ask(samplingQuestion(review), () => undefined);
    end();
    act({ draft });
    act({ choice: 'copy' });
    assert.deepEqual(copied[1], 'Be short.\n\nChanged');
    assert.deepEqual(review.acts, [], 'nobody waits for what is drafted');
  });
});
