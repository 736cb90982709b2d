import assert from 'node:assert/strict';
import type { FromRequestForm } from '../../../../src/host/requestForms/requestFormProtocol.ts';
import { plain } from '../../../../src/host/questions/panelText.ts';
import { rootsQuestions, type RootsQuestion } from '../../../../src/host/roots/rootsQuestion.ts';
import { packageScript, samplingServer, stdioServer } from '../../support/definitions.ts';
import { ElicitationBed } from '../../support/elicitationBed.ts';
import { RequestFormBed } from '../../support/requestFormBed.ts';
import { approve, SamplingBed, untilPhase } from '../../support/samplingBed.ts';
import { Speech } from '../../support/scriptedModels.ts';
import { samplingQuestion, ScriptedReview } from '../../support/scriptedReview.ts';

const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio'], {
  name: 'everything',
});
const wants = "'everything' wants to ask a language model.";

suite('A form whose tool makes its server ask you', () => {
  let sampling: SamplingBed;
  let bed: RequestFormBed;

  setup(() => {
    sampling = new SamplingBed();
    bed = new RequestFormBed(sampling);
  });

  teardown(() => bed.close());

  const statuses = (): readonly string[] =>
    bed.posted.flatMap((one) => (one.type === 'asked' || one.type === 'run' ? [one.status] : []));
  const run: FromRequestForm = { type: 'run', entered: ['Hi.', '20'] };

  test('shows the request for a language model, leads to it, and comes back when you have answered', async () => {
    await bed.open(everything, 'trigger-sampling-request');
    const running = bed.send(run);
    const review = await sampling.review();
    assert.equal(bed.asked, wants);
    await bed.send({ type: 'review' });
    assert.deepEqual(bed.reviewed, sampling.waiting);

    const speech = new Speech();
    sampling.models.speak = () => speech;
    sampling.settings.reviewsEveryAnswer = true;
    review.send(review.draft, 'once');
    await untilPhase(review, 'generating');
    assert.match(bed.asked, /^'everything' is waiting for an answer from /);
    speech.say('Hello.').end();
    await untilPhase(review, 'answer');
    assert.equal(bed.asked, "The answer from a language model for 'everything' is waiting for you.");
    assert.equal(bed.answered, 0);
    review.deliver([]);
    await sampling.untilNothingWaits();
    assert.equal(bed.asked, undefined);
    assert.equal(bed.answered, 1);
    await running;
    assert.match(bed.result, /LLM sampling result:[^]*Hello\./);
    assert.deepEqual(statuses().slice(0, 2), ['Running…', `${wants} Select "Review" to answer.`]);
    assert.equal(statuses().at(-2), 'Running…');
  });

  test('says it once, and shows it again in a page that comes back', async () => {
    const session = await bed.open(everything, 'trigger-sampling-request');
    const running = bed.send(run);
    const review = await sampling.review();
    review.edit({ ...review.draft });
    assert.equal(bed.posted.filter(({ type }) => type === 'asked').length, 1);
    session.hidden();
    session.opened();
    await bed.send({ type: 'ready' });
    assert.equal(bed.posted.at(-2)?.type, 'show');
    assert.equal(bed.asked, wants);
    review.deny();
    await running;
  });

  test('runs on without coming back when the server has stopped waiting', async () => {
    const server = samplingServer(['--timeout=600000'], { name: 'everything' });
    await bed.open(server, 'ask');
    const running = bed.send({ type: 'run', entered: ['Hi.', '', '', ''] });
    await sampling.review();
    await bed.send({ type: 'review' });
    await sampling.ask(server, {}, 'cancel');
    await sampling.untilNothingWaits();
    assert.equal(bed.asked, undefined);
    assert.equal(bed.answered, 0, 'its card stays where you read it');
    await running;
  });

  test('shows nothing that another call has made the server ask', async () => {
    const server = samplingServer(['--timeout=600000'], { name: 'everything' });
    await bed.open(server, 'heard');
    const other = sampling.ask(server);
    const review = await sampling.review();
    await bed.send({ type: 'run', entered: ['', '', '', ''] });
    assert.equal(
      bed.posted.some(({ type }) => type === 'asked'),
      false,
    );
    review.deny();
    await other;
  });

  test('says that it may be for another request while the server handles several', async () => {
    await bed.open(everything, 'trigger-sampling-request');
    const long = bed.gateBed.hostBed
      .of(everything)
      .callTool('trigger-long-running-operation', { duration: 600 });
    long.catch(() => {});
    const running = bed.send(run);
    const review = await sampling.review();
    const asked = bed.posted.find((one) => one.type === 'asked')?.asked;
    assert.match(asked?.hint ?? '', /^It may be for another request/);
    review.deny();
    await running;
  });

  test('shows that its server asks for folders, which may be for any request', async () => {
    await bed.open(everything, 'trigger-long-running-operation');
    const running = bed.send({ type: 'run', entered: ['600', '6000'] });
    await bed.untilPosted('progress');
    const { questions } = sampling.hostBed;
    const servers = [{ definition: everything, label: 'everything' }];
    const question: RootsQuestion = { kind: rootsQuestions, servers, folders: [] };
    questions.ask(question, () => {});
    const last = bed.posted.at(-1);
    assert.ok(last?.type === 'asked');
    assert.equal(bed.asked, "Share folders with 'everything'?");
    assert.match(last.asked?.hint ?? '', /^It may be for another request/);
    await bed.send({ type: 'review' });
    questions.answer(question, { answer: 'notNow' });
    assert.equal(bed.asked, undefined);
    assert.equal(bed.answered, 1);
    await bed.send({ type: 'cancel' });
    await running;
  });

  test('counts several questions', async () => {
    await bed.open(everything, 'trigger-sampling-request');
    const running = bed.send(run);
    const review = await sampling.review();
    const second = new ScriptedReview();
    second.subject.requests = [...review.subject.requests];
    const { questions } = sampling.hostBed;
    const other = questions.ask(samplingQuestion(second, 'everything'), () => {});
    assert.equal(bed.asked, '2 questions are waiting.');
    await bed.send({ type: 'review' });
    assert.equal(bed.reviewed[0], sampling.waiting[0], 'the one that has waited longest');
    other.dispose();
    assert.equal(bed.asked, wants);
    await approve(review);
    await running;
    assert.equal(bed.answered, 1);
  });
});

