import assert from 'node:assert/strict';
import type { ServersFile } from '../../src/host/config/edit/serversFile.ts';
import type { ServerDraft } from '../../src/host/config/edit/serverDraft.ts';
import { definitionOf } from '../../src/host/config/edit/serverDraft.ts';
import { serverFormOf, readForm } from '../../src/host/config/form/serverForm.ts';
import type { WrittenLaunch } from '../../src/host/config/serverDefinition.ts';
import { signInCheck } from '../../src/host/auth/signInCheck.ts';
import { messageOf } from '../../src/host/errors/hostError.ts';
import { FormSession, type FormToSave } from '../../src/host/review/formSession.ts';
import { formView } from '../../src/host/review/formView.ts';
import { visibleParts } from '../../src/base/text/visibleText.ts';
import { eventually } from '../editor/expectation.ts';
import { ServerPage } from '../editor/serverPage.ts';
import { serveNotes } from '../fixtures/servers/notesServer.ts';
import { OidcIssuer } from '../fixtures/servers/oidcIssuer.ts';
import { ofUser } from '../unit/support/definitions.ts';
import { HostBed } from '../unit/support/hostBed.ts';
import { PanelPage } from './support/panelPage.ts';

const title = 'Add an MCP Server';

suite('The page of a server', () => {
  const bed = new HostBed();
  const saved: FormToSave<ServerDraft>[] = [];
  let failure: Error | undefined;
  let panel: PanelPage | undefined;
  let session: FormSession<ServerDraft> | undefined;

  const close = async (): Promise<void> => {
    session?.dispose();
    await panel?.close();
    panel = undefined;
  };

  teardown(close);
  suiteTeardown(() => bed.close());

  const open = async (
    name: string,
    launch: WrittenLaunch,
    where: ServersFile = 'settings',
  ): Promise<[ServerPage, PanelPage]> => {
    const opened = await PanelPage.open('server');
    panel = opened;
    const taken = { servers: new Set(['kept']), inputs: new Set<string>() };
    session = new FormSession<ServerDraft>(
      {
        title: visibleParts(title),
        isNew: true,
        places: [{ place: ofUser.place, label: 'User Settings', detail: 'For all windows' }],
        inputs: [],
        notes: [],
        leave: 'Cancel',
      },
      serverFormOf(name, ofUser.place, launch),
      {
        post: (message) => opened.post(message),
        check: (form) => {
          const reading = readForm(form, [], { where, scope: 'user', taken });
          const question = bed.host.questionAbout(definitionOf(reading.draft, ofUser));
          return Promise.resolve({
            view: formView(form, reading, question),
            draft: reading.draft,
            question,
          });
        },
        checkSignIn: signInCheck,
        save: (what) => {
          saved.push(what);
          return failure ? Promise.reject(failure) : Promise.resolve();
        },
        cancel: () => {},
        failed: () => {},
        messageOf,
      },
    );
    await opened.show(session);
    const page = new ServerPage(opened);
    await page.waitFor(title);
    return [page, opened];
  };

  test('is filled in with the keyboard, and saves what it shows', async () => {
    const env = { LEVEL: '1' };
    const [page, { page: browser }] = await open('kept', {
      type: 'stdio',
      command: 'node',
      args: ['server.js', 'stdio'],
      env,
    });
    await eventually.equal(() => page.focused(), 'Name');
    await page.waitForProblem('Name', /already a server 'kept'/);
    await page.pressUntil('Save and Start', /Fix the problem first/);
    await eventually.equal(() => page.focused(), 'Name');
    await panel?.inspect('server-problem');
    await page.fill('Name', 'all');
    // Another argument, moved up and down again, and a variable.
    await page.field('Argument 2').press('Enter');
    await eventually.equal(() => page.focused(), 'Argument 3');
    await browser.keyboard.type('a b');
    await browser.keyboard.press('Alt+ArrowUp');
    await eventually.equal(() => page.value('Argument 2'), 'a b');
    await browser.keyboard.press('Alt+ArrowDown');
    await eventually.equal(() => page.value('Argument 3'), 'a b');
    await page.press('Add Variable');
    await browser.keyboard.type('DEMO');
    await page.fill('Variable 2: value', 'yes');
    await panel?.inspect('server-edited');
    await panel?.inspectNarrow('server-edited');
    await page.pressUntil('Save and Start', /Saving…/);
    const last = saved.at(-1);
    assert.ok(last);
    assert.equal(last.start, true);
    assert.equal(last.draft.name, 'all');
    assert.partialDeepStrictEqual(last.draft.launch, {
      command: 'node',
      args: ['server.js', 'stdio', 'a b'],
      env: { ...env, DEMO: 'yes' },
    });
    assert.deepEqual(last.question.definition.name, 'all');
  });

  test('keeps what is typed while another tab is in front', async () => {
    const [page, opened] = await open('git', { type: 'stdio', command: 'uvx', args: [], env: {} });
    await page.fill('Command', 'uv');
    await opened.hide();
    await opened.show();
    await page.waitFor(title);
    assert.equal(await page.value('Command'), 'uv');
  });

  test('says why it was not saved, and stays', async () => {
    failure = new Error('The file is read-only.');
    const [page] = await open('git', { type: 'stdio', command: 'uvx', args: [], env: {} });
    await page.pressUntil('Save', /Not saved: The file is read-only\./);
    failure = undefined;
    await page.pressUntil('Save', /Saving…/);
    assert.equal(saved.at(-1)?.start, false);
  });

  test('asks for a secret that is only an example', async () => {
    const [page] = await open('shop', {
      type: 'http',
      url: 'http://127.0.0.1:9/mcp',
      headers: { Authorization: 'Bearer s3cret', 'X-Api-Key': '<YOUR_KEY>' },
    });
    assert.equal(await page.value('Header 2: value'), '');
    await page.waitForText(/Enter X-Api-Key here/);
    await panel?.inspect('server-secrets');
  });

  test('says what other programs make of a server in a .mcp.json', async () => {
    const args = ['${workspaceFolder}/notes'];
    const [page] = await open('notes', { type: 'stdio', command: 'notes', args, env: {} }, 'mcpJson');
    await page.waitForText(/don't know \$\{workspaceFolder\} and can't use this server/);
    await panel?.inspect('server-shared-file');
  });

  test('keeps a token out of the definition, masked', async () => {
    const [page] = await open('keyed', { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} });
    await page.fill('Token', 'key-0123456789');
    await page.fill('Header of the token', 'Host');
    await page.waitForProblem('Header of the token', /uses this header for something else/);
    await page.fill('Header of the token', 'X-Api-Key');
    await panel?.inspect('server-token');
    await page.pressUntil('Save', /Saving…/);
    assert.ok(!JSON.stringify(saved.at(-1)?.draft).includes('key-0123456789'));
    assert.ok(!JSON.stringify(saved.at(-1)?.question).includes('key-0123456789'));
  });

  test('says whether a server requires an account, once you ask', async () => {
    const issuer = await OidcIssuer.start();
    const notes = await serveNotes(issuer);
    try {
      const [page] = await open('notes', { type: 'http', url: notes.url, headers: {} });
      assert.equal(notes.requests, 0, 'it was asked before you said so');
      await page.press('Ask Whether the Server Requires an Account');
      await page.waitForText(/The server requires an account at '[\w.:]+'\. You sign in after you save it\./);
      await panel?.inspect('server-account');
    } finally {
      await close();
      await Promise.all([notes.close(), issuer.close()]);
    }
  });
});
