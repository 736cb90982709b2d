import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from '../editor/expectation.ts';
import { screenshots } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { notesScope, serveOidc, type OidcServer } from '../fixtures/servers/oidcServer.ts';
import { begin, openServers, waitUntilRunning, type Journey } from './support.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Where the issuer sends the browser, which doesn't go there. */
async function redirectOf(page: Page): Promise<string> {
  const action = (await page.locator('form').getAttribute('action')) ?? '';
  const options = { maxRedirects: 0 };
  let response = await page.request.post(new URL(action, page.url()).href, {
    ...options,
    form: { prompt: 'consent' },
  });
  for (;;) {
    const location = new URL(response.headers()['location'] ?? '', response.url()).href;
    if (location.includes('/callback?')) {
      return location;
    }
    response = await page.request.get(location, options);
  }
}

const host = (address: string): string => new URL(address).host;

suite('a server that requires an account', () => {
  let notes: OidcServer;
  let folder: TemporaryFolder;
  let journey: Journey;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    // VS Code's server would open 127.0.0.1 through its own proxy, where the pages of an issuer don't work.
    notes = await serveOidc({ pagesAt: '127.0.0.2' });
    // The browser is on this machine, but VS Code's server says that it reaches it only through the server's proxy.
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    folder = new TemporaryFolder('signIn');
    journey = await begin(
      { folder: folder.path },
      {
        settings: { 'mcpHost.servers': { notes: { type: 'http', url: notes.url, oauth: { redirectUri } } } },
      },
    );
    ({ workbench } = journey);
    servers = await openServers(workbench);
  });

  suiteTeardown(async () => {
    await journey?.end();
    await notes?.close();
    folder?.remove();
  });

  const waitForState = (state: string) =>
    servers.waitForRow(['notes'], `be ${state}`, ({ description }) => description === state);

  /** Runs the tool from the palette, and gives what the editor shows then. */
  const runTool = async (shown: RegExp): Promise<string> => {
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await workbench.quickInput.pick('Read Notes');
    const text = await workbench.editors.waitForText(shown);
    await workbench.run('View: Close All Editors');
    return text;
  };

  /** Answers the question with Sign In, and gives the tab that the editor opens. */
  const openBrowser = async (): Promise<Page> => {
    await servers.runInline(['notes'], 'Sign In…');
    const context = workbench.page.context();
    await workbench.review.answer('notes', 'Sign In');
    // The editor asks on its own before it opens an address that it doesn't know.
    const [opened] = await Promise.all([context.waitForEvent('page'), workbench.dialog.answer('Open')]);
    await opened.waitForLoadState();
    return opened;
  };

  const bodyOf = async (page: Page, shown: RegExp): Promise<string> =>
    expect(
      `a page with ${shown.source}`,
      () => page.locator('body').innerText(),
      (text) => shown.test(text),
    );

  test('asks once, and opens no browser before the answer', async () => {
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    await workbench.review.answer('notes', 'Allow');
    await waitForState('sign in required');
    const reason = await servers.row('notes', 'The server requires you to sign in');
    assert.equal(reason.description, host(notes.issuer));
    assert.deepEqual((await servers.inlineActions('notes')).slice(0, 1), ['Sign In…']);
    // The panel goes on with this question.
    const [question] = await workbench.review.waitFor(1);
    assert.equal(question?.title, "Sign in to 'notes'?");
    const text = question?.text ?? '';
    assert.ok(text.includes(`The token from ${host(notes.issuer)} goes to ${host(notes.url)}.`), text);
    assert.ok(text.includes(notesScope) && text.includes(notes.url), text);
    assert.match(text, /MCP Host is registered at .* when you sign in/);
    assert.deepEqual(question?.buttons, ['Sign In', 'Not Now']);
    for (const theme of ['light', 'dark', 'highContrast'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`sign-in-question-${theme}`);
    }
    assert.equal(workbench.page.context().pages().length, 1);
    assert.deepEqual(notes.events, []);
  });

  test('signs in through the browser, and then runs a tool as that account', async () => {
    const page = await openBrowser();
    await waitForState('waiting for the browser…');
    await workbench.page.bringToFront();
    await servers.row('notes', 'Paste the Answer…');
    await workbench.screenshot('sign-in-waiting');
    await page.bringToFront();
    await page.locator('input[name=login]').fill('ada');
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByText('offline access').waitFor();
    await page.locator('button[type=submit]').click();
    await bodyOf(page, /You are signed in to notes/);
    await page.screenshot({ path: join(screenshots, 'sign-in-page.png') });
    await page.close();
    await waitUntilRunning(servers, 'notes');
    assert.match(await runTool(/The notes of/), /The notes of ada/);
  });

  test('says as whom the server is used', async () => {
    const account = await servers.row('notes', 'Account');
    assert.equal(account.description, `ada · ${host(notes.issuer)}`);
    await workbench.screenshot('sign-in-account');
    await servers.runFromMenu(['notes'], 'What This Server Sees');
    const seen = await workbench.editors.waitForText(/Your account/);
    assert.ok(seen.includes('Signed in as: ada') && seen.includes(`Who signs you in: ${notes.issuer}`), seen);
    await workbench.run('View: Close All Editors');
    await workbench.runToInput('MCP Host: Review Decisions…', 'MCP Host: Decisions');
    const labels = (await workbench.quickInput.items()).map(({ label }) => label);
    assert.ok(labels.includes(`notes: signed in as ada · ${host(notes.issuer)}`), labels.join('\n'));
    await workbench.quickInput.cancel();
  });

  test('stays signed in when the window is loaded again', async () => {
    await workbench.reload();
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'notes');
    assert.match(await runTool(/The notes of/), /The notes of ada/);
    assert.ok(!(await workbench.offers('MCP Host: Review Questions')));
    assert.equal(notes.events.filter((event) => event === 'registration_create.success').length, 1);
  });

  test('revokes and forgets when you sign out', async () => {
    const token = notes.tokens.at(-1) ?? '';
    assert.ok(await notes.isValid(token));
    await servers.runInline(['notes', 'Account'], 'Sign Out');
    await servers.waitUntilGone('notes', 'Account');
    await expect(
      'the token to be revoked',
      () => notes.isValid(token),
      (isValid) => !isValid,
    );
    await servers.runInline(['notes'], 'Restart Server');
    await waitForState('sign in required');
  });

  test('takes the pasted answer of a browser that cannot reach this machine', async () => {
    const page = await openBrowser();
    const answer = await redirectOf(page);
    await page.close();
    await servers.runFromMenu(['notes'], 'Paste the Answer…');
    const { quickInput } = workbench;
    await quickInput.waitUntilOpen("Sign in to 'notes'");
    await quickInput.type(new URL(answer).searchParams.get('code') ?? '');
    await quickInput.accept();
    assert.match(await quickInput.validationMessage(), /whole address/);
    await workbench.screenshot('sign-in-paste');
    await quickInput.enter(answer);
    await quickInput.waitUntilClosed();
    await waitUntilRunning(servers, 'notes');
    await servers.row('notes', 'Account');
  });
});
