import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import { addressServer, samplingServer } from '../unit/support/definitions.ts';
import { textOf } from '../unit/support/connectionBed.ts';
import { ElicitationBed } from '../unit/support/elicitationBed.ts';
import { ReviewBed } from './support/reviewBed.ts';

const title = "'asker' asks you to fill in a form";
const form = {
  message: 'Please provide inputs for the following fields:',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', description: 'As in your passport' },
      mail: { type: 'string', title: 'Mail', format: 'email' },
      age: { type: 'integer', title: 'Age', minimum: 1 },
      subscribe: { type: 'boolean', title: 'Subscribe', default: true },
      color: { type: 'string', title: 'Color', enum: ['red', 'green'] },
    },
    required: ['name'],
  },
};

suite('The form of a server', () => {
  const asker = samplingServer(['--timeout=600000'], { name: 'asker' });
  const accounts = addressServer([], { name: 'accounts' });
  const bed = new ElicitationBed();
  const reviewed = new ReviewBed(bed.hostBed.questions);
  let answered: Promise<unknown>;

  suiteSetup(async () => {
    await bed.hostBed.run(asker, accounts);
  });

  suiteTeardown(async () => {
    await reviewed.close();
    await bed.close();
  });

  const ask = async (params: object = form): Promise<void> => {
    answered = bed.ask(asker, params);
    await bed.form();
    await reviewed.open();
    await reviewed.review.waitFor(1);
  };
  const field = (label: string) => reviewed.panel.page.getByLabel(label, { exact: true });

  test('says which server asks, while doing what, and looks well', async () => {
    await ask();
    const { panel, review } = reviewed;
    await panel.inspect('elicitation-empty');
    const question = await review.open('asker');
    assert.equal(question.title, title);
    assert.match(question.text, /It asks while it runs 'ask'\./);
    assert.match(question.text, /Please provide inputs for the following fields:/);
    assert.match(question.text, /Servers must not ask for passwords or keys in a form\./);
    assert.match(
      question.text,
      /What you enter is never stored: it stays until you answer, or reload the window/,
    );
    assert.deepEqual(question.buttons, ['Submit', 'Decline']);
    assert.deepEqual(question.more, ['Cancel', 'Never Ask']);
    await review.waitForFocus(title);
    await panel.inspect('elicitation-details', ['light', 'dark']);
    await panel.inspectNarrow('elicitation-empty');
  });

  test('shows errors at their fields, a summary, and the first of them', async () => {
    const { panel, review } = reviewed;
    await field('Mail').fill('nobody');
    await eventually.match(() => review.text(), /This must be an e-mail address/);
    await review.press('asker', 'Submit');
    await eventually.match(() => review.text(), /2 problems to fix before this can be sent/);
    await eventually.equal(
      () => field('Name (required)').evaluate((node) => node === document.activeElement),
      true,
    );
    await panel.inspect('elicitation-problems');
  });

  test('keeps what was entered when its panel is closed, which is not an answer', async () => {
    assert.ok(!JSON.stringify(await reviewed.panel.state()).includes('nobody'), 'the page has stored it');
    await reviewed.close();
    assert.equal(bed.waiting.length, 1);
    await reviewed.open();
    await reviewed.review.waitFor(1);
    await eventually.equal(() => field('Mail').inputValue(), 'nobody');
  });

  test('is filled in and submitted with the keyboard', async () => {
    const { panel, review } = reviewed;
    await field('Mail').fill('jo@example.com');
    await field('Name (required)').focus();
    await panel.page.keyboard.type('Jo Doe');
    await review.tabTo(/^Submit: /);
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await answered, {
      result: { action: 'accept', content: { name: 'Jo Doe', mail: 'jo@example.com', subscribe: true } },
    });
    await reviewed.close();
  });

  test('proposes the last answer, and is declined', async () => {
    await ask();
    await eventually.equal(() => field('Name (required)').inputValue(), 'Jo Doe');
    await reviewed.review.answer('asker', 'Decline');
    assert.deepEqual(await answered, { result: { action: 'decline' } });
    await reviewed.close();
  });

  test('is cancelled', async () => {
    await ask();
    await reviewed.review.answer('asker', 'Cancel');
    assert.deepEqual(await answered, { result: { action: 'cancel' } });
    await reviewed.close();
  });

  test('is flagged when it asks for a password', async () => {
    await ask({
      message: 'Please sign in.',
      requestedSchema: {
        type: 'object',
        properties: { password: { type: 'string', title: 'Your password' } },
        required: ['password'],
      },
    });
    const [question] = await reviewed.review.waitFor(1);
    assert.match(question?.text ?? '', /seems to ask for a password, a token or a key/);
    assert.equal(question?.buttons[0], 'Decline');
    const password = field('Your password (required)');
    await password.fill('not shown');
    assert.equal(await password.getAttribute('type'), 'password');
    await reviewed.panel.inspect('elicitation-flagged');
    await reviewed.review.answer('asker', 'Never Ask');
    assert.deepEqual(await answered, { result: { action: 'decline' } });
    await reviewed.close();
    assert.deepEqual(await bed.ask(asker, form), { result: { action: 'decline' } });
  });

  test('can be an address, which opens in the browser and is waited for', async () => {
    const called = textOf(bed.hostBed.of(accounts).callTool('connect', {}));
    await bed.address();
    const review = await reviewed.open();
    const { panel } = reviewed;
    const [question] = await review.waitFor(1);
    const [address = '', host = ''] =
      /http:\/\/(127\.0\.0\.1:\d+)\/connect\?id=\S+/.exec(question?.text ?? '') ?? [];
    assert.ok(question);
    assert.ok(question.text.includes(`Its host is ${host}`), question.text);
    assert.match(question.text, /It can't handle 'connect' until this address is opened and done\./);
    assert.match(
      question.text,
      /Warning: The page is on your own machine, or on the one that the editor is connected to\./,
    );
    const heading = "'accounts' asks you to open an address";
    await review.waitForFocus(heading);
    await panel.inspect('elicitation-address');
    await panel.page.getByRole('heading', { name: heading }).focus();
    await review.tabTo(/^Open in Browser: /);
    await panel.page.keyboard.press('Enter');
    await eventually.match(() => review.text(), /Waiting for the server\./);
    assert.deepEqual(bed.visited, [address]);
    await panel.inspect('elicitation-address-waiting');
    await followLink(address);
    assert.match(await called, /"calls":\s*2/);
    await eventually.match(() => review.text(), /Nothing is waiting for you\./);
    await reviewed.close();
  });

  test('can be several addresses, each with its own state', async () => {
    const called = textOf(bed.hostBed.of(accounts).callTool('connect', { count: 3 }));
    await bed.address();
    const review = await reviewed.open();
    const { page } = reviewed.panel;
    const button = (label: string, which: number) =>
      page.getByRole('button', { name: new RegExp(`^${label}: .*, address ${which} of 3$`) });
    const press = async (label: string, which: number): Promise<void> => {
      // The pointer is ignored just after cards have moved.
      await button(label, which).focus();
      await page.keyboard.press('Enter');
    };
    const connect = async (which: number): Promise<void> => {
      const visits = bed.visited.length;
      await press('Open in Browser', which);
      await eventually.equal(() => Promise.resolve(bed.visited.length), visits + 1);
      await followLink(bed.visited.at(-1) ?? '');
    };
    for (const which of [1, 2, 3]) {
      await eventually.match(() => review.text(), new RegExp(`Connect your account number ${which}\\.`));
      await eventually.ok(() => button('Open in Browser', which).isVisible());
    }
    await connect(2);
    await eventually.ok(() => button('Open in Browser', 2).isHidden());
    assert.deepEqual(
      await Promise.all([1, 2, 3].map((which) => button('Open in Browser', which).isVisible())),
      [true, false, true],
      'one that is done leaves the others',
    );
    await press('Copy the Address', 1);
    await eventually.match(() => review.text(), /Copied\. Open it in a browser, and select "I'm Done"/);
    await reviewed.panel.inspect('elicitation-addresses');
    await press("I'm Done", 1);
    await eventually.ok(() => button('Open in Browser', 1).isHidden());
    assert.ok(await button('Open in Browser', 3).isVisible(), 'the request waits for all of them');
    await connect(3);
    assert.match(await called, /"calls":\s*4/);
    await reviewed.close();
  });
});

/** Selects the one link of the page at an address. */
async function followLink(address: string): Promise<void> {
  const page = await (await fetch(address)).text();
  const [, link = ''] = /href="([^"]+)"/.exec(page) ?? [];
  await fetch(new URL(link, address));
}
