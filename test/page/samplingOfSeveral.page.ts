import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import type { ServerDefinition } from '../../src/host/config/serverDefinition.ts';
import { afterTimeout } from '../../src/base/time/clock.ts';
import { samplingServer } from '../unit/support/definitions.ts';
import { SamplingBed, type Got } from '../unit/support/samplingBed.ts';
import { model, Speech } from '../unit/support/scriptedModels.ts';
import { until } from '../unit/support/until.ts';
import { ReviewBed } from './support/reviewBed.ts';

const patient = '--timeout=600000';
const markup =
  '<img src="https://example.invalid/a.png" onerror="document.body.remove()"> <script>document.body.remove()</script> ' +
  '[Run](command:workbench.action.closeWindow) ![](https://example.invalid/b.png)';
const runAgain = 'Retry with This Answer';
const sendAgain = 'Run the Tool Again and Send This';
const denied = { error: { code: -1, message: 'User rejected sampling request' } };

suite('Requests of several servers for a language model', () => {
  const asker = samplingServer([patient], { name: 'asker' });
  const hasty = samplingServer([patient], { name: 'hasty' });
  const modern = samplingServer(['--modern'], { name: 'modern' });
  let bed: SamplingBed;
  let reviewed: ReviewBed;

  setup(() => {
    bed = new SamplingBed({ now: Date.now, after: afterTimeout });
    bed.models.list = [model('one', { name: 'Model One' })];
    bed.models.speak = () => new Speech().say('So be it.').end();
    reviewed = new ReviewBed(bed.hostBed.questions, bed.missed);
  });

  teardown(async () => {
    await reviewed.close();
    await bed.close();
  });

  const ask = async (server: ServerDefinition, prompt: string, more = {}): Promise<{ got: Promise<Got> }> => {
    const count = bed.waiting.length;
    const got = bed.ask(server, { prompt, ...more });
    await until(() => bed.waiting.length > count, 'it is asked', bed.hostBed.questions.onDidChange);
    return { got };
  };
  const cardOf = ({ name }: ServerDefinition) => reviewed.review.sampling(name);
  /** Lets a server stop waiting for what it has asked. */
  const giveUp = (server: ServerDefinition): void => {
    const pid = bed.hostBed.pidOf(server);
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGUSR2');
  };
  const answerOf = (text: string) => ({
    result: {
      role: 'assistant',
      content: { type: 'text', text },
      model: 'Model One',
      stopReason: 'endTurn',
    },
  });

  test('are shown at once, and as text whatever they say', async () => {
    await bed.hostBed.run(asker, modern);
    const first = await ask(asker, `${markup} \u202Edlrow olleh\u202C \u200B`);
    const second = await ask(modern, 'Tell me of Bern.');
    await reviewed.open();
    await reviewed.review.waitFor(2);
    const text = await cardOf(asker).text();
    assert.ok(text.includes(`${markup} \\u{202E}dlrow olleh\\u{202C} \\u{200B}`), text);
    await reviewed.panel.inspect('sampling-two');
    await cardOf(modern).edit('the message', 'Tell me of Biel.');
    await cardOf(modern).pressByKey('Send');
    await cardOf(modern).waitFor('answer');
    assert.equal(await cardOf(asker).phase(), 'request');
    await cardOf(asker).press('Deny');
    assert.deepEqual(await first.got, denied);
    await cardOf(modern).waitFor('answer');
    await cardOf(modern).edit('the answer', 'It is on a lake.');
    await cardOf(modern).pressByKey('Deliver');
    assert.deepEqual(await second.got, answerOf('It is on a lake.'));
    assert.deepEqual(bed.models.said, ['Tell me of Biel.']);
  });

  test('are not answered once a server has stopped waiting, and the answer is kept for one retry', async () => {
    await bed.hostBed.run(asker, hasty);
    const first = await ask(asker, 'Tell me of Thun.');
    const second = await ask(hasty, 'Tell me of Chur.');
    await reviewed.open();
    await cardOf(hasty).waitFor('request');
    await cardOf(hasty).pressByKey('Send');
    await cardOf(hasty).waitFor('answer');
    await cardOf(hasty).edit('the answer', 'It is in the Grisons.');
    giveUp(hasty);
    assert.match(await cardOf(hasty).waitFor('ended'), /'hasty' stopped waiting after \d+ s\./);
    await eventually.deepEqual(() => cardOf(hasty).buttons(), [runAgain, 'Copy', 'Close']);
    await second.got;
    await reviewed.panel.inspect('sampling-ended');
    giveUp(asker);
    assert.match(await cardOf(asker).waitFor('ended'), /'asker' stopped waiting after \d+ s\./);
    await eventually.deepEqual(() => cardOf(asker).buttons(), [sendAgain, 'Copy', 'Close']);
    await first.got;

    await cardOf(hasty).pressByKey('Copy');
    await eventually.deepEqual(() => Promise.resolve(reviewed.copied), ['It is in the Grisons.']);
    await cardOf(hasty).pressByKey(runAgain);
    await eventually.equal(() => Promise.resolve(bed.runAgain.length), 1);
    assert.deepEqual(await bed.ask(hasty, { prompt: 'Tell me of Chur.' }), answerOf('It is in the Grisons.'));
    assert.equal(bed.models.heard.length, 1, 'the model was asked again');
    await cardOf(asker).pressByKey(sendAgain);
    await eventually.equal(() => Promise.resolve(bed.runAgain.length), 2);
    const again = await ask(asker, 'Tell me of Thun.');
    await cardOf(asker).waitFor('answer');
    assert.equal(bed.models.heard.length, 2);
    await cardOf(asker).pressByKey('Deliver');
    assert.deepEqual(await again.got, answerOf('So be it.'));

    const third = await ask(hasty, 'Tell me of Chur.');
    await cardOf(hasty).waitFor('request');
    await cardOf(hasty).pressByKey('Deny');
    assert.deepEqual(await third.got, denied, 'what was ready once is not ready twice');
  });

  test('can be sent for the next run when you have not looked at them in time', async () => {
    await bed.hostBed.run(hasty);
    const { got } = await ask(hasty, 'Tell me of Arth.');
    const [question] = bed.waiting;
    assert.ok(question);
    giveUp(hasty);
    await got;
    await bed.untilNothingWaits();
    await reviewed.open();
    reviewed.session.goToMissed(question);
    assert.match(await cardOf(hasty).waitFor('ended'), /'hasty' stopped waiting after \d+ s\./);
    await eventually.deepEqual(() => cardOf(hasty).buttons(), [sendAgain, 'Copy', 'Close']);
    await cardOf(hasty).pressByKey('Close');
    await cardOf(hasty).waitUntilGone();
    assert.equal(reviewed.finished, 1);
  });

  test('go on where they were when the panel is closed and opened again', async () => {
    await bed.hostBed.run(asker);
    const speech = new Speech().say('It has a ring');
    bed.models.speak = () => speech;
    const { got } = await ask(asker, 'Uri has a bull on its flag, with a ring in its nose.');
    const reopen = async (): Promise<void> => {
      await reviewed.close();
      await reviewed.open();
    };
    await reviewed.open();
    await cardOf(asker).waitFor('request');
    await cardOf(asker).edit('the message', 'Uri has a bull on its flag.');
    await reopen();
    assert.match(await cardOf(asker).waitFor('request'), /Uri has a bull on its flag\.\n/);
    await cardOf(asker).pressByKey('Send');
    await cardOf(asker).waitForText('It has a ring');
    await reopen();
    await cardOf(asker).waitForText('It has a ring');
    await reviewed.panel.hide();
    speech.say(' in its nose.').end();
    await reviewed.panel.show();
    await cardOf(asker).waitFor('answer');
    await cardOf(asker).edit('the answer', 'Uri has a bull.');
    await reopen();
    assert.match(await cardOf(asker).waitFor('answer'), /Uri has a bull\.\n/);
    await cardOf(asker).pressByKey('Deliver');
    assert.deepEqual(await got, answerOf('Uri has a bull.'));
  });

  test('say so if they are made at other times', async () => {
    await bed.hostBed.run(asker);
    await bed.ask(asker, { prompt: 'Tell me of Zug.' }, 'askLater');
    await bed.review();
    await reviewed.open();
    await cardOf(asker).waitForText(/It is not handling a request of yours at the moment\./);
    await reviewed.panel.inspect('sampling-unasked', ['light', 'dark']);
    await cardOf(asker).pressByKey('Deny');
    await bed.untilNothingWaits();
  });

  test('cannot be sent beyond the limit of the day', async () => {
    bed.settings.change({ maxTokensPerDay: 2000 });
    await bed.hostBed.run(asker);
    const { got } = await ask(asker, 'Tell me of Zug.', { maxTokens: 3000 });
    await reviewed.open();
    await cardOf(asker).waitForText(/may take about 3,\d+ tokens; of 2,000 for this day \d,\d+ are left/);
    await reviewed.panel.inspect('sampling-limit');
    assert.equal(await cardOf(asker).isEnabled('Send'), false);
    await cardOf(asker).pressByKey('Deny');
    assert.deepEqual(await got, denied);
    assert.equal(bed.models.heard.length, 0);
  });

  test('end with their server', async () => {
    bed.models.speak = () => new Speech().say('Olten has');
    const [connection] = await bed.hostBed.run(hasty);
    const { got } = await ask(hasty, 'Olten has a station, and fog.');
    await reviewed.open();
    await cardOf(hasty).waitFor('request');
    await cardOf(hasty).pressByKey('Send');
    await cardOf(hasty).waitFor('generating');
    await Promise.all([assert.rejects(got), connection?.stop()]);
    assert.match(await cardOf(hasty).waitFor('ended'), /stopped/);
    await reviewed.panel.inspect('sampling-stopped-server', ['dark']);
    await cardOf(hasty).pressByKey('Close');
    await cardOf(hasty).waitUntilGone();
  });
});
