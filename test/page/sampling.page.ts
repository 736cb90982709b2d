import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import { afterTimeout } from '../../src/base/time/clock.ts';
import { samplingServer } from '../unit/support/definitions.ts';
import { SamplingBed, type Got } from '../unit/support/samplingBed.ts';
import { model, Speech } from '../unit/support/scriptedModels.ts';
import { ReviewBed } from './support/reviewBed.ts';

const title = "'asker' wants to ask a language model";
const denied = { error: { code: -1, message: 'User rejected sampling request' } };

suite('A request for a language model', () => {
  const asker = samplingServer(['--timeout=600000'], { name: 'asker' });
  const bed = new SamplingBed({ now: Date.now, after: afterTimeout });
  const reviewed = new ReviewBed(bed.hostBed.questions, bed.missed);
  const { heard } = bed.models;
  let answered: Promise<Got>;

  suiteSetup(async () => {
    bed.models.list = [model('one', { name: 'Model One' }), model('two', { name: 'Model Two' })];
    await bed.hostBed.run(asker);
  });

  suiteTeardown(async () => {
    await reviewed.close();
    await bed.close();
  });

  const ask = async (text: string): Promise<void> => {
    const messages = [{ role: 'user', content: { type: 'text', text } }];
    const params = { messages, systemPrompt: 'You are helpful.', maxTokens: 100, temperature: 0.7 };
    answered = bed.ask(asker, { params });
    await bed.review();
  };
  /** Asks, opens the panel, and gives the card. */
  const review = async (text: string) => {
    await ask(text);
    await reviewed.open();
    const card = reviewed.review.sampling('asker');
    await card.waitFor('request');
    return card;
  };
  const answerOf = (text: string, name = 'Model One') => ({
    result: { model: name, stopReason: 'endTurn', role: 'assistant', content: { type: 'text', text } },
  });

  test('shows who asks and why, and all that would be sent', async () => {
    const card = await review('Tell me of Bern.');
    const text = await card.waitForText(/≈ \d+ tokens in, up to 100 out; 200,000 are left for today/);
    assert.match(text, /While it runs 'ask'/);
    assert.ok(text.includes('You are helpful.') && text.includes('Tell me of Bern.'), text);
    await eventually.deepEqual(
      () => card.buttons(),
      ['Send', 'Send and Allow for This Session', 'Deny', 'Never for This Server'],
    );
    assert.equal(await card.model(), 'Model One');
    await reviewed.review.waitForFocus(title);
    await reviewed.panel.page.keyboard.press('Enter');
    await reviewed.panel.inspect('sampling-request');
    await reviewed.panel.inspectNarrow('sampling-request');
    assert.equal(await card.phase(), 'request');
    assert.equal(heard.length, 0);
  });

  test('is sent as you have edited it, and stops when you cancel', async () => {
    const card = reviewed.review.sampling('asker');
    bed.models.speak = () => new Speech().say('Bern is the capital of Switzerland.');
    await card.beginEdit('the message');
    await reviewed.panel.inspect('sampling-editing', ['dark']);
    await card.edit('the message', 'Tell me of Thun.');
    await card.edit('the system prompt', 'You know the cities of Switzerland.');
    await card.pressByKey('Send');
    await card.waitForText('Bern is the capital');
    await reviewed.panel.inspect('sampling-generating');
    await card.pressByKey('Stop');
    assert.match(await card.waitFor('answer'), /You stopped it\./);
    await eventually.deepEqual(() => card.buttons(), ['Deliver', 'Regenerate', 'Deny']);
    assert.deepEqual(bed.models.said, ['Tell me of Thun.']);
    assert.partialDeepStrictEqual(heard[0]?.request, {
      systemPrompt: 'You know the cities of Switzerland.',
      maxTokens: 100,
      temperature: 0.7,
    });
  });

  test('is generated again, and its answer delivered as you have edited it', async () => {
    const card = reviewed.review.sampling('asker');
    bed.models.speak = () => new Speech().say('Thun is on a lake.').end();
    await card.pressByKey('Regenerate');
    await card.waitForText('Thun is on a lake.');
    await card.waitFor('answer');
    assert.deepEqual(heard[1]?.json, heard[0]?.json, 'another request than before');
    await card.edit('the answer', 'Thun lies on the Aare.\n\tOtherwise true.');
    await reviewed.panel.inspect('sampling-answer');
    await card.press('Deliver'); // by the pointer, which takes nothing just after the card has moved
    assert.deepEqual(await answered, answerOf('Thun lies on the Aare.\n\tOtherwise true.'));
    await reviewed.close();
  });

  test('is put off by closing the panel, asked again, and denied', async () => {
    await review('Tell me of Thun.');
    await reviewed.close();
    assert.equal(bed.waiting.length, 1);
    await reviewed.open();
    const card = reviewed.review.sampling('asker');
    await card.waitFor('request');
    await card.press('Deny');
    assert.deepEqual(await answered, denied);
    assert.equal(heard.length, 2);
    await reviewed.close();
  });

  test('is answered with the keyboard alone', async () => {
    const { keyboard } = (await review('Tell me of Chur.'), reviewed.panel.page);
    bed.models.speak = () => new Speech().say('It is in the Grisons.').end();
    await reviewed.review.waitForFocus(title);
    await reviewed.review.tabTo(`Send: ${title}`);
    await keyboard.press('Enter');
    const answeredTitle = "Model One has answered 'asker'";
    await reviewed.review.waitForFocus(answeredTitle);
    await reviewed.review.tabTo(`Deliver: ${answeredTitle}`);
    await keyboard.press('Enter');
    assert.deepEqual(await answered, answerOf('It is in the Grisons.'));
    await reviewed.close();
  });

  test('goes to another model when the first one fails', async () => {
    const card = await review('Tell me of Biel.');
    bed.models.speak = () => new Speech().fail(new Error('The provider is out of order.'));
    await card.pressByKey('Send');
    await card.waitForText(/The provider is out of order\./);
    await card.waitFor('request');
    await reviewed.panel.inspect('sampling-failed', ['light', 'dark']);
    bed.models.speak = () => new Speech().say('It is on a lake.').end();
    await card.chooseModel('Model Two');
    await card.pressByKey('Send');
    await card.waitFor('answer');
    await card.pressByKey('Deliver');
    assert.deepEqual(await answered, answerOf('It is on a lake.', 'Model Two'));
    assert.equal(heard.at(-1)?.modelId, 'two');
    await reviewed.close();
  });

  test('passes without a question once it is allowed for the session', async () => {
    const card = await review('Tell me of Zug.');
    bed.models.speak = () => new Speech().say('It is small.').end();
    await card.pressByKey('Send and Allow for This Session');
    await card.waitFor('answer');
    await card.pressByKey('Deliver');
    assert.deepEqual(await answered, answerOf('It is small.'));
    await reviewed.close();
    assert.deepEqual(await bed.ask(asker), answerOf('It is small.'));
  });

  test('passes on images, and tools that the server itself runs', async () => {
    await bed.relaunch({ ...asker, args: [...asker.args, '--name=other'] });
    const data =
      'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mO4oGBAEmIY1TCqYfhqAAC85yAQqjH2iwAAAABJRU5ErkJggg==';
    const weather = {
      name: 'weather',
      description: 'Tells the weather of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    };
    const content = [
      { type: 'text', text: 'How is the weather?' },
      { type: 'image', mimeType: 'image/png', data },
    ];
    const params = { messages: [{ role: 'user', content }], maxTokens: 100, tools: [weather] };
    answered = bed.ask(asker, { params });
    await bed.review();
    await reviewed.open();
    bed.models.speak = () => new Speech().say('I use weather.').use('weather', { city: 'Altdorf' }).end();
    const card = reviewed.review.sampling('asker');
    await card.waitFor('request');
    await card.unfold('weather');
    const text = await card.text();
    assert.match(text, /Image, image\/png, 1 KB/);
    assert.match(text, /Tells the weather of a city\./);
    await reviewed.panel.inspect('sampling-image');
    await card.pressByKey('Send');
    assert.match(await card.waitFor('answer'), /Asks to run the tool 'weather'/);
    await reviewed.panel.inspect('sampling-tool');
    await card.pressByKey('Deliver');
    assert.partialDeepStrictEqual(await answered, {
      result: {
        content: [
          { type: 'text', text: 'I use weather.' },
          { type: 'tool_use', name: 'weather', input: { city: 'Altdorf' } },
        ],
        stopReason: 'toolUse',
      },
    });
    assert.partialDeepStrictEqual(heard.at(-1)?.request, { tools: [weather] });
    assert.ok(heard.at(-1)?.json.includes(data), 'the image was sent');
    await reviewed.close();
  });

  test('is never asked again if you choose that', async () => {
    const card = await review('Tell me of Olten.');
    const before = heard.length;
    await card.pressByKey('Never for This Server');
    assert.deepEqual(await answered, denied);
    await reviewed.close();
    assert.deepEqual(await bed.ask(asker), denied);
    assert.equal(heard.length, before);
  });
});
