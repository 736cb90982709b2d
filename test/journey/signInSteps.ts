import type { Page } from 'playwright-core';
import { expect } from '../editor/expectation.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { NotesServer } from '../fixtures/servers/notesServer.ts';
import { freePort } from '../fixtures/servers/serve.ts';

/** Where the pages of an issuer are: VS Code's server would open 127.0.0.1 through its own proxy, where they fail. */
export const pagesAt = '127.0.0.2';

/** Host and port, as the rows show them. */
export const hostOf = (address: string): string => new URL(address).host;

/**
 * Defines a server. The browser is on this machine, but VS Code's server says that it reaches it only through the
 * server's proxy, so that the definition says where the answer comes to.
 */
export async function definitionOf({ url }: NotesServer): Promise<{
  readonly type: 'http';
  readonly url: string;
  readonly oauth: { readonly redirectUri: string };
}> {
  return { type: 'http', url, oauth: { redirectUri: `http://127.0.0.1:${await freePort()}/callback` } };
}

/** Answers the question about a server with Sign In, and gives the tab that the editor opens. */
export async function openBrowser(workbench: Workbench, server: string): Promise<Page> {
  const context = workbench.page.context();
  await workbench.review.answer(server, 'Sign In');
  // The editor asks on its own before it opens an address that it doesn't know.
  const [opened] = await Promise.all([context.waitForEvent('page'), workbench.dialog.answer('Open')]);
  await opened.waitForLoadState();
  return opened;
}

/** Signs in as `ada` in the pages of the issuer, unless the browser has done so before, and consents. */
export async function signInAsAda(page: Page): Promise<void> {
  await page.locator('input[name=login], input[value=consent]').first().waitFor({ state: 'attached' });
  if (await page.locator('input[name=login]').isVisible()) {
    await page.locator('input[name=login]').fill('ada');
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
  }
  await page.locator('input[value=consent]').waitFor({ state: 'attached' });
  await page.locator('button[type=submit]').click();
}

/** Waits until a tab shows something. */
export async function waitForPage(page: Page, shown: RegExp): Promise<void> {
  await expect(
    `a page with ${shown.source}`,
    () => page.locator('body').innerText(),
    (text) => shown.test(text),
  );
}

/** Signs in from the question, as `ada`, and closes the tab at its end. */
export async function signInTo(workbench: Workbench, server: string): Promise<void> {
  const page = await openBrowser(workbench, server);
  await signInAsAda(page);
  await waitForPage(page, new RegExp(`You are signed in to ${server}`));
  await page.close();
}

/** Selects a tool in the list of all, which runs it. */
export async function startTool(workbench: Workbench, title: string): Promise<void> {
  await workbench.executeToInput('mcpHost.runTool', 'Run Tool');
  await workbench.quickInput.pick(title);
}

/** Runs a tool, and gives what the editor shows then. */
export async function runTool(workbench: Workbench, title: string, shown: RegExp): Promise<string> {
  await startTool(workbench, title);
  const text = await workbench.toolForm.result(shown);
  await workbench.execute('workbench.action.closeAllEditors');
  return text;
}
