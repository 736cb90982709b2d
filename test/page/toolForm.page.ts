import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerDefinition } from '../../src/host/config/serverDefinition.ts';
import type { RequestFormStart } from '../../src/host/requestForms/requestFormSession.ts';
import { eventually, expect } from '../editor/expectation.ts';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { packageScript, stdioServer } from '../unit/support/definitions.ts';
import { FormBed } from './support/formBed.ts';

suite('The form of a tool', () => {
  const folder = new TemporaryFolder('tools');
  const notes = realpathSync(folder.path);
  const todo = join(notes, 'todo.md');
  const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio'], {
    name: 'everything',
  });
  const filesystem = stdioServer([packageScript('@modelcontextprotocol/server-filesystem'), notes], {
    name: 'filesystem',
  });
  const forms = new FormBed();
  const { bed } = forms;
  const { gateBed } = bed;

  suiteSetup(async () => {
    writeFileSync(todo, 'milk\n');
    await gateBed.hostBed.run(everything, filesystem);
    await gateBed.untilListed(everything);
    await gateBed.untilListed(filesystem);
  });

  suiteTeardown(async () => {
    await forms.close();
    folder.remove();
  });

  const open = (tool: string, server: ServerDefinition = everything, start: Partial<RequestFormStart> = {}) =>
    forms.open((one) => one.show(server, tool, start));
  const isFocused = (label: string) => () =>
    forms.form.field(label).evaluate((node) => node === document.activeElement);

  test('runs a tool without arguments at once', async () => {
    const form = await open('list_allowed_directories', filesystem);
    assert.match(await form.result(/Allowed directories:/), /^Result\s+Took \d/);
    const text = await form.waitForText(/Tool 'list_allowed_directories' of server 'filesystem'/);
    assert.match(text, /no arguments/);
    await forms.panel.inspect('tool-without-arguments', ['light', 'dark']);
  });

  test('shows what is wrong at its field, and runs with the keyboard', async () => {
    const form = await open('get-sum');
    const { keyboard } = forms.panel.page;
    await eventually.equal(isFocused('a'), true);
    await form.fill('a', 'four');
    await form.waitForText(/This must be a number/);
    await keyboard.press('ControlOrMeta+Enter');
    await form.waitForText(/2 problems to fix before this can be sent/);
    await forms.panel.inspect('tool-problems');
    await form.fill('a', '40');
    await form.field('b').focus();
    await keyboard.type('2');
    await keyboard.press('ControlOrMeta+Enter');
    assert.match(await form.result(/The sum of 40 and 2 is 42/), /Took \d+ ms/);
    await forms.panel.inspect('tool-result');
    await form.fill('b', '3');
    await form.run();
    await form.result(/The sum of 40 and 3 is 43/);
  });

  test('proposes what ran last, and keeps what is typed while another tab is in front', async () => {
    const fields = bed.remembered.at(-1) ?? {};
    const form = await open('get-sum', everything, { fields, isProposed: true });
    assert.equal(await form.value('a'), '40');
    await form.waitForText(/Filled in as you last ran it/);
    await form.fill('a', 'not yet a number');
    await forms.panel.hide();
    await forms.panel.show();
    await eventually.equal(() => form.value('a'), 'not yet a number');
    await form.press('Use Defaults');
    await eventually.equal(() => form.value('a'), '');
  });

  test('gives the editor what it needs to open the form again after a reload', async () => {
    const form = await open('get-sum');
    await form.fill('a', '7');
    await expect(
      'a page that is kept',
      () => forms.panel.state() as Promise<{ fields?: Record<string, unknown> } | undefined>,
      (kept) => JSON.stringify(kept?.fields ?? {}).includes('7'),
    );
    const { fields } = bed.kept;
    const again = await open('get-sum', everything, { fields, runs: false });
    await eventually.equal(() => again.value('a'), '7');
  });

  test('is edited as JSON and back, with errors at their place', async () => {
    const form = await open('get-sum');
    await form.fill('a', '4');
    await form.fill('b', 'two');
    await form.press('Edit as JSON');
    await eventually.equal(() => form.value('Arguments as JSON'), '{\n  "a": 4,\n  "b": "two"\n}');
    await form.run();
    await form.waitForText(/Line 3, column 8: The argument 'b' must be a number/);
    await forms.panel.inspect('tool-json');
    await form.fill('Arguments as JSON', '{ "a": 4, ');
    await form.press('Edit as a Form');
    await form.waitForText(/Line 1, column \d+: This is not JSON/);
    assert.equal(await form.value('Arguments as JSON'), '{ "a": 4, ');
    await form.fill('Arguments as JSON', '{ "a": 4, "b": 5 }');
    await form.press('Edit as a Form');
    await eventually.equal(() => form.value('b'), '5');
    await form.run();
    await form.result(/The sum of 4 and 5 is 9/);
  });

  test('hands its result on: copied, and opened as a document', async () => {
    const { form } = forms;
    bed.used.length = 0;
    await form.press('Copy as JSON');
    await form.press('Open as Document');
    await eventually.deepEqual(() => Promise.resolve(bed.used), ['copy', 'document']);
  });

  test('opens the links of a result', async () => {
    const form = await open('get-resource-links');
    await form.fill('count', '2');
    await form.run();
    await form.result(/Resource link/);
    await forms.panel.inspect('tool-links');
    await form.press(/^Open Resource: /);
    await eventually.equal(() => Promise.resolve(bed.opened.at(-1)?.kind), 'resource');
  });

  test('offers the values of an enumeration, and shows structured data', async () => {
    const form = await open('get-structured-content');
    assert.deepEqual(await form.field('location').locator('option').allTextContents(), [
      '(nothing selected)',
      'New York',
      'Chicago',
      'Los Angeles',
    ]);
    await form.fill('location', 'Chicago');
    await form.run();
    assert.match(await form.result(/temperature/), /conditions/);
    await forms.panel.inspect('tool-structured');
  });

  test('takes a list item by item, and a list of objects', async () => {
    const other = join(notes, 'missing.md');
    let form = await open('read_multiple_files', filesystem);
    const before = gateBed.ledger.booked.length;
    await form.fill('Item 1', todo); // one is needed anyway
    await form.press('Add Item: paths');
    await form.fill('Item 2', other);
    await forms.panel.screenshot('tool-list');
    await form.press('Remove Item 2: paths');
    await form.run();
    assert.doesNotMatch(await form.result(/todo\.md:/), /missing\.md/);
    assert.equal(gateBed.ledger.booked.length - before, 1, 'run once, though the button had the focus');
    form = await open('edit_file', filesystem);
    await form.fill('path', todo);
    await form.press('Add Item: edits');
    await form.fill('oldText', 'no such text');
    await form.fill('newText', 'b');
    await forms.panel.inspect('tool-objects');
    await form.fill('dryRun', 'Yes');
    await form.run();
    assert.match(await form.result(), /The tool reported an error/);
  });

  test('adds and removes an optional object, which is not sent before', async () => {
    const login = {
      type: 'object',
      description: 'Whoever runs the request.',
      properties: { user: { type: 'string' }, port: { type: 'integer', default: 22 } },
      required: ['user'],
    };
    bed.inputSchema = {
      type: 'object',
      properties: { message: { type: 'string' }, login },
      required: ['message'],
    };
    const form = await open('echo');
    const sent = (): unknown => gateBed.ledger.booked.at(-1)?.args;
    const { keyboard } = forms.panel.page;
    const focused = (): Promise<string> =>
      forms.panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await form.fill('message', 'hello');
    await form.run();
    await form.result(/Echo: hello/);
    assert.deepEqual(sent(), { message: 'hello' });
    await forms.panel.inspect('tool-optional', ['light', 'dark']);

    await form.press('Add login');
    await eventually.equal(isFocused('user'), true);
    assert.equal(await form.value('port'), '22');
    await form.run();
    await form.waitForText(/user: This is required/);
    await form.fill('user', 'jo');
    await forms.panel.inspect('tool-optional-added', ['light', 'dark']);
    await form.press('Edit as JSON');
    await eventually.match(
      () => form.value('Arguments as JSON'),
      /"login": \{\s+"user": "jo",\s+"port": 22\s+\}/,
    );
    await form.press('Edit as a Form');
    await eventually.equal(() => form.value('user'), 'jo');
    await form.run();
    await form.result(/Echo: hello/);
    assert.deepEqual(sent(), { message: 'hello', login: { user: 'jo', port: 22 } });

    await forms.panel.hide();
    await forms.panel.show();
    await eventually.equal(() => form.value('user'), 'jo');
    await form.field('port').focus();
    await keyboard.press('Tab');
    assert.equal(await focused(), 'Remove login');
    await keyboard.press('Enter');
    assert.equal(await focused(), 'Add login');
    await form.run();
    await form.result(/Echo: hello/);
    assert.deepEqual(sent(), { message: 'hello' });
    bed.inputSchema = undefined;
  });

  test('shows an image below the form, and opens it', async () => {
    const form = await open('get-tiny-image');
    await form.result(/image-1\.png, image\/png/);
    const picture = forms.panel.page.locator('figure img');
    await expect(
      'a picture that is loaded',
      () => picture.evaluate((node) => (node as HTMLImageElement).naturalWidth),
      (width) => width > 0,
    );
    await forms.panel.inspect('tool-image');
    await form.press('Open Image: image-1.png');
    await eventually.equal(() => Promise.resolve(bed.opened.at(-1)?.kind), 'image');
  });

  test('plays a sound below the form, and opens it', async () => {
    const file = join(notes, 'tone.wav');
    writeFileSync(file, tone());
    const form = await open('read_media_file', filesystem);
    await form.fill('path', file);
    await form.run();
    await form.result(/audio-1\.wav/);
    const sound = forms.panel.page.locator('figure audio');
    await expect(
      'a sound that is loaded',
      () => sound.evaluate((node) => (node as HTMLAudioElement).duration),
      (seconds) => Math.abs(seconds - 0.25) < 0.01,
    );
    assert.equal(await sound.getAttribute('aria-label'), 'audio-1.wav');
    await sound.focus();
    await forms.panel.page.keyboard.press('Space');
    await expect(
      'a sound that was played to its end',
      () => sound.evaluate((node) => (node as HTMLAudioElement).ended),
      (hasEnded) => hasEnded,
    );
    await forms.panel.inspect('tool-sound');
    await form.press('Open Sound: audio-1.wav');
    await eventually.equal(() => Promise.resolve(bed.opened.at(-1)?.kind), 'audio');
  });

  test('looks well whatever a tool returns', async () => {
    const results: readonly [tool: string, begins: RegExp, args: Readonly<Record<string, string>>][] = [
      ['get-annotated-message', /Text/, { messageType: 'success', includeImage: 'Yes' }],
      ['get-resource-reference', /Resource/, { resourceType: 'Text', resourceId: '1' }],
      ['trigger-long-running-operation', /completed/, { duration: '1', steps: '2' }],
      ['get-env', /PATH/, {}],
    ];
    for (const [tool, begins, args] of results) {
      const form = await open(tool);
      for (const [label, text] of Object.entries(args)) {
        await form.fill(label, text);
      }
      if (Object.keys(args).length > 0) {
        await form.run();
      }
      await form.result(begins);
      await forms.panel.inspect(`tool-${tool}`, ['light', 'dark']);
    }
  });

  test('says how much of a long text there is to show', async () => {
    const file = join(notes, 'long.txt');
    const lines = Array.from(
      { length: 40_000 },
      (_, index) => `This is the line ${index}, one of many lines of a text`,
    );
    writeFileSync(file, lines.join('\n'));
    const form = await open('read_text_file', filesystem);
    await form.fill('path', file);
    await form.run();
    assert.match(await form.result(/Show the first 3,\d{3} of 40,000 lines/), /the rest of a long text/);
    await forms.panel.inspect('tool-long', ['light', 'dark']);
  });

  test('shows equal objects as a table, whose long and nested values open in their cells', async () => {
    const file = join(notes, 'places.json');
    const places = Array.from({ length: 40 }, (_, id) => ({
      id,
      name: `Place ${id}`,
      geo: { latitude: 52.5, longitude: 13.4, time: { zone: 'Europe/Berlin', offset: 1 } },
      tags: ['a', 'b'],
      about: id === 1 ? 'A long text. '.repeat(40) : `https://example.com/${'a'.repeat(80)}`,
    }));
    writeFileSync(file, JSON.stringify(places));
    const form = await open('read_text_file', filesystem);
    await form.fill('path', file);
    await form.run();
    await form.result(/Text, JSON/);
    const { page } = forms.panel;
    const rows = page.getByRole('row');
    assert.equal(await rows.count(), 41, 'all of them, and the names of the columns');
    await rows.nth(1).locator('summary').focus();
    await page.keyboard.press('Enter');
    await eventually.match(() => rows.nth(1).innerText(), /zone\s+Europe\/Berlin/);
    await rows.nth(2).locator('summary').last().click();
    await forms.panel.inspect('tool-table', ['light', 'dark']);
    await forms.panel.inspectNarrow('tool-table');
  });

  test('shows a failure of the tool as a result', async () => {
    const form = await open('get_file_info', filesystem);
    await form.fill('path', '/etc/passwd');
    await form.run();
    assert.match(await form.result(/The tool reported an error/), /Access denied/);
    await forms.panel.inspect('tool-error');
    await forms.panel.inspectNarrow('tool-error');
  });

  test('shows progress, and cancels quietly', async () => {
    const form = await open('trigger-long-running-operation');
    await form.fill('duration', '600');
    await form.fill('steps', '600');
    await form.run();
    await form.waitForText(/\b[1-9]\d* s\b/);
    await forms.panel.inspect('tool-progress', ['light', 'dark']);
    await form.press('Cancel');
    await form.waitForStatus(/^Cancelled\.$/);
  });
});

/** A quarter of a second of a tone of 440 Hz: WAVE, 8,000 samples a second of 8 bits. */
function tone(): Buffer {
  const samples = Buffer.from(
    Array.from(
      { length: 2_000 },
      (_, at) => 128 + Math.round(60 * Math.sin((at / 8_000) * 440 * 2 * Math.PI)),
    ),
  );
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  [16, 0x0001_0001, 8_000, 8_000, 0x0008_0001].forEach((value, index) =>
    head.writeUInt32LE(value, 16 + 4 * index),
  );
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
