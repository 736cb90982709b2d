import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import { AuthorizationServer } from '../unit/support/authorizationServer.ts';
import { httpServer } from '../unit/support/definitions.ts';
import { ProtectedServer } from '../unit/support/protectedServer.ts';
import { SignInBed } from '../unit/support/signInBed.ts';
import { ReviewBed } from './support/reviewBed.ts';

suite('The question whether to sign in', () => {
  test('shows the plan in every theme and width, and is answered with the keyboard alone', async () => {
    const issuer = await AuthorizationServer.start();
    const server = await ProtectedServer.start(issuer);
    const bed = new SignInBed();
    const reviewed = new ReviewBed(bed.questions);
    try {
      const notes = httpServer(server.url, { name: 'notes' });
      bed.start(notes);
      await bed.question();
      const review = await reviewed.open();
      const { panel } = reviewed;
      await review.waitFor(1);
      await panel.inspect('sign-in-question');
      const { title, text, buttons } = await review.open('notes');
      assert.equal(title, "Sign in to 'notes'?");
      const hosts = [issuer.issuer, server.url].map((url) => new URL(url).host);
      assert.ok(text.includes(`Sign in at ${hosts[0]} to let ${hosts[1]} act for you.`), text);
      assert.ok(text.includes(server.url), text);
      assert.match(text, /MCP Host is registered at .* when you sign in/);
      assert.deepEqual(buttons, ['Sign In', 'Not Now']);
      await panel.inspect('sign-in-question-details');
      await panel.inspectNarrow('sign-in-question');
      await review.tabTo(/^Not Now: /);
      await panel.page.keyboard.press('Shift+Tab');
      await review.waitForFocus("Sign In: Sign in to 'notes'?");
      assert.deepEqual(bed.browser.opened, []);
      await panel.page.keyboard.press('Enter');
      await eventually.match(() => review.text(), /Nothing is waiting for you\./);
      await bed.hosts.until(notes, 'running');
      issuer.endSessions();
      await assert.rejects(bed.call(notes));
      const [again] = await review.waitFor(1);
      assert.match(again?.text ?? '', /has ended your sign-in; sign in again\./);
      await panel.inspect('sign-in-again-question');
    } finally {
      await reviewed.close();
      await bed.close();
      await Promise.all([server.close(), issuer.close()]);
    }
  });
});
