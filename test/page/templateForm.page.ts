import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../src/host/config/serverDefinition.ts';
import { eventually } from '../editor/expectation.ts';
import { legacyServer, packageScript, stdioServer } from '../unit/support/definitions.ts';
import { FormBed } from './support/formBed.ts';

suite('The form of a template', () => {
  const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio'], {
    name: 'everything',
  });
  const legacy = legacyServer([], { name: 'legacy' });
  const forms = new FormBed();
  const { bed } = forms;

  suiteSetup(async () => {
    await bed.gateBed.hostBed.run(everything, legacy);
  });

  suiteTeardown(() => forms.close());

  const open = (template: string, server: ServerDefinition = everything) =>
    forms.open((one) => one.showTemplate(server, template));
  const opened = (uri: string) => eventually.equal(() => Promise.resolve(bed.used.at(-1)), uri);

  test('shows the URI as it grows, and opens the resource with the keyboard', async () => {
    const form = await open('demo://resource/dynamic/text/{resourceId}');
    const { keyboard } = forms.panel.page;
    await form.waitForText(/URI\s+demo:\/\/resource\/dynamic\/text\/\{resourceId\}/);
    await keyboard.press('ControlOrMeta+Enter');
    await form.waitForText(/This is required/);
    await keyboard.type('42');
    await form.waitForText(/demo:\/\/resource\/dynamic\/text\/42\b/);
    await forms.panel.inspect('template-typed');
    await form.field('resourceId').focus();
    await keyboard.press('ControlOrMeta+Enter');
    await opened('demo://resource/dynamic/text/42');
  });

  test("shows the server's error below, and takes another value", async () => {
    const form = await open('demo://resource/dynamic/text/{resourceId}');
    await form.fill('resourceId', 'none');
    await form.run('Open');
    await form.waitForText(
      /Server 'everything' could not read demo:\/\/resource\/dynamic\/text\/none: .*Unknown resource/,
    );
    await forms.panel.inspect('template-not-found');
    assert.equal(await form.value('resourceId'), 'none');
    await form.fill('resourceId', '43');
    await form.run('Open');
    await opened('demo://resource/dynamic/text/43');
  });

  test('offers what the server suggests, and takes what is typed', async () => {
    const form = await open('test:///{name}', legacy);
    const { keyboard } = forms.panel.page;
    await form.fill('name', 'no');
    await form.waitForSuggestions(...Array.from({ length: 12 }, (_, index) => `no${index}`));
    await form.waitForText(/There are more: keep typing/);
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await forms.panel.inspect('template-suggestions');
    await keyboard.press('Enter');
    await eventually.equal(() => form.value('name'), 'no1');
    await form.waitForText(/test:\/\/\/no1\b/);
  });

  test('shows an odd suggestion only as text, and uses it unchanged', async () => {
    const shown = String.raw`$(zap) [odd](command:odd)\n\u{202E}one`;
    const form = await open('test:///{name}', legacy);
    await form.fill('name', 'odd');
    await form.waitForSuggestions(shown);
    await form.pick(shown);
    await form.waitForText(/This is sent as: /);
    const uri = 'test:///%24%28zap%29%20%5Bodd%5D%28command%3Aodd%29%0A%E2%80%AEone';
    await form.waitForText(new RegExp(uri.replaceAll('/', String.raw`\/`)));
    await form.run('Open');
    await opened(uri);
  });

  test('of several variables keeps all of them, and leaves out what is optional', async () => {
    const form = await open('demo://resource/dynamic/{kind}/{resourceId}{?note}');
    await form.waitForText(/demo:\/\/resource\/dynamic\/\{kind\}\/\{resourceId\}/);
    await form.fill('resourceId', '7');
    await form.fill('kind', 'text');
    await form.fill('note', 'a b');
    await form.waitForText(/demo:\/\/resource\/dynamic\/text\/7\?note=a%20b/);
    await forms.panel.inspect('template-several', ['light', 'dark']);
    await form.fill('note', '');
    await form.run('Open');
    await opened('demo://resource/dynamic/text/7');
  });
});
