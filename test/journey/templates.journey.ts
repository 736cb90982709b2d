import assert from 'node:assert/strict';
import { eventually, expect } from '../editor/expectation.ts';
import type { QuickItem } from '../editor/quickInput.ts';
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

  suiteSetup(async () => {
    const legacy = fixtureServer('legacyServer.ts');
    ({ workbench } = await beginShared({ servers: { everything: demoServers.everything, legacy } }));
    await allowServers(workbench, 2);
    const servers = await openServers(workbench);
    await waitUntilRunning(servers, 'everything');
    await waitUntilRunning(servers, 'legacy');
  });

  teardown(async () => {
    await workbench.quickInput.cancel();
    await workbench.execute('workbench.action.closeAllEditors');
  });

  const open = async (server: string, template: object): Promise<void> => {
    await workbench.execute('probe.template', server, template);
  };
  const rows = (what: string, accept: (items: readonly QuickItem[]) => boolean) =>
    expect(what, () => workbench.quickInput.itemsNow(), accept);

  const prompted = (prompt: string) =>
    expect(
      `the prompt '${prompt}'`,
      () => workbench.quickInput.prompt(),
      (found) => found.startsWith(prompt),
    );

  test('asks for its variable, shows the URI as it grows, and opens the resource', async () => {
    const { quickInput } = workbench;
    await open('everything', listed);
    await quickInput.waitUntilOpen('Open Dynamic Text Resource from everything');
    await prompted('resourceId → demo://resource/dynamic/text/{resourceId}');
    await workbench.screenshot('template-empty');
    await quickInput.accept();
    await rows('what is wrong', ([first]) => first?.label === "'resourceId' is required");
    await quickInput.type('42');
    await rows('what is typed', ([first]) => first?.label === "Use '42'");
    await prompted('resourceId → demo://resource/dynamic/text/42');
    await workbench.screenshot('template-typed');
    await quickInput.accept();
    await workbench.editors.waitForText(/Resource 42: This is a plaintext resource/);
    await workbench.screenshot('template-opened');
  });

  test("proposes what was entered last, and shows the server's error", async () => {
    const { quickInput, notifications } = workbench;
    await open('everything', listed);
    await quickInput.waitUntilOpen('Open Dynamic Text Resource from everything');
    await eventually.equal(() => quickInput.value(), '42');
    await quickInput.enter('none');
    const toast = await notifications.waitFor(/Unknown resource/);
    assert.match(
      toast.message,
      /Server 'everything' could not read demo:\/\/resource\/dynamic\/text\/none: /,
    );
    await workbench.screenshot('template-not-found');
    await notifications.press(/Unknown resource/, 'Change Values…');
    await quickInput.waitUntilOpen('Open Dynamic Text Resource from everything');
    await eventually.equal(() => quickInput.value(), 'none');
    await quickInput.enter('43');
    await workbench.editors.waitForText(/Resource 43/);
  });

  test('offers what the server suggests, below what is typed', async () => {
    const { quickInput } = workbench;
    await open('legacy', { name: 'any', uriTemplate: 'test:///{name}' });
    await quickInput.waitUntilOpen('Open any from legacy');
    await quickInput.type('no');
    const [first, ...others] = await rows('suggestions', (items) => items[1]?.description === 'no0');
    assert.equal(first?.label, "Use 'no'");
    assert.deepEqual(
      others.slice(0, 12).map(({ description }) => description),
      Array.from({ length: 12 }, (_, index) => `no${index}`),
      'in the order of the server',
    );
    await workbench.page.keyboard.press('ArrowDown');
    await prompted('name → test:///no0');
    await workbench.screenshot('template-suggestions');
    await workbench.page.keyboard.press('ArrowUp');
    await workbench.page.keyboard.press('ArrowUp');
    await rows('that there are more', (items) => items.at(-1)?.description === 'There are more: keep typing');
    await workbench.page.keyboard.press('ArrowDown');
    await quickInput.pressInRow('no3', 'Edit This Value');
    await expect(
      'the suggestion in the box',
      () => quickInput.value(),
      (value) => value === 'no3',
    );
    await quickInput.pick('no33');
    await workbench.editors.waitForText(/^A note\.$/);
  });

  test('shows an odd suggestion only as text, and uses it unchanged', async () => {
    const { quickInput } = workbench;
    await open('legacy', { name: 'any', uriTemplate: 'test:///{name}' });
    await quickInput.waitUntilOpen('Open any from legacy');
    await quickInput.type('odd');
    const [, odd] = await rows('the suggestion', (items) => items[1]?.description.includes('zap') === true);
    assert.equal(odd?.description, String.raw`$ (zap) [odd] (command:odd) \u{202E}one`);
    await workbench.page.keyboard.press('ArrowDown');
    await prompted('name → test:///%24%28zap%29%20%5Bodd%5D%28command%3Aodd%29%0A%E2%80%AEone');
    await workbench.screenshot('template-odd');
    await quickInput.accept();
    await workbench.editors.waitForText(/^A note\.$/);
  });

  test('of several variables goes back and forth, and leaves out what is optional', async () => {
    const { quickInput } = workbench;
    await open('everything', several);
    await quickInput.waitUntilOpen('Open Any Dynamic Resource from everything (1/3)');
    await prompted('kind → demo://resource/dynamic/{kind}/{resourceId}?note={note}');
    await quickInput.enter('blob');
    await quickInput.waitUntilOpen('Open Any Dynamic Resource from everything (2/3)');
    await quickInput.type('7');
    await prompted('resourceId → demo://resource/dynamic/blob/7?note={note}');
    await workbench.screenshot('template-second-step');
    await quickInput.press('Back');
    await quickInput.waitUntilOpen('Open Any Dynamic Resource from everything (1/3)');
    await eventually.equal(() => quickInput.value(), 'blob');
    await quickInput.enter('text');
    await quickInput.waitUntilOpen('Open Any Dynamic Resource from everything (2/3)');
    await eventually.equal(() => quickInput.value(), '7');
    await quickInput.accept();
    await quickInput.waitUntilOpen('Open Any Dynamic Resource from everything (3/3)');
    await prompted('note (optional) → demo://resource/dynamic/text/7?note={note}');
    await rows('that it may be empty', ([first]) => first?.label === 'Leave It Empty');
    await workbench.screenshot('template-optional');
    await quickInput.accept();
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
