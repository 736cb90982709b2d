import assert from 'node:assert/strict';
import { eventually, expect } from '../editor/expectation.ts';
import type { QuickItem } from '../editor/quickInput.ts';
import type { Workbench } from '../editor/workbench.ts';
import { beginRunning } from './runningServers.ts';

/** Opens the pick, types, and gives the rows once they are as wanted. */
async function search(
  workbench: Workbench,
  typed: string,
  isWanted: (items: readonly QuickItem[]) => boolean = (items) => items.length > 0,
): Promise<readonly QuickItem[]> {
  const { quickInput } = workbench;
  if (!(await quickInput.isOpen())) {
    await workbench.runToInput('MCP Host: Open Resource…', 'Open Resource');
  }
  await quickInput.type(typed);
  return expect(`the rows for '${typed}'`, () => quickInput.itemsNow(), isWanted);
}

const labelsOf = (items: readonly QuickItem[]): readonly string[] => items.map(({ label }) => label);
const isFirst =
  (label: string) =>
  ([item]: readonly QuickItem[]): boolean =>
    item?.label === label;

suite('Open Resource…', () => {
  let workbench: Workbench;

  suiteSetup(async () => {
    ({ workbench } = await beginRunning());
  });

  teardown(async () => {
    await workbench.quickInput.cancel();
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('offers what the running servers list, templates too', async () => {
    await search(workbench, '');
    await workbench.screenshot('open-resource-pick');
    const items = await search(workbench, 'architecture', isFirst('architecture.md'));
    assert.deepEqual(items[0], {
      label: 'architecture.md',
      description: 'library · demo://resource/static/document/architecture.md',
      detail: 'Static document file exposed from /docs: architecture.md',
      isChecked: undefined,
    });
    const templates = await search(workbench, 'library dynamic', ({ length }) => length === 2);
    assert.deepEqual(labelsOf(templates), ['Dynamic Blob Resource', 'Dynamic Text Resource']);
    await workbench.screenshot('open-resource-templates');
  });

  test('says so when nothing matches', async () => {
    await search(workbench, 'no such thing', isFirst('No resource matches all these words'));
    await workbench.screenshot('open-resource-none');
    await workbench.quickInput.accept();
    await eventually.ok(() => workbench.quickInput.isOpen());
  });

  test('opens what is selected, and then offers it first', async () => {
    await search(workbench, 'start', isFirst('startup.md'));
    await workbench.quickInput.accept();
    await workbench.editors.waitForText(/Everything Server - Startup Process/);
    await search(workbench, 'notes', isFirst('Notes'));
    await workbench.quickInput.accept();
    await workbench.editors.waitForText(/Buy milk/);
    const [first, second] = await search(workbench, '', isFirst('Notes'));
    assert.deepEqual([first?.label, second?.label], ['Notes', 'startup.md']);
    await workbench.screenshot('open-resource-recent');
  });

  test('opens a whole URI that no server lists, and remembers it', async () => {
    const uri = 'demo://resource/dynamic/text/7';
    const known = await search(workbench, 'odd://home/notes.md', ({ length }) => length === 3);
    assert.deepEqual(labelsOf(known), ['Notes', 'Open from library', 'Open from peer']);
    const items = await search(workbench, uri, isFirst('Open from library'));
    assert.deepEqual(labelsOf(items), ['Open from library', 'Open from odd', 'Open from peer']);
    assert.equal(items[0]?.description, uri);
    await workbench.screenshot('open-resource-unlisted');
    await workbench.quickInput.accept();
    await workbench.editors.waitForText(/Resource 7/);
    await search(workbench, 'dynamic text 7', isFirst('7'));
    const [found] = await workbench.quickInput.itemsNow();
    assert.equal(found?.description, `library · ${uri}`);
  });

  test('copies a URI', async () => {
    await search(workbench, 'architecture', isFirst('architecture.md'));
    await workbench.quickInput.pressInRow('architecture.md', 'Copy URI');
    await workbench.statusBar.waitFor(/Copied the URI/);
    await eventually.equal(() => clipboard(workbench), 'demo://resource/static/document/architecture.md');
  });

  test('adds a resource to the chat from its row: the request has its text', async () => {
    // The editor doesn't say when the conversation of a chat that opens is loaded; until then it attaches nothing.
    await workbench.execute('workbench.action.chat.open');
    await workbench.chat.waitUntilFocused();
    await search(workbench, 'architecture', isFirst('architecture.md'));
    await workbench.quickInput.pressInRow('architecture.md', 'Add to Chat');
    await workbench.chat.waitForAttached('architecture.md');
    await workbench.screenshot('add-to-chat');
    const answer = await workbench.chat.ask('attached?', 'Scripted One', /ATTACHED/);
    assert.match(answer, /architecture\.md \(markdown\): [^]*Everything Server – Architecture/);
    await workbench.screenshot('add-to-chat-asked');
  });

  test('adds the active document to the chat', async () => {
    await search(workbench, 'read me', isFirst('Read Me'));
    await workbench.quickInput.accept();
    await workbench.editors.waitForText(/# Read me/);
    await workbench.editors.runFromMore('Add to Chat');
    await workbench.chat.waitForAttached('readme.md');
    const answer = await workbench.chat.ask('attached?', 'Scripted One', /readme/);
    assert.match(answer, /ATTACHED readme\.md \(markdown\): # Read me/);
  });

  test('says what a chat may not read, and what it takes only from files', async () => {
    const { notifications, quickInput } = workbench;
    await search(workbench, 'bytes as text', isFirst('Bytes as text'));
    await quickInput.pressInRow('Bytes as text', 'Add to Chat');
    await notifications.waitFor("It isn't text, so the chat may not read it: bytes.txt");
    await workbench.screenshot('add-to-chat-bytes');
    await notifications.dismiss(/isn't text/);
    await search(workbench, 'picture', isFirst('Picture'));
    await quickInput.pressInRow('Picture', 'Add to Chat');
    await notifications.waitFor(/takes images only from files/);
    await workbench.screenshot('add-to-chat-image');
    await eventually.equal(
      () => clipboard(workbench),
      "odd://home/dot.png (a resource of the MCP server 'odd')",
    );
    await notifications.dismiss(/takes images/);
  });

  test('says why a resource that cannot be read is not attached', async () => {
    await search(workbench, 'fails', isFirst('Fails'));
    await workbench.quickInput.pressInRow('Fails', 'Add to Chat');
    await workbench.notifications.waitFor(/could not be added to the chat/);
    await workbench.screenshot('add-to-chat-failed');
    await workbench.notifications.dismiss(/could not be added/);
  });
});

function clipboard({ page }: Workbench): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
