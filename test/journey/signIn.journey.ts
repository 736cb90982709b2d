import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { eventually, expect } from '../editor/expectation.ts';
import { takePicture } from '../editor/picture.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { notesScope, serveNotes, type NotesServer } from '../fixtures/servers/notesServer.ts';
import { OidcIssuer } from '../fixtures/servers/oidcIssuer.ts';
import { beginShared, type SharedWindow } from './sharedWindow.ts';
import {
  definitionOf,
  hostOf,
  openBrowser,
  pagesAt,
  runTool,
  signInAsAda,
  startTool,
  waitForPage,
} from './signInSteps.ts';
import {
  accountIsShown,
  openServers,
  untilNothingIsAsked,
  waitForState,
  waitUntilRunning,
} from './support.ts';

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

/** The page at the end, as browsers show it. */
const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  highContrast: { colorScheme: 'dark', forcedColors: 'active' },
} as const;

suite('a server that requires an account', () => {
  let issuer: OidcIssuer;
  let notes: NotesServer;
  let shared: SharedWindow;
  let workbench: Workbench;
  let servers: TreeView;
  /** Another window, with its view. */
  let other: Workbench;
  let otherServers: TreeView;

  suiteSetup(async () => {
    issuer = await OidcIssuer.start({ pagesAt });
    notes = await serveNotes(issuer);
    shared = await beginShared({
      servers: {},
      settings: {
        'mcpHost.servers': { notes: await definitionOf(notes) },
        'mcpHost.activity.storeContent': true,
      },
    });
    ({ workbench } = shared);
    servers = await openServers(workbench);
  });

  suiteTeardown(async () => {
    await other?.close();
    await Promise.all([notes?.close(), issuer?.close()]);
  });

  const count = (event: string): number => issuer.events.filter((one) => one === event).length;

  test('asks once, and opens no browser before the answer', async () => {
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    await workbench.review.answer('notes', 'Allow');
    await waitForState(servers, 'notes', 'sign in required');
    await eventually.all(
      () => servers.row('notes', 'Sign in required'),
      (reason) => {
        assert.equal(reason.description, hostOf(issuer.url));
      },
    );
    await eventually.deepEqual(
      async () => (await servers.inlineActions('notes')).slice(0, 2),
      ['Open Server', 'Sign In…'],
    );
    await servers.runInline(['notes'], 'Sign In…');
    const [question] = await workbench.review.openAll(1);
    assert.equal(question?.title, "Sign in to 'notes'?");
    const text = question?.text ?? '';
    assert.ok(
      text.includes(`Sign in at ${hostOf(issuer.url)} to let ${hostOf(notes.url)} act for you.`),
      text,
    );
    assert.ok(text.includes(notesScope) && text.includes(notes.url), text);
    assert.match(text, /MCP Host is registered at .* when you sign in/);
    assert.deepEqual(question?.buttons, ['Sign In', 'Not Now']);
    assert.equal(workbench.page.context().pages().length, 1);
    assert.deepEqual(issuer.events, []);
  });

  test('signs in through the browser, and then runs a tool as that account', async () => {
    const page = await openBrowser(workbench, 'notes');
    await waitForState(servers, 'notes', 'waiting for the browser…');
    await workbench.page.bringToFront();
    await servers.row('notes', 'Paste the Answer…');
    for (const theme of ['light', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`sign-in-waiting-${theme}`);
    }
    await page.bringToFront();
    await signInAsAda(page);
    await waitForPage(page, /You are signed in to notes/);
    for (const [look, media] of Object.entries(looks)) {
      await page.emulateMedia(media);
      await takePicture(page, `sign-in-page-${look}`);
    }
    await page.close();
    await waitUntilRunning(servers, 'notes');
    assert.match(await runTool(workbench, 'Read Notes', /The notes of/), /The notes of ada/);
  });

  test('says as whom the server is used', async () => {
    await accountIsShown(servers, 'notes');
    await servers.runInline(['notes'], 'Open Server');
    await workbench.serverOverview.waitForRow('Account', new RegExp(`^ada · ${hostOf(issuer.url)}$`));
    const seen = await workbench.serverOverview.waitForText(/Your account/);
    assert.ok(seen.includes('Signed in as: ada') && seen.includes(`Who signs you in: ${issuer.url}`), seen);
    for (const theme of ['light', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`sign-in-account-${theme}`);
      await workbench.runToInput('MCP Host: Review Decisions…', 'MCP Host: Decisions');
      await eventually.all(
        async () => (await workbench.quickInput.items()).map(({ label }) => label),
        (labels) => {
          assert.ok(labels.includes(`notes: signed in as ada · ${hostOf(issuer.url)}`), labels.join('\n'));
        },
      );
      await workbench.screenshot(`sign-in-decisions-${theme}`);
      await workbench.quickInput.cancel();
    }
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('is signed in, too, in a window that is opened later', async () => {
    other = await workbench.openAnother({ workspace: shared.demo.file }, { folders: 2 });
    otherServers = await openServers(other);
    await waitUntilRunning(otherServers, 'notes');
    assert.match(await runTool(other, 'Read Notes', /The notes of/), /The notes of ada/);
    await untilNothingIsAsked(other);
    assert.equal(count('registration_create.success'), 1);
  });

  test('refreshes a token once for two windows that need it at the same time, and asks nothing', async () => {
    const [refused, granted] = [notes.refusedCalls, count('grant.success')];
    await issuer.expire();
    const resume = issuer.pauseTokens();
    for (const window of [other, workbench]) {
      await window.page.bringToFront();
      await startTool(window, 'Read Notes');
    }
    await expect(
      'the calls of both windows refused',
      () => Promise.resolve(notes.refusedCalls - refused),
      (calls) => calls === 2,
    );
    resume();
    for (const window of [other, workbench]) {
      await window.page.bringToFront();
      assert.match(await window.toolForm.result(/The notes of/), /The notes of ada/);
    }
    await untilNothingIsAsked(workbench);
    await workbench.execute('workbench.action.closeAllEditors');
    assert.equal(count('grant.success'), granted + 1);
    assert.equal(count('grant.error'), 0);
  });

  test('revokes and forgets when you sign out, in both windows', async () => {
    const token = notes.tokens.at(-1) ?? '';
    assert.ok(await issuer.find(token, notes.url));
    await servers.runInline(['notes'], 'Open Server');
    await workbench.serverOverview.press('Sign Out: Account');
    await accountIsShown(servers, 'notes', false);
    await workbench.execute('workbench.action.closeAllEditors');
    await expect(
      'the token to be revoked',
      () => issuer.find(token, notes.url),
      (found) => found === undefined,
    );
    await accountIsShown(otherServers, 'notes', false);
    await servers.runInline(['notes'], 'Restart Server');
    await waitForState(servers, 'notes', 'sign in required');
  });

  test('takes the pasted answer of a browser that cannot reach this machine', async () => {
    await servers.runInline(['notes'], 'Sign In…');
    const page = await openBrowser(workbench, 'notes');
    const answer = await redirectOf(page);
    await page.close();
    await servers.select('notes', 'Paste the Answer…');
    const { quickInput } = workbench;
    await quickInput.waitUntilOpen("Sign in to 'notes'");
    await quickInput.type(new URL(answer).searchParams.get('code') ?? '');
    await quickInput.accept();
    await eventually.match(() => quickInput.validationMessage(), /whole address/);
    await workbench.screenshot('sign-in-paste');
    await quickInput.enter(answer);
    await quickInput.waitUntilClosed();
    await waitUntilRunning(servers, 'notes');
    await accountIsShown(servers, 'notes');
    await accountIsShown(otherServers, 'notes');
  });

  test('leaves no token, code or secret in a file', async () => {
    const contents = readdirSync(shared.server.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file, readFileSync(file, 'latin1')] as const);
    assert.ok(
      contents.some(([, text]) => text.includes('The notes of ada')),
      'what the calls contained is stored',
    );
    assert.ok(issuer.secrets.size >= 10);
    const found = contents.filter(([, text]) => [...issuer.secrets].some((secret) => text.includes(secret)));
    assert.deepEqual(
      found.map(([file]) => file),
      [],
    );
  });
});