suite('A form whose tool runs again after a review', () => {
  let sampling: SamplingBed;
  let bed: RequestFormBed;
  const server = samplingServer(['--timeout=600000'], { name: 'everything' });

  setup(() => {
    sampling = new SamplingBed();
    bed = new RequestFormBed(sampling);
  });

  teardown(() => bed.close());

  const noteTexts = (): readonly string[] => {
    const { run } = bed;
    return run.kind === 'result' ? run.notes.map(plain) : [run.kind];
  };

  test('shows the result of the arguments that it had, comes back, and says if others are entered now', async () => {
    const session = await bed.open(server, 'ask');
    const sent = { args: { prompt: 'Hi.' }, secrets: new Set<string>(), secretTexts: [] };
    await bed.send({ type: 'enter', entered: ['Hi.', '', '', ''] });
    for (const [entered, notes] of [
      [['Hi.', '', '', ''], 0],
      [['Ho.', '', '', ''], 1],
    ] as const) {
      await bed.send({ type: 'enter', entered });
      const before = bed.answered;
      const running = session.runAgain(sent);
      await approve(await sampling.review());
      await running;
      assert.equal(bed.answered - before, 1);
      assert.equal(noteTexts().length, notes);
    }
    assert.match(noteTexts().join(), /arguments of the call before/);
    assert.deepEqual(sampling.models.said, ['Hi.', 'Hi.']);
  });
});

suite('A form whose tool asks you to fill in a form', () => {
  test('leads to it, and comes back when you have answered', async () => {
    const elicitation = new ElicitationBed();
    const bed = new RequestFormBed(elicitation);
    try {
      const opened = bed.open(everything, 'trigger-elicitation-request');
      const { open } = await elicitation.form();
      assert.equal(bed.asked, "'everything' asks you to fill in a form.");
      await bed.send({ type: 'review' });
      assert.deepEqual(bed.reviewed, elicitation.waiting);
      open.end({ action: 'decline' });
      await opened;
      assert.equal(bed.answered, 1);
      assert.match(bed.result, /declined/);
    } finally {
      await bed.close();
    }
  });
});
