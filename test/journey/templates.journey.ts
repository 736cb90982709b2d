import assert from 'node:assert/strict';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually } from '../editor/expectation.ts';
import type { ToolForm } from '../editor/toolForm.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, waitUntilRunning } from './support.ts';

/** A template that server-everything lists, and one that it does not, but reads all the same. */
const listed = {
  name: 'Dynamic Text Resource',
  uriTemplate: 'demo://resource/dynamic/text/{resourceId}',
  description:
    'Plaintext dynamic resource fabricated from the {resourceId} variable, which must be an integer.',
};
const several = {
  name: 'dynamic',
  title: 'Any Dynamic Resource',
  uriTemplate: 'demo://resource/dynamic/{kind}/{resourceId}{?note}',
};

suite('A template', () => {
  let workbench: Workbench;
  let form: ToolForm;

  suiteSetup(async () => {
    const legacy = fixtureServer('legacyServer.ts');
    ({ workbench } = await beginShared({ servers: { everything: demoServers.everything, legacy } }));
    form = workbench.toolForm;
    await allowServers(workbench, 2);
    const servers = await openServers(workbench);
    await waitUntilRunning(servers, 'everything');
    await waitUntilRunning(servers, 'legacy');
  });

  teardown(async () => {
    await workbench.execute('workbench.action.closeAllEditors');
  });

  const open = async (server: string, template: object): Promise<void> => {
    await workbench.execute('probe.template', server, template);
  };
  const inspect = async (name: string, theme: 'light' | 'dark' | 'highContrast'): Promise<void> => {
    await workbench.useTheme(theme);
    await workbench.screenshot(`template-${name}-${theme}`);
    await eventually.deepEqual(async () => findingsOfAxe(await form.frame()), [], `${name}, ${theme}`);
  };

  test('shows the URI as it grows, and opens the resource with the keyboard', async () => {
    const { keyboard } = workbench.page;
    await open('everything', listed);
    await form.waitFor('Dynamic Text Resource');
    await form.waitForText(/URI\s+demo:\/\/resource\/dynamic\/text\/\{resourceId\}/);
    await keyboard.press('ControlOrMeta+Enter');
    await form.waitForText(/This is required/);
    await keyboard.type('42');
    await form.waitForText(/demo:\/\/resource\/dynamic\/text\/42\b/);
    for (const theme of ['light', 'highContrast', 'dark'] as const) {
      await inspect('typed', theme);
    }
    await form.field('resourceId').focus();
    await keyboard.press('ControlOrMeta+Enter');
    await workbench.editors.waitForText(/Resource 42: This is a plaintext resource/);
    await workbench.screenshot('template-opened');
  });

  test("proposes what was entered last, and shows the server's error below", async () => {
    await open('everything', listed);
    await form.waitForText(/Filled in as you last used it/);
    assert.equal(await form.value('resourceId'), '42');
    await form.fill('resourceId', 'none');
    await form.run('Open');
    await form.waitForText(
      /Server 'everything' could not read demo:\/\/resource\/dynamic\/text\/none: .*Unknown resource/,
    );
    await inspect('not-found', 'dark');
    assert.equal(await form.value('resourceId'), 'none');
    await form.fill('resourceId', '43');
    await form.run('Open');
    await workbench.editors.waitForText(/Resource 43/);
    assert.deepEqual(await workbench.notifications.now(), []);
  });

  test('offers what the server suggests, and takes what is typed', async () => {
    const { keyboard } = workbench.page;
    await open('legacy', { name: 'any', uriTemplate: 'test:///{name}' });
    await form.waitFor('any');
    await form.fill('name', 'no');
    await form.waitForSuggestions(...Array.from({ length: 12 }, (_, index) => `no${index}`));
    await form.waitForText(/There are more: keep typing/);
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await inspect('suggestions', 'dark');
    await keyboard.press('Enter');
    await eventually.equal(() => form.value('name'), 'no1');
    await form.waitForText(/test:\/\/\/no1\b/);
    await keyboard.press('ControlOrMeta+Enter');
    await workbench.editors.waitForText(/^A note\.$/);
  });

  test('shows an odd suggestion only as text, and uses it unchanged', async () => {
    const shown = String.raw`$(zap) [odd](command:odd)\n\u{202E}one`;
    await open('legacy', { name: 'any', uriTemplate: 'test:///{name}' });
    await form.waitFor('any');
    await form.fill('name', 'odd');
    await form.waitForSuggestions(shown);
    await form.pick(shown);
    await form.waitForText(/This is sent as: /);
    await form.waitForText(/test:\/\/\/%24%28zap%29%20%5Bodd%5D%28command%3Aodd%29%0A%E2%80%AEone/);
    await workbench.screenshot('template-odd');
    await form.run('Open');
    await workbench.editors.waitForText(/^A note\.$/);
  });

  test('of several variables keeps all of them, and leaves out what is optional', async () => {
    await open('everything', several);
    await form.waitFor('Any Dynamic Resource');
    await form.waitForText(/demo:\/\/resource\/dynamic\/\{kind\}\/\{resourceId\}/);
    await form.fill('resourceId', '7');
    await form.fill('kind', 'text');
    await form.fill('note', 'a b');
    await form.waitForText(/demo:\/\/resource\/dynamic\/text\/7\?note=a%20b/);
    await workbench.screenshot('template-several');
    await form.fill('note', '');
    await form.run('Open');
    await workbench.editors.waitForText(/Resource 7: This is a plaintext resource/);
  });

  test('without variables opens at once', async () => {
    await open('everything', { name: 'one', uriTemplate: 'demo://resource/dynamic/text/1' });
    await workbench.editors.waitForText(/Resource 1:/);
  });

  test('that is malformed says so', async () => {
    await open('everything', { name: 'broken', uriTemplate: 'demo://{a' });
    const { message } = await workbench.notifications.waitFor(/malformed/);
    assert.match(message, /'everything' offers 'broken' with a malformed URI template: A '\{' is not closed/);
    await workbench.notifications.dismiss(/malformed/);
  });
});
