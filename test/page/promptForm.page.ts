import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../src/host/config/serverDefinition.ts';
import type { RequestFormStart } from '../../src/host/requestForms/requestFormSession.ts';
import { eventually } from '../editor/expectation.ts';
import { legacyServer, packageScript, stdioServer } from '../unit/support/definitions.ts';
import { FormBed } from './support/formBed.ts';

const promotion = 'Please promote Alice to the head of the Engineering team.';

suite('The form of a prompt', () => {
  const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio'], {
    name: 'everything',
  });
  /** Its prompts are hostile, or never come. */
  const unfriendly = legacyServer(['--prompts=odd,silent,picture,wide'], { name: 'unfriendly' });
  const forms = new FormBed();
  const { bed } = forms;

  suiteSetup(async () => {
    await bed.gateBed.hostBed.run(everything, unfriendly);
  });

  suiteTeardown(() => forms.close());

  const open = (
    prompt: string,
    server: ServerDefinition = everything,
    start: Partial<RequestFormStart> = {},
  ) => forms.open((one) => one.showPrompt(server, prompt, start));
  const isFocused = (label: string) => () =>
    forms.form.field(label).evaluate((node) => node === document.activeElement);

  test('shows a prompt without arguments at once, of which nothing is sent', async () => {
    const form = await open('simple-prompt');
    const text = await form.result(/This is a simple prompt without arguments\./);
    assert.match(text, /^Prompt\s+Took .*Nothing has been sent\./);
  });

  test('has suggestions in its fields, and is filled in with the keyboard', async () => {
    const form = await open('completable-prompt');
    const { keyboard } = forms.panel.page;
    await eventually.equal(isFocused('department'), true);
    await keyboard.press('ControlOrMeta+Enter');
    await form.waitForText(/2 problems to fix before this can be sent/);
    await forms.panel.inspect('prompt-required', ['light', 'dark']);
    await keyboard.type('S');
    await form.waitForSuggestions('Sales', 'Support');
    await keyboard.press('Escape');
    await eventually.deepEqual(() => form.suggestions(), []);
    assert.equal(await form.value('department'), 'S', 'Escape only closes the list');
    await form.fill('department', '');
    await form.waitForSuggestions('Engineering', 'Sales', 'Marketing', 'Support');
    await keyboard.press('ArrowDown');
    const field = form.field('department');
    assert.match((await field.getAttribute('aria-activedescendant')) ?? '', /-0$/);
    await forms.panel.inspect('prompt-suggestions');
    for (const key of ['ArrowDown', 'ArrowUp', 'Enter']) {
      await field.press(key);
    }
    await eventually.equal(() => form.value('department'), 'Engineering');
    await keyboard.press('Tab');
    await keyboard.press('ArrowDown');
    await form.waitForSuggestions('Alice', 'Bob', 'Charlie');
    await form.pick('Alice');
    await eventually.equal(() => form.value('name'), 'Alice');
    await keyboard.press('ControlOrMeta+Enter');
    await form.result(new RegExp(promotion));
    await forms.panel.inspect('prompt-result');
  });

  test('hands the prompt on in each way', async () => {
    const { form } = forms;
    for (const [button, how] of [
      ['Send to Chat', 'send'],
      ['Copy', 'copy'],
      ['Insert into Editor', 'insert'],
      ['Open as Document', 'document'],
    ] as const) {
      await form.press(button);
      await eventually.equal(() => Promise.resolve(bed.used.at(-1)), `${how}: ${promotion}`);
    }
  });

  test('proposes the last values again', async () => {
    const fields = bed.remembered.at(-1) ?? {};
    const form = await open('completable-prompt', everything, { fields, isProposed: true });
    await form.waitForText(/Filled in as you last used it/);
    assert.equal(await form.value('name'), 'Alice');
  });

  test('shows invisible characters', async () => {
    const form = await open('args-prompt');
    await form.fill('city', 'Be\u202Ern');
    await form.run('Get Prompt');
    const text = await form.result(/What's weather in/);
    assert.match(text, /Hidden characters: 1\./);
    assert.match(text, /What's weather in Be\\u\{202E\}rn\?/);
  });

  test('says why it failed, and keeps its arguments', async () => {
    const form = await open('resource-prompt');
    await form.fill('resourceType', 'Wood');
    await form.fill('resourceId', '1');
    await form.run('Get Prompt');
    await form.waitForText(/Invalid resourceType: Wood/);
    await forms.panel.inspect('prompt-failed');
    assert.equal(await form.value('resourceType'), 'Wood');
    await form.fill('resourceType', 'Text');
    await form.run('Get Prompt');
    const text = await form.result(/This prompt includes/);
    assert.match(text, /User: Resource\s+URI: demo:\/\/resource\/dynamic\/text\/1\n/);
    await form.press(/^Open Resource: /);
    await eventually.equal(() => Promise.resolve(bed.opened.at(-1)?.kind), 'resource');
  });

  test('shows images, which are not sent', async () => {
    const form = await open('picture', unfriendly);
    const text = await form.result(/What is this/);
    assert.match(text, /so not sent: Image \(image-1\.png, image\/png, \d+ bytes\)/);
    assert.equal(await forms.panel.page.locator('figure img').count(), 1);
    await forms.panel.inspect('prompt-image', ['light', 'dark']);
    await form.press('Open Image: image-1.png');
    await eventually.equal(() => Promise.resolve(bed.opened.at(-1)?.kind), 'image');
  });

  test('shows what is hostile, and nothing more', async () => {
    const form = await open('odd', unfriendly);
    const text = await form.result(/harmless|Click/);
    assert.match(text, /A chat may take '#file' for its own/);
    assert.match(text, /URI: file:\/\/\/etc\/passwd\nType: text\/plain\n\nnot the file/);
    assert.match(text, /so not sent: Image \(The data is not image\/png/);
    assert.equal(await forms.panel.page.locator('a, img').count(), 0);
    await forms.panel.inspect('prompt-hostile', ['light', 'dark']);
  });

  test('of 200 arguments is filled in like any other, in a narrow panel too', async () => {
    const form = await open('wide', unfriendly);
    await form.field('value200').fill('last');
    await form.waitForSuggestions('last0', 'last1');
    await form.field('value150').focus();
    await forms.panel.page.evaluate(countWork);
    await forms.panel.page.keyboard.type('0123456789');
    await form.waitForSuggestions('01234567890', '01234567891');
    const work = await forms.panel.page.evaluate(() => (globalThis as unknown as { work: Work }).work);
    // On a slow machine each key is handled alone, with up to 15 reads: still fewer than one of each field.
    assert.ok(
      work.reads > 0 && work.reads < 200,
      `${work.reads} times, a field was read while 10 keys were pressed`,
    );
    assert.deepEqual([...work.fields], ['value150'], 'no other field is drawn again');
    await form.field('value200').focus();
    await forms.panel.inspectNarrow('prompt-wide');
    await forms.panel.page.keyboard.press('ArrowUp');
    await forms.panel.page.keyboard.press('ControlOrMeta+Enter');
    await form.waitForText(/100 problems to fix before this can be sent/);
    await eventually.equal(isFocused('value1'), true);
  });

  test('that does not come is cancelled', async () => {
    const form = await open('silent', unfriendly);
    await form.waitForStatus(/^Running…$/);
    await forms.panel.inspect('prompt-waiting', ['dark']);
    await form.press('Cancel');
    await form.waitForStatus(/^Cancelled\.$/);
  });
});

/** What a page does while you type: how often it reads a field, and the labels of the fields that it changes. */
interface Work {
  reads: number;
  readonly fields: string[];
}

/** Runs in the page. */
function countWork(): void {
  const work: Work = { reads: 0, fields: [] };
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  Object.defineProperty(HTMLInputElement.prototype, 'value', {
    ...value,
    get(this: HTMLInputElement): unknown {
      work.reads += 1;
      return value?.get?.call(this);
    },
  });
  new MutationObserver((records) => {
    for (const { target } of records) {
      const label = target.parentElement?.closest('.field')?.querySelector('label')?.textContent;
      if (label && !work.fields.includes(label)) {
        work.fields.push(label);
      }
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  Object.assign(globalThis, { work });
}
