import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import { packageScript, stdioServer } from '../unit/support/definitions.ts';
import { approve, SamplingBed } from '../unit/support/samplingBed.ts';
import { FormBed } from './support/formBed.ts';

suite('The form of a tool that makes its server ask you', () => {
  const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio'], {
    name: 'everything',
  });
  const sampling = new SamplingBed();
  const forms = new FormBed(sampling);
  const { bed } = forms;

  suiteSetup(async () => {
    await sampling.hostBed.run(everything);
    await bed.gateBed.untilListed(everything);
  });

  suiteTeardown(() => forms.close());

  const run = async () => {
    const form = await forms.open((one) => one.show(everything, 'trigger-sampling-request'));
    await form.fill('prompt', 'Say hello.');
    await form.run();
    return { form, review: await sampling.review() };
  };
  /** Each text that the page announces from now on. */
  const announced = (): Promise<() => Promise<readonly string[]>> =>
    forms.panel.page
      .evaluateHandle(() => {
        const texts: string[] = [];
        const status = document.querySelector('[role=status]');
        new MutationObserver(() => texts.push(status?.textContent ?? '')).observe(status ?? document.body, {
          childList: true,
        });
        return texts;
      })
      .then((texts) => () => texts.jsonValue());

  test('shows what it waits for instead of "Running", announces it once, and leads there with the keyboard', async () => {
    const { form, review } = await run();
    await form.waitForStatus(/^'everything' wants to ask a language model\. Select "Review" to answer\.$/);
    const heard = await announced();
    await form.waitForText(/The server has waited for [1-9]\d* s\. The time limit of the request is paused/);
    assert.equal(await forms.panel.page.getByRole('progressbar').isVisible(), false);
    await forms.panel.inspect('tool-question', ['light', 'highContrast', 'dark']);
    await forms.panel.inspectNarrow('tool-question');
    assert.deepEqual(await heard(), []);

    await form.press('Review');
    await eventually.deepEqual(() => Promise.resolve(bed.reviewed), [...sampling.waiting]);
    await forms.panel.hide();
    await forms.panel.show();
    await form.waitForText(/'everything' wants to ask a language model\./);
    await approve(review);
    await eventually.equal(() => Promise.resolve(bed.answered), 1);
    await form.result(/LLM sampling result/);
  });

  test('says that it runs when the question has gone', async () => {
    const { form, review } = await run();
    await form.waitForStatus(/wants to ask a language model/);
    const heard = await announced();
    review.deny();
    await form.result(/rejected sampling/);
    assert.deepEqual((await heard()).slice(0, 1), ['Running…']);
  });
});
