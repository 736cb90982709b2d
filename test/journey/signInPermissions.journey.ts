import assert from 'node:assert/strict';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { writeServers, type Workspace } from '../editor/workspaces.ts';
import { notesScope, serveNotes, writeScope, type NotesServer } from '../fixtures/servers/notesServer.ts';
import { OidcIssuer } from '../fixtures/servers/oidcIssuer.ts';
import { beginShared } from './sharedWindow.ts';
import { definitionOf, pagesAt, runTool, signInTo, startTool } from './signInSteps.ts';
import {
  accountIsShown,
  allowServers,
  openServers,
  untilNothingIsAsked,
  waitForState,
  waitUntilRunning,
} from './support.ts';

suite('a server that requires an account for some calls', () => {
  let issuer: OidcIssuer;
  let notes: NotesServer;
  let others: readonly NotesServer[] = [];
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    issuer = await OidcIssuer.start({ pagesAt });
    notes = await serveNotes(issuer, { isOptional: true });
    ({ demo, workbench } = await beginShared({ servers: { notes: await definitionOf(notes) } }));
    servers = await openServers(workbench);
  });

  suiteTeardown(async () => {
    await Promise.all([...[notes, ...others].map((one) => one?.close()), issuer?.close()]);
  });

  test('is used without one, until a call requires it', async () => {
    await allowServers(workbench, 1);
    await waitUntilRunning(servers, 'notes');
    await runTool(workbench, 'About Notes', /only their owner reads/);
    await startTool(workbench, 'Read Notes');
    await workbench.toolForm.waitForText(/could not run 'read_notes': the server requires you to sign in/);
    await waitForState(servers, 'notes', '3 tools · sign in required · not in chat');
    await workbench.statusBar.waitFor(/MCP: 1 waiting/);
    await workbench.screenshot('sign-in-call-failed');
    assert.deepEqual(await workbench.notifications.told(), []);
    await workbench.toolForm.press('Sign In…');
    await workbench.review.waitFor(1);
    await workbench.screenshot('sign-in-optional');
  });

  test('is used without one after you refused', async () => {
    await workbench.review.answer('notes', 'Not Now');
    await untilNothingIsAsked(workbench);
    await runTool(workbench, 'About Notes', /only their owner reads/);
    assert.deepEqual(notes.tokens, []);
  });

  test('asks for what is new when a call requires more', async () => {
    await servers.runInline(['notes'], 'Sign In…');
    await workbench.review.waitFor(1);
    await signInTo(workbench, 'notes');
    await accountIsShown(servers, 'notes');
    await runTool(workbench, 'Read Notes', /The notes of ada/);
    await startTool(workbench, 'Write Notes');
    await workbench.toolForm.waitForText(/could not run 'write_notes': .* sign in to grant them/);
    await workbench.toolForm.press('Sign In…');
    const [question] = await workbench.review.openAll(1);
    assert.equal(question?.title, "Grant 'notes' more permissions?");
    const asked = question?.text.split('\n') ?? [];
    assert.ok(asked.includes(notesScope), question?.text);
    assert.deepEqual(
      asked.filter((line) => line.includes('(new)')),
      [`${writeScope} (new)`],
    );
    await workbench.screenshot('sign-in-more');
  });

  test('does not ask again for what you refused', async () => {
    await workbench.review.answer('notes', 'Not Now');
    await untilNothingIsAsked(workbench);
    await startTool(workbench, 'Write Notes');
    const message = await workbench.toolForm.waitForText(/permissions that you did not grant/);
    assert.ok(message.includes(writeScope), message);
    await untilNothingIsAsked(workbench);
    await runTool(workbench, 'Read Notes', /The notes of ada/);
  });

  test('is one of several of an issuer, which are signed in to with one click each', async () => {
    const names = ['one', 'two', 'three', 'four', 'five'];
    const before = grants();
    others = await Promise.all(names.map(() => serveNotes(issuer)));
    const definitions = await Promise.all(others.map(definitionOf));
    writeServers(demo.file, Object.fromEntries(names.map((name, index) => [name, definitions[index]])));
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    await workbench.review.waitFor(names.length);
    await workbench.review.selectAll();
    await workbench.review.allowSelected();
    for (const name of names) {
      await waitForState(servers, name, 'sign in required');
    }
    await workbench.statusBar.waitFor(/MCP: 5 waiting/);
    await servers.runInline(['one'], 'Sign In…');
    await workbench.review.waitFor(names.length);
    await workbench.screenshot('sign-in-five');
    for (const name of names) {
      await signInTo(workbench, name);
    }
    for (const name of names) {
      await waitUntilRunning(servers, name);
    }
    await untilNothingIsAsked(workbench);
    assert.equal(grants(), before + names.length);
  });

  /** How often the issuer has given tokens. */
  function grants(): number {
    return issuer.events.filter((event) => event === 'grant.success').length;
  }
});
