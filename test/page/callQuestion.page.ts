import assert from 'node:assert/strict';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../editor/expectation.ts';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { packageScript, stdioServer } from '../unit/support/definitions.ts';
import { extension, GateBed } from '../unit/support/gateBed.ts';
import { ReviewBed } from './support/reviewBed.ts';

const content = `${Array.from({ length: 40 }, (_, index) => `line ${index} of a file`).join('\n')}\nthe end\u202E\nsee`;

suite('The question whether another extension may run a tool', () => {
  const folder = new TemporaryFolder('call');
  const written = join(realpathSync(folder.path), 'written.txt');
  const filesystem = stdioServer(
    [packageScript('@modelcontextprotocol/server-filesystem'), realpathSync(folder.path)],
    { name: 'filesystem' },
  );
  const bed = new GateBed();
  const reviewed = new ReviewBed(bed.hostBed.questions);
  let asked: Promise<unknown>;
  const write = () =>
    bed.gate.callTool(extension, filesystem.id, 'write_file', { path: written, content }, {});

  suiteSetup(async () => {
    await bed.hostBed.run(filesystem);
    await bed.untilListed(filesystem);
  });

  suiteTeardown(async () => {
    await reviewed.close();
    await bed.close();
    folder.remove();
  });

  test('shows who asks, for what, and every argument whole', async () => {
    asked = write();
    await bed.untilAsked();
    const review = await reviewed.open();
    await review.waitFor(1);
    await reviewed.panel.inspect('call-question');
    const question = await review.open('filesystem');
    assert.equal(question.title, "The extension 'Helper' wants to run 'write_file' on 'filesystem'");
    assert.match(question.text, /Asked by acme\.helper[^]*Defined in\s+your user settings/);
    assert.ok(question.text.includes(written), question.text);
    assert.match(question.text, /line 0 of a file\nline 1 of a file\n[^]*the end\\u\{202E\}\nsee/);
    assert.match(question.text, /Warning: The argument 'content' has invisible characters/);
    assert.match(question.text, /The server claims: .* Not verified\./);
    assert.deepEqual(question.buttons, ['Allow', "Don't Allow"]);
    assert.deepEqual(question.more, [
      "Allow 'write_file' for this session",
      "Allow 'write_file' always in this workspace",
      "Allow 'write_file' always",
      "Allow all tools of 'filesystem' for this session",
      "Allow all tools of 'filesystem' always in this workspace",
      "Allow all tools of 'filesystem' always",
      "Never allow 'write_file'",
      "Never allow all tools of 'filesystem'",
    ]);
    await review.waitForFocus(question.title);
    await reviewed.panel.page.keyboard.press('Enter');
    assert.equal(bed.questions.length, 1, 'Enter on the heading has answered');
  });

  test('folds what is long, and has no finding of axe in any theme', async () => {
    const { panel, review } = reviewed;
    await panel.inspect('call-question-details');
    await review.unfold('filesystem', 'Show all 42 lines of content');
    await panel.screenshot('call-question-unfolded');
    await review.unfold('filesystem', 'Show less of content');
    await panel.inspectNarrow('call-question');
  });

  test('opens the definition of its server', async () => {
    const { panel, review } = reviewed;
    await review.press('filesystem', 'Open the Definition');
    await eventually.deepEqual(() => Promise.resolve(reviewed.opened), ['filesystem']);
    await panel.hide();
    await panel.show();
    await review.waitFor(1);
  });

  test('is answered with the keyboard, and remembers the answer', async () => {
    const { panel, review } = reviewed;
    await review.tabTo(/^Other ways to allow: The extension 'Helper'/);
    await panel.page.keyboard.press('Enter');
    await review.tabTo(/^Allow all tools of 'filesystem' for this session: /);
    await panel.page.keyboard.press('Enter');
    await eventually.match(() => review.text(), /Nothing is waiting for you\./);
    assert.equal(reviewed.finished, 1);
    await asked;
    rmSync(written);
    await write();
    assert.match(readFileSync(written, 'utf8'), /the end\u202E\nsee/);
    assert.equal(bed.questions.length, 0);
  });
});
