import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import { takePicture } from '../editor/picture.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { serveNotes, type NotesServer } from '../fixtures/servers/notesServer.ts';
import { OidcIssuer, unlistedScope } from '../fixtures/servers/oidcIssuer.ts';
import { beginShared } from './sharedWindow.ts';
import {
  definitionOf,
  hostOf,
  openBrowser,
  pagesAt,
  runTool,
  signInTo,
  startTool,
  waitForPage,
} from './signInSteps.ts';
import { accountIsShown, openServers, waitForState, waitUntilRunning } from './support.ts';

suite('a sign-in that does not succeed', () => {
  let issuer: OidcIssuer;
  let notes: NotesServer;
  let redirectUri: string;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    issuer = await OidcIssuer.start({ pagesAt });
    notes = await serveNotes(issuer);
    await issuer.leave();
    const definition = await definitionOf(notes);
    ({ redirectUri } = definition.oauth);
    ({ workbench } = await beginShared({ servers: { notes: definition } }));
    servers = await openServers(workbench);
  });

  suiteTeardown(async () => {
    await Promise.all([notes?.close(), issuer?.close()]);
  });

  const registrations = (): number =>
    issuer.events.filter((event) => event === 'registration_create.success').length;

  test('says in the row and in a message that the issuer is gone', async () => {
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    await workbench.review.answer('notes', 'Allow');
    await waitForState(servers, 'notes', 'sign in required');
    const gone = `'${hostOf(issuer.url)}' could not be reached`;
    await servers.waitForRow(['notes', 'Try Again'], 'help', () => true);
    await eventually.all(
      () => servers.row('notes', 'Not reachable'),
      ({ description }) => {
        assert.ok(description.startsWith(gone), description);
      },
    );
    await servers.press('notes', 'Try Again');
    const { severity, message } = await workbench.notifications.waitFor(/^Not signed in to 'notes'/);
    assert.equal(severity, 'error');
    assert.ok(message.includes(gone), message);
    await workbench.notifications.waitUntilGone(/^Finding out how you sign in/);
    await workbench.screenshot('sign-in-issuer-gone');
    await issuer.comeBack();
    await workbench.notifications.press(/^Not signed in to 'notes'/, 'Try Again');
    await workbench.review.waitFor(1);
  });

  test('says in the browser, in the row and in a message that you denied access', async () => {
    const page = await openBrowser(workbench, 'notes');
    await page.getByText('[ Cancel ]').click();
    await waitForPage(page, /You are not signed in to notes\s+The reason: access was denied at 127\.0\.0\.1/);
    await takePicture(page, 'sign-in-page-denied');
    await page.close();
    await servers.row('notes', 'Access denied');
    await waitForState(servers, 'notes', 'sign in required');
    await workbench.notifications.waitFor(/^Not signed in to 'notes': access was denied/);
    await workbench.notifications.waitUntilGone(/^Waiting for the browser/);
    await workbench.screenshot('sign-in-denied');
  });

  test('waits on after the answer to another sign-in, and ends when you cancel', async () => {
    await workbench.notifications.press(/^Not signed in to 'notes'/, 'Try Again');
    const page = await openBrowser(workbench, 'notes');
    const response = await page.request.get(`${redirectUri}?code=another&state=another`);
    assert.equal(response.status(), 404);
    await page.close();
    await waitForState(servers, 'notes', 'waiting for the browser…');
    await servers.selectInSight('Cancel');
    await waitForState(servers, 'notes', 'sign in required');
    await workbench.notifications.waitUntilGone(/^Waiting for the browser/);
  });

  test('registers again when the issuer has forgotten this host, and succeeds then', async () => {
    await issuer.forgetClients();
    const before = registrations();
    await servers.press('notes', 'Sign In…');
    await workbench.review.waitFor(1);
    const page = await openBrowser(workbench, 'notes');
    await waitForPage(page, /invalid_client/);
    await page.close();
    await waitForState(servers, 'notes', 'waiting for the browser…');
    await servers.press('notes', 'Register Again');
    await workbench.review.waitFor(1);
    await signInTo(workbench, 'notes');
    await waitUntilRunning(servers, 'notes');
    assert.equal(registrations(), before + 1);
  });

  test('says so when the issuer has ended the sign-in, and signs in again', async () => {
    await issuer.endSignIns();
    await startTool(workbench, 'Read Notes');
    await workbench.toolForm.waitForText(
      /could not run 'read_notes': .* has ended your sign-in; sign in again/,
    );
    await servers.row('notes', 'Sign-in ended');
    await accountIsShown(servers, 'notes', false);
    await workbench.screenshot('sign-in-ended');
    await workbench.toolForm.press('Sign In…');
    await workbench.review.waitFor(1);
    await signInTo(workbench, 'notes');
    await workbench.review.waitUntilClosed(); // the form in sight after it is another one
    assert.match(await runTool(workbench, 'Read Notes', /The notes of/), /The notes of ada/);
  });

  test('offers to sign in without the scopes that the issuer refuses', async () => {
    notes.namedScopes.push(unlistedScope);
    await servers.runFromMenu(['notes'], 'More', 'Sign Out');
    await accountIsShown(servers, 'notes', false);
    await servers.runInline(['notes'], 'Restart Server');
    await waitForState(servers, 'notes', 'sign in required');
    await servers.runInline(['notes'], 'Sign In…');
    const page = await openBrowser(workbench, 'notes');
    await waitForPage(
      page,
      new RegExp(`You are not signed in to notes\\s+The reason: .* refuses these scopes: ${unlistedScope}`),
    );
    await takePicture(page, 'sign-in-page-refused');
    await page.close();
    await servers.row('notes', 'Scopes refused');
    await servers.row('notes', 'Sign In without Them…');
    const refused = /^Not signed in to 'notes': .* refuses these scopes: .*; sign in without them/;
    await workbench.notifications.waitFor(refused);
    await workbench.notifications.waitUntilGone(/^Waiting for the browser/);
    await workbench.screenshot('sign-in-scopes-refused');
    await workbench.notifications.press(refused, 'Sign In without Them…');
    const [question] = await workbench.review.openAll(1);
    assert.match(question?.text ?? '', new RegExp(`no longer asked for: ${unlistedScope}`));
    await workbench.screenshot('sign-in-without-scopes');
    await signInTo(workbench, 'notes');
    await waitUntilRunning(servers, 'notes');
  });

  test('offers the address that the server claims, and asks before that one starts', async () => {
    notes.claimedUrl = `${notes.url}/`;
    await servers.runFromMenu(['notes'], 'More', 'Sign Out');
    await accountIsShown(servers, 'notes', false);
    await servers.runInline(['notes'], 'Restart Server');
    await servers.row('notes', 'Use That Address');
    await workbench.screenshot('sign-in-other-address');
    await servers.press('notes', 'Use That Address');
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    const [question] = await workbench.review.openAll(1);
    assert.ok(question?.text.includes(notes.claimedUrl), question?.text);
  });
});
