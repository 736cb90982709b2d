import assert from 'node:assert/strict';
import { longText } from '../../src/host/questions/panelText.ts';
import {
  ServerPageSession,
  type PageRow,
  type ServerPageAct,
  type ShowServer,
} from '../../src/host/review/serverPageSession.ts';
import { eventually } from '../editor/expectation.ts';
import { PanelPage } from './support/panelPage.ts';

const row = (id: string, more: Partial<PageRow> = {}): PageRow => ({
  id,
  label: id,
  description: '',
  tooltip: '',
  isWarning: false,
  actions: [],
  rows: [],
  ...more,
});
const box = (isChecked: boolean, label: string) => ({ checkbox: { isChecked, label } });

const shown: ShowServer = {
  type: 'show',
  title: 'everything',
  state: '2 tools · in chat',
  buttons: ['Stop', 'Restart', 'Edit…', 'Show Log'],
  rows: [
    row('Its definition has an unknown field', { isWarning: true, opens: 'Open the Definition' }),
    row('Tools', {
      description: '1 of 2 on · ≈ 300 tokens',
      ...box(true, 'Show the tools of everything to models'),
      rows: [
        row('Echo', {
          description: 'Says it again',
          opens: 'Open Form',
          ...box(true, 'Show echo to models'),
        }),
        row('List directory with sizes', {
          description: `list_directory_with_sizes · ${'Gets a detailed listing of all files. '.repeat(4)}`,
          opens: 'Open Form',
          ...box(true, 'Show list_directory_with_sizes to models'),
        }),
        row('Delete', {
          description: '<b>deletes</b>',
          opens: 'Open Form',
          ...box(false, 'Show delete to models'),
        }),
      ],
    }),
    row('Folders', {
      description: 'notes, shop',
      actions: ['Manage Folders…'],
      rows: [row('notes', box(true, 'Share notes with everything'))],
    }),
    row('Chat', {
      description: 'not in chat',
      ...box(false, 'Use everything in chat'),
      meaning: 'Models in chat can then see its tools, resources and prompts, and use them.',
    }),
    row('Model access', { description: 'asks each time', actions: ['Set Model Access…'] }),
  ],
  decisions: [row('may be launched', { description: 'today', actions: ['Take Back'] })],
  activity: [row('echo', { description: 'you · 2 ms', opens: 'Open' })],
  sees: [
    { title: 'Folders shared with it (roots)', text: longText('- notes: /projects/notes') },
    { title: 'Its tools, as models get them', text: longText('A line of what it sees.\n'.repeat(40)) },
  ],
};

suite('The page of a server', () => {
  let page: PanelPage;
  let session: ServerPageSession;
  let now = shown;
  const acts: ServerPageAct[] = [];

  suiteSetup(async () => {
    page = await PanelPage.open('overview');
    session = new ServerPageSession(
      {
        post: (message) => page.post(message),
        view: () => now,
        act: (act) => {
          acts.push(act);
          return Promise.resolve();
        },
        failed: () => assert.fail('the page is not ready'),
      },
      2 ** 30,
    );
    await page.show(session);
  });

  suiteTeardown(async () => {
    session.dispose();
    await page.close();
  });

  const text = () => page.page.locator('main').innerText();

  test('shows what its rows say as text, in every theme and width', async () => {
    await eventually.match(text, /everything[^]*Model access[^]*Echo[^]*<b>deletes<\/b>[^]*Latest activity/);
    await page.inspect('server-page');
    await page.inspectNarrow('server-page');
  });

  test('sends what you press and check, by the keyboard, too', async () => {
    const named = (name: string) => page.page.getByRole('button', { name, exact: true });
    await named('Open Form: Echo').focus();
    await page.page.keyboard.press('Enter');
    await named('Set Model Access…: Model access').click();
    await page.page.getByRole('button', { name: 'Stop' }).click();
    await page.page.locator('vscode-checkbox', { hasText: 'Show delete to models' }).click();
    await eventually.deepEqual(
      () => Promise.resolve(acts),
      [
        { type: 'press', id: 'Echo' },
        { type: 'press', id: 'Model access', action: 'Set Model Access…' },
        { type: 'press', action: 'Stop' },
        { type: 'check', id: 'Delete', isChecked: true },
      ],
    );
  });

  test('takes no click of the pointer on a box that has just moved there', async () => {
    const before = acts.length;
    const box = page.page.locator('vscode-checkbox', { hasText: 'Show delete to models' });
    await box.evaluate((element) => {
      const click = (): void => {
        const options = { detail: 1, bubbles: true, composed: true, cancelable: true };
        element.shadowRoot?.querySelector('label')?.dispatchEvent(new MouseEvent('click', options));
        element.setAttribute('title', 'clicked');
      };
      window.addEventListener('message', click, { once: true });
    });
    now = { ...shown, rows: shown.rows.toReversed() };
    session.changed();
    await eventually.equal(() => box.getAttribute('title'), 'clicked');
    assert.equal(acts.length, before);
    await page.page.waitForTimeout(600);
    await box.click();
    await eventually.deepEqual(
      () => Promise.resolve(acts.slice(before)),
      [{ type: 'check', id: 'Delete', isChecked: true }],
    );
  });

  test('brings the row that you asked for into sight, and leaves its box to you', async () => {
    const before = acts.length;
    now = { ...shown, focus: 'Chat' };
    session.changed();
    await eventually.match(() => page.page.evaluate(() => document.activeElement?.textContent ?? ''), /Chat/);
    await page.page.keyboard.press('Space');
    await page.page.keyboard.press('Enter');
    assert.equal(acts.length, before);
    await page.page.keyboard.press('Tab');
    await page.page.keyboard.press('Space');
    await eventually.deepEqual(
      () => Promise.resolve(acts.slice(before)),
      [{ type: 'check', id: 'Chat', isChecked: true }],
    );
  });

  test('keeps the focus when it changes', async () => {
    await page.page.getByRole('button', { name: 'Open Form: Echo', exact: true }).focus();
    now = { ...shown, state: 'stopped', rows: shown.rows.slice(1) };
    session.changed();
    await eventually.match(text, /stopped/);
    assert.equal(await page.page.evaluate(() => document.activeElement?.textContent.trim()), 'Echo');
  });
});
