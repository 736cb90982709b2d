import assert from 'node:assert/strict';
import { eventually, expect } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { beginShared } from './sharedWindow.ts';

suite('the driver', () => {
  let workbench: Workbench;
  let fruit: TreeView;

  suiteSetup(async () => {
    ({ workbench } = await beginShared({ servers: {} }));
    fruit = await workbench.openView('Probe', 'Fruit');
  });

  test('answers a modal dialog', async () => {
    await workbench.run('Probe: Ask');
    await eventually.deepEqual(
      async () => (await workbench.dialog.buttons()).toSorted(),
      ['Cancel', 'Take It'],
    );
    assert.equal(await workbench.dialog.answer('Take It'), 'Take the last one?\nIt cannot be put back.');
    await workbench.statusBar.waitFor('probe: asked Take It');
  });

  test('reads and presses notifications', async () => {
    await workbench.run('Probe: Tell');
    const toast = await workbench.notifications.waitFor('The basket is full.');
    assert.deepEqual(toast, {
      message: 'The basket is full.',
      severity: 'error',
      buttons: ['Empty It', 'Leave It'],
    });
    await workbench.notifications.press('The basket is full.', 'Empty It');
    await workbench.statusBar.waitFor('probe: told Empty It');
    await workbench.run('Probe: Tell');
    await workbench.notifications.dismiss(/basket/);
    await workbench.statusBar.waitFor('probe: told undefined');
  });

  test('walks through the steps of a quick input', async () => {
    const { quickInput } = workbench;
    await workbench.runToInput('Probe: Walk', 'Walk (1/2)');
    await eventually.deepEqual(async () => (await quickInput.items())[0], {
      label: 'Way 1',
      description: 'far',
      detail: '',
      isChecked: undefined,
    });
    await quickInput.pick('Way 57');
    await quickInput.waitUntilOpen('Walk (2/2)');
    await eventually.equal(() => quickInput.prompt(), 'How many steps?');
    await quickInput.type('many');
    await eventually.equal(() => quickInput.validationMessage(), 'Steps are a number.');
    await quickInput.enter('12');
    await workbench.statusBar.waitFor('probe: walked Way 57 12');
    await workbench.runToInput('Probe: Walk', 'Walk (1/2)');
    await workbench.page.keyboard.press('Escape'); // only once: the next step opens at once
    await quickInput.waitUntilOpen('Walk (2/2)');
    await quickInput.cancel();
    await workbench.statusBar.waitFor('probe: walked undefined undefined');
  });

  test('reports which commands the palette offers', async () => {
    assert.equal(await workbench.offers('Probe: Ask'), true);
    assert.equal(await workbench.offers('Probe: Hidden'), false);
    assert.equal(await workbench.quickInput.isOpen(), false);
  });

  test('reads a tree', async () => {
    await eventually.all(
      () => fruit.row('plum'),
      (plum) => {
        assert.equal(plum.description, 'one plum');
        assert.equal(plum.level, 1);
        assert.equal(plum.isExpanded, false);
        assert.equal(plum.isChecked, false);
        assert.equal(plum.icon, 'warning');
      },
    );
    await eventually.equal(() => fruit.message(), 'A basket.');
    await eventually.equal(() => workbench.badge('Probe'), '3 kinds');
  });

  test('expands, scrolls and collapses a tree', async () => {
    await fruit.expand('plum');
    await fruit.expand('apple');
    await expect(
      'every row',
      () => fruit.rows(),
      ({ length }) => length === 3 + 120 + 1,
    );
    await eventually.equal(async () => (await fruit.row('plum', 'stem')).level, 2);
    await fruit.select('apple', 'seed 90');
    await fruit.collapse('apple');
    await fruit.waitUntilGone('apple', 'seed 1');
    await eventually.deepEqual(
      async () => (await fruit.rows()).map(({ label }) => label),
      ['apple', 'pear', 'plum', 'stem'],
    );
  });

  test("ticks a row's checkbox", async () => {
    await fruit.check(['pear'], true);
    await workbench.statusBar.waitFor('probe: ticked pear');
    await fruit.check(['pear'], false);
    await workbench.statusBar.waitFor('probe: unticked pear');
  });

  test("runs a row's and a view's actions", async () => {
    await eventually.deepEqual(() => fruit.inlineActions('pear'), ['Peel']);
    await fruit.runInline(['pear'], 'Peel');
    await workbench.statusBar.waitFor('probe: peeled pear');
    await fruit.runFromMenu(['plum'], 'Eat');
    await workbench.statusBar.waitFor('probe: ate plum');
    await fruit.runFromTitle('Wash');
    await workbench.statusBar.waitFor('probe: washed');
  });

  test('reads and presses the text of an empty view', async () => {
    const empty = await workbench.openView('Probe', 'Empty');
    await eventually.equal(() => empty.welcome(), 'Nothing here yet. Tell Me');
    await empty.pressInWelcome('Tell Me');
    await workbench.notifications.press(/basket/, 'Leave It');
    await workbench.statusBar.waitFor('probe: told Leave It');
  });

  test('reads the text of an editor and the tabs', async () => {
    await workbench.run('Probe: Write');
    const text = await workbench.editors.waitForText(/^line 1\n/);
    assert.equal(text.split('\n').length, 300);
    assert.equal(await workbench.editors.copiedText(), text);
    const tabs = await workbench.editors.tabs();
    assert.deepEqual(
      tabs.map(({ isActive, isDirty }) => ({ isActive, isDirty })),
      [{ isActive: true, isDirty: true }],
    );
    assert.equal((await workbench.editors.waitFor('line 1')).description, 'Untitled-1');
    await workbench.run('View: Revert and Close Editor');
  });

  test('switches the colour theme', async () => {
    for (const theme of ['dark', 'highContrast', 'light'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`driver-${theme}`);
    }
  });

  test('says what was expected and what was there', async () => {
    await assert.rejects(
      workbench.statusBar.waitFor('no such entry', 200),
      /^Error: Expected 'no such entry' in the status bar within 0\.2 s; there was \[\{.*ready:2/,
    );
  });
});
