import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import { textOf } from '../unit/support/connectionBed.ts';
import { legacyServer } from '../unit/support/definitions.ts';
import { HostBed } from '../unit/support/hostBed.ts';
import { until } from '../unit/support/until.ts';
import { ReviewBed } from './support/reviewBed.ts';

const notes = { uri: 'file:///projects/notes', name: 'notes' };
const shop = { uri: 'file:///projects/shop', name: 'shop' };

suite('The question which folders running servers may see', () => {
  const one = legacyServer([], { name: 'one' });
  const other = legacyServer([], { name: 'other' });
  let bed: HostBed;
  let reviewed: ReviewBed;
  /** The folders that each server got. */
  let seen: Promise<readonly string[]>;

  setup(() => {
    bed = new HostBed();
    reviewed = new ReviewBed(bed.questions);
  });

  teardown(async () => {
    await reviewed.close();
    await bed.close();
  });

  /** Starts servers without a folder, has them ask for folders when there are some, and opens the panel. */
  const ask = async (...definitions: readonly (typeof one)[]): Promise<void> => {
    const servers = await bed.run(...definitions);
    bed.folders = [notes, shop];
    seen = Promise.all(servers.map((server) => textOf(server.callTool('roots', {}))));
    await until(() => bed.rootsQuestions.length === 1, 'folders are asked for', bed.questions.onDidChange);
    await reviewed.open();
  };

  test('is one for all servers, and answered with the keyboard, from the selection', async () => {
    await ask(one, other);
    const { panel, review } = reviewed;
    const [question] = await review.waitFor(1);
    assert.ok(question);
    // In the order in which they have asked.
    assert.match(question.title, /^Share folders with '\w+' and '\w+'\?$/);
    assert.deepEqual(question.buttons, ['Share Selected', 'Share All', "Don't Share", 'Not Now']);
    assert.deepEqual(
      question.folders.map(({ label, isChecked }) => [label, isChecked]),
      [
        ['notes', true],
        ['shop', true],
      ],
    );
    await review.waitForFocus(question.title);
    await panel.page.keyboard.press('Enter');
    assert.equal(bed.rootsQuestions.length, 1, 'Enter on the heading has answered');
    await panel.inspect('roots-question');
    await panel.inspectNarrow('roots-question');
    await review.tabTo(/^shop /);
    await panel.page.keyboard.press('Space');
    await review.tabTo(/^Share Selected: /);
    await panel.page.keyboard.press('Enter');
    await eventually.match(() => review.text(), /Folders shared: \w+, \w+\./);
    for (const text of await seen) {
      assert.ok(text.includes(notes.uri) && !text.includes(shop.uri), text);
    }
  });

  test('says what sharing means, and is postponed with Not Now', async () => {
    await ask(one);
    const { review } = reviewed;
    const question = await review.open('one');
    assert.match(question.text, /Defined in\s+your user settings/);
    assert.match(question.text, /It gets the names and paths of these folders, and isn.t limited to them/);
    assert.match(question.text, /"Not Now": it gets no folder this time/);
    await review.answer('one', 'Not Now');
    const [text = ''] = await seen;
    assert.ok(!text.includes(notes.uri), text);
  });
});
