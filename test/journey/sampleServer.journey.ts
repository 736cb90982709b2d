import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { eventually, expect } from '../editor/expectation.ts';
import type { TemporaryFolder } from '../editor/temporaryFolder.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { openServers, processesOf, processOf, rowSays, waitUntilEnded, walkthroughSteps } from './support.ts';

const program = 'dist/sampleServer.cjs';

suite('a window without servers', () => {
  let demo: Workspace;
  let home: TemporaryFolder;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, home, workbench } = await beginShared({ servers: {} }));
    servers = await openServers(workbench);
    await workbench.run('Developer: Reset Welcome Page Walkthrough Progress');
  });

  test('says in each view what to do', async () => {
    await eventually.match(
      () => servers.welcome(),
      /^You have no MCP servers yet\..*Try a Sample Server Add Server…/,
    );
    const resources = await workbench.openView('MCP Host', 'Resources');
    await eventually.match(
      () => resources.welcome(),
      /^The files and data that your servers offer appear here\./,
    );
    const activity = await workbench.openView('MCP Host', 'Activity');
    await eventually.match(() => activity.welcome(), /^Each request to a server appears here/);
    assert.equal(await workbench.offers('MCP Host: Remove Server'), false);
    await workbench.screenshot('sample-welcome');
  });

  test('says which servers other programs have, and leads to their import', async () => {
    const server = { command: 'node', args: [] };
    const files = {
      [home.join('.config', 'Claude', 'claude_desktop_config.json')]: {
        mcpServers: { a: server, b: server, c: server, d: server },
      },
      [home.join('.copilot', 'mcp-config.json')]: { mcpServers: { f: { type: 'local', ...server } } },
      [demo.folder.join('notes', '.vscode', 'mcp.json')]: { servers: { e: { type: 'stdio', ...server } } },
    };
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(content));
    }
    await showAgain();
    await eventually.deepEqual(
      async () => (await servers.rows()).map(({ label, description }) => `${label} ${description}`.trim()),
      [
        'Import 6 Servers… found in VS Code, Copilot CLI, and Claude Desktop',
        "Use Copilot's Servers 1 server",
        'Add Server…',
        'Try a Sample Server',
      ],
    );
    await workbench.screenshot('sample-found');
    await servers.select('Import 6 Servers…');
    await workbench.quickInput.waitUntilOpen('Import Servers');
    await workbench.screenshot('sample-import');
    await workbench.quickInput.press("Use Copilot's Servers where they are, without copying them");
    await rowSays(servers, ['f'], 'needs approval');
    await workbench.screenshot('sample-copilot');
    await workbench.notifications.press(/MCP Host now has the servers of /, 'Undo');
    Object.keys(files).forEach((file) => rmSync(file));
    await showAgain();
    await eventually.match(() => servers.welcome(), /^You have no MCP servers yet\./);
  });

  /** The files are looked at when the view is shown. */
  async function showAgain(): Promise<void> {
    await workbench.execute('workbench.view.explorer');
    servers = await openServers(workbench);
  }

  test('opens the documentation from an empty view, by its topic, and from a setting', async () => {
    const { editors, page, quickInput } = workbench;
    await servers.pressInWelcome('Learn how to get started');
    await editors.waitFor('Preview getting-started.md');
    // It takes the focus when it has loaded, which would close what has been opened by then.
    await expect('the document', headings, (found) => found.includes('Getting started'));
    await expect(
      'the focus in the document',
      () => page.evaluate('document.activeElement?.tagName'),
      (tag) => tag === 'IFRAME',
    );
    await workbench.runToInput('MCP Host: Open Documentation…');
    await quickInput.pick('Sign-in');
    await editors.waitFor('Preview sign-in.md');
    await expect('the picture of the document', widthOfPicture, (width) => width > 0);
    await workbench.screenshot('documentation');
    await workbench.run('Preferences: Open Settings (UI)');
    await page.locator('.settings-editor .suggest-input-container').click();
    await page.keyboard.type('@id:mcpHost.roots.default');
    await page.locator('.settings-editor').getByText('Learn more about folders').click();
    await editors.waitFor('Preview servers.md');
    const shown = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await eventually.equal(() => shown.locator('#folders').evaluate(isInView), true);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('has a page in the list of extensions without a missing picture or a dead link', async () => {
    const { editors, page, quickInput } = workbench;
    await workbench.execute('workbench.extensions.search', '@installed MCP Host');
    await page.locator('.extension-list-item', { hasText: 'Run Model Context Protocol servers' }).click();
    const shown = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('body');
    await shown.locator('h1', { hasText: 'MCP Host for VS Code' }).waitFor();
    assert.deepEqual(await shown.locator('img').evaluateAll(areMissing), []);
    // The editor's own button leads to the top.
    assert.deepEqual(await shown.locator('a:not(#scroll-to-top)').evaluateAll(areDead), []);
    await workbench.screenshot('extension-page');
    await shown.getByRole('link', { name: 'Servers', exact: true }).first().click();
    await eventually.equal(() => shown.locator('#documentation').evaluate(isInView), true);
    await workbench.screenshot('extension-page-documentation');
    await workbench.runToInput('MCP Host: Open Documentation…');
    await quickInput.pick('Overview');
    await editors.waitFor('Preview overview.md');
    await expect('the first picture', widthOfPicture, (width) => width > 0);
    await expect(
      'the pictures',
      () => shown.locator('img').count(),
      (count) => count === 4,
    );
    await expect(
      'every picture',
      () => shown.locator('img').evaluateAll(areMissing),
      (missing) => missing.length === 0,
    );
    await workbench.screenshot('overview');
    await shown.getByRole('link', { name: 'security and questions' }).click();
    await editors.waitFor('Preview security.md');
    await workbench.execute('workbench.action.closeAllEditors');
    servers = await openServers(workbench);
  });

  test('has a walkthrough in which nothing is done yet', async () => {
    await eventually.deepEqual(() => walkthroughSteps(workbench), {
      'Try a sample server': false,
      'Decide what it can see': false,
      'Run a tool': false,
      'Add a server': false,
      'Use a server in chat': false,
    });
    await workbench.screenshot('sample-walkthrough');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('runs a tool of the sample server after three clicks', async () => {
    const started = performance.now();
    await servers.pressInWelcome('Try a Sample Server');
    const [question] = await workbench.review.openAll(1);
    assert.match(question?.text ?? '', /Defined in\s+the MCP Host extension/);
    assert.match(question?.text ?? '', /comes with MCP Host, run by the editor's own Node/);
    assert.match(question?.text ?? '', /dist\/sampleServer\.cjs/);
    assert.doesNotMatch(question?.text ?? '', /Warning/i);
    assert.deepEqual(question?.folders, [
      { label: 'notes', isChecked: true },
      { label: 'shop', isChecked: true },
    ]);
    assert.deepEqual(await workbench.notifications.told(), []);
    await workbench.screenshot('sample-question');

    await workbench.review.answer('sample', 'Allow');
    const run = workbench.page.locator('.monaco-list-row.selected .actions a[aria-label="Run Tool…"]');
    await servers.waitUntilSelected('sample', 'Tools', 'List Shared Folders');
    await workbench.screenshot('sample-running');
    // It is in sight without the mouse on its row.
    await run.click();
    const text = await workbench.toolForm.result(/You share 2 folders with this server/);
    console.log(
      `      Three clicks and ${Math.round(performance.now() - started)} ms, with a test that looks on.`,
    );
    assert.ok(text.includes(demo.folder.join('notes')), text);
    assert.deepEqual(await workbench.notifications.told(), []);
    await workbench.screenshot('sample-tool');
  });

  test('ticks the steps of the walkthrough that are done', async () => {
    await eventually.deepEqual(() => walkthroughSteps(workbench), {
      'Try a sample server': true,
      'Decide what it can see': true,
      'Run a tool': true,
      'Add a server': false,
      'Use a server in chat': false,
    });
    await workbench.screenshot('sample-walkthrough-done');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('shows a resource that changes while a tool changes it', async () => {
    const { toolForm, editors } = workbench;
    const resources = await workbench.openView('MCP Host', 'Resources');
    await resources.select('sample', 'Notes');
    await editors.waitForText(/There are no notes yet/);
    await workbench.statusBar.waitFor(/Live/);
    await servers.runInline(['sample', 'Tools', 'Add a Note'], 'Run Tool…');
    await toolForm.waitFor('Add a Note');
    await (await toolForm.frame()).locator('input, textarea').first().fill('Buy milk');
    await toolForm.run();
    await toolForm.result(/Added as note 1/);
    await editors.select(/notes/i);
    await editors.waitForText(/1\. Buy milk/);
    await workbench.screenshot('sample-notes');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('asks for a language model, and sends nothing before you do', async () => {
    await servers.runInline(['sample', 'Tools', 'Write a Haiku'], 'Run Tool…');
    await workbench.notifications.press("'sample' wants to ask a language model.", 'Review');
    const card = workbench.review.sampling('sample');
    const text = await card.waitFor('request');
    assert.match(text, /Write a haiku about a workspace/);
    assert.match(text, /todo\.md/);
    await workbench.screenshot('sample-haiku');
    await card.press('Send');
    await card.waitFor('answer');
    await card.press('Deliver');
    await workbench.toolForm.result(/SCRIPTED: Write a haiku about a workspace/);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('removes the sample by one click, and restores it by another', async () => {
    const before = await processOf(workbench, program);
    await servers.runFromMenu(['sample'], 'Remove Server');
    await workbench.notifications.waitFor('Sample server removed.');
    await servers.waitUntilGone('sample');
    await eventually.match(() => servers.welcome(), /^You have no MCP servers yet\./);
    await waitUntilEnded([before]);
    await workbench.screenshot('sample-removed');

    await workbench.notifications.press('Sample server removed.', 'Undo');
    await servers.waitForRow(['sample'], 'run', ({ description }) => description === '3 tools · not in chat');
    assert.deepEqual(await workbench.review.questions(), []);
  });

  test('forgets the decisions about it', async () => {
    await workbench.runToInput('MCP Host: Remove Server', 'MCP Host');
    await workbench.quickInput.pick('sample');
    await servers.waitUntilGone('sample');
    await workbench.runToInput('MCP Host: Review Decisions…', 'MCP Host: Decisions');
    await eventually.all(
      async () => (await workbench.quickInput.items()).map(({ label }) => label),
      (labels) => {
        assert.deepEqual(
          labels.filter((label) => label.startsWith('sample')),
          [],
        );
      },
    );
    await workbench.quickInput.cancel();
    await servers.pressInWelcome('Try a Sample Server');
    await workbench.review.waitFor(1);
    await workbench.review.answer('sample', "Don't Allow");
    await servers.waitForRow(['sample'], 'be denied', ({ description }) => description === 'denied');
    assert.deepEqual(await processesOf(workbench, program), []);
  });

  /** The first headings of all pages that are shown. */
  async function headings(): Promise<readonly string[]> {
    const found = await Promise.all(
      workbench.page.frames().map((frame) => frame.locator('h1').allTextContents()),
    );
    return found.flat().map((text) => text.trim());
  }

  /** Pixels of the picture that a document shows; 0 while there is none. */
  async function widthOfPicture(): Promise<number> {
    const widths = await Promise.all(
      workbench.page
        .frames()
        .map((frame) =>
          frame
            .locator('img')
            .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth)),
        ),
    );
    return Math.max(0, ...widths.flat());
  }
});

/** Which pictures aren't shown. */
function areMissing(pictures: readonly (HTMLElement | SVGElement)[]): readonly string[] {
  return pictures
    .filter((picture) => (picture as HTMLImageElement).naturalWidth === 0)
    .map((picture) => picture.outerHTML);
}

/** Which links lead neither to the Web nor to something in their page. */
function areDead(links: readonly (HTMLElement | SVGElement)[]): readonly string[] {
  return links
    .filter((link) => {
      const address = link.getAttribute('href') ?? '';
      return (
        !address.startsWith('https://') &&
        !(address.startsWith('#') && link.ownerDocument.querySelector(address))
      );
    })
    .map((link) => link.outerHTML);
}

function isInView(element: Element): boolean {
  const { bottom } = element.getBoundingClientRect();
  return bottom > 0 && bottom <= innerHeight;
}
