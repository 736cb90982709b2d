import assert from 'node:assert/strict';
import { readFromForm, type FormView, type ToForm } from '../../../../src/host/review/formProtocol.ts';
import { FormSession, type FormToSave } from '../../../../src/host/review/formSession.ts';
import { serverFormOf, type ServerForm } from '../../../../src/host/config/form/serverForm.ts';
import { stdioServer } from '../../support/definitions.ts';
import { type LaunchQuestion, launchQuestions } from '../../../../src/host/launch/question/launchQuestion.ts';

const form = serverFormOf('git', 'settings:user', { type: 'stdio', command: 'uvx', args: [], env: {} });
const view: FormView = {
  problems: [],
  hints: [],
  unseen: [],
  secrets: [],
  warnings: [],
  notes: [],
  workingDirectory: [],
  variables: [],
  tells: [],
  folders: [],
  meaning: '',
};
const question: LaunchQuestion = {
  kind: launchQuestions,
  definition: stdioServer([]),
  label: 'git',
  workingDirectory: '/',
  warnings: [],
  notes: [],
  changes: [],
  folders: [
    { uri: 'file:///a', name: 'a', isProposed: true },
    { uri: 'file:///b', name: 'b', isProposed: false },
  ],
};

/** A session whose page answers what the test says. */
class Bed {
  readonly posted: ToForm[] = [];
  readonly saved: FormToSave<string>[] = [];
  view: FormView = view;
  question: LaunchQuestion = question;
  failure: Error | undefined;
  readonly failed = Promise.withResolvers<void>();
  readonly session = new FormSession<string>(
    { title: [], isNew: true, places: [], inputs: [], notes: [], leave: 'Cancel' },
    form,
    {
      post: (message) => this.posted.push(message),
      check: ({ command }) => Promise.resolve({ view: this.view, draft: command, question: this.question }),
      checkSignIn: ({ url }) => Promise.resolve(`Asked ${url}.`),
      save: (what) => {
        this.saved.push(what);
        return this.failure ? Promise.reject(this.failure) : Promise.resolve();
      },
      cancel: () => {},
      failed: () => this.failed.resolve(),
      messageOf: (error) => (error as Error).message,
    },
    20,
  );

  /** The status of what was posted last. */
  get status(): string | undefined {
    const last = this.posted.at(-1);
    return last && 'status' in last ? last.status : undefined;
  }

  save(more: Partial<ServerForm> = {}): Promise<void> {
    return this.session.receive({ type: 'save', number: 1, form: { ...form, ...more }, start: true });
  }
}

suite('The page of a server', () => {
  test('saves what it sends, with the folders that are proposed', async () => {
    const bed = new Bed();
    await bed.session.receive({ type: 'ready' });
    await bed.save({ command: 'other' });
    assert.deepEqual(bed.saved, [
      { draft: 'other', question, roots: ['file:///a'], inChat: false, start: true },
    ]);
  });

  test('saves the folders that were chosen, and none that was not offered', async () => {
    const bed = new Bed();
    await bed.session.receive({ type: 'ready' });
    await bed.save({ folders: ['file:///b', 'file:///etc'] });
    assert.deepEqual(bed.saved[0]?.roots, ['file:///b']);
  });

  test('makes a server available to chat only if you selected that, and only where it was offered', async () => {
    const saved = async (chat: LaunchQuestion['chat'], inChat?: boolean): Promise<boolean | undefined> => {
      const bed = new Bed();
      bed.question = { ...question, ...(chat && { chat }) };
      await bed.session.receive({ type: 'ready' });
      await bed.save({ ...(inChat !== undefined && { inChat }) });
      return bed.saved[0]?.inChat;
    };
    const offer = { isGranted: false, meaning: '' };
    assert.equal(await saved(offer, true), true);
    assert.equal(await saved(offer, false), false);
    assert.equal(await saved(offer), false);
    assert.equal(await saved(undefined, true), false);
    assert.equal(await saved({ ...offer, isGranted: true }, true), false);
  });

  test('is not saved before it has shown what chat would mean', async () => {
    const bed = new Bed();
    await bed.session.receive({ type: 'ready' });
    bed.view = { ...view, chat: { isGranted: false, meaning: 'Models see its tools.' } };
    await bed.save({ inChat: true });
    assert.deepEqual(bed.saved, []);
    await bed.save({ inChat: true });
    assert.equal(bed.saved.length, 1);
  });

  test('is not saved with a problem', async () => {
    const bed = new Bed();
    await bed.session.receive({ type: 'ready' });
    bed.view = { ...view, problems: [{ field: 'name', text: 'Taken.' }] };
    await bed.save();
    assert.deepEqual([bed.saved, bed.status], [[], 'Fix the problem first.']);
  });

  test('is not saved before it has shown a warning that came up since', async () => {
    const bed = new Bed();
    await bed.session.receive({ type: 'ready' });
    bed.view = { ...view, warnings: [[{ text: 'It is a shell.', isWrittenOut: false }]] };
    await bed.save();
    assert.deepEqual(bed.saved, []);
    assert.match(bed.status ?? '', /more to know/);
    await bed.save();
    assert.equal(bed.saved.length, 1);
  });

  test('is not saved while it has not been shown', async () => {
    const bed = new Bed();
    await bed.save();
    assert.deepEqual(bed.saved, []);
  });

  test('says why it could not be saved, also when it was out of sight meanwhile', async () => {
    const bed = new Bed();
    await bed.session.receive({ type: 'ready' });
    bed.failure = new Error('Line 3 is not valid.');
    await bed.save();
    assert.equal(bed.status, 'Not saved: Line 3 is not valid.');
    bed.session.hidden();
    await bed.session.receive({ type: 'ready' });
    assert.deepEqual([bed.posted.at(-1)?.type, bed.status], ['show', 'Not saved: Line 3 is not valid.']);
  });

  test('says whether the server requires an account, of the form that asked, and keeps what was typed since', async () => {
    const bed = new Bed();
    const url = 'https://mcp.example.com/mcp';
    await bed.session.receive({ type: 'checkSignIn', number: 1, form: { ...form, url } });
    assert.equal(bed.posted.length, 0, 'no page is ready for it');
    await bed.session.receive({ type: 'ready' });
    await bed.session.receive({ type: 'changed', number: 2, form: { ...form, url, command: 'typed' } });
    await bed.session.receive({ type: 'checkSignIn', number: 1, form: { ...form, url } });
    assert.deepEqual(bed.posted.at(-1), { type: 'signInChecked', number: 1, words: `Asked ${url}.` });
    bed.session.hidden();
    await bed.session.receive({ type: 'ready' });
    const shown = bed.posted.at(-1);
    assert.equal(shown?.type === 'show' && shown.form.command, 'typed');
  });

  test('fails when it does not report in time', async () => {
    const bed = new Bed();
    bed.session.opened();
    await bed.failed.promise;
    bed.session.dispose();
  });

  test('sends nothing else', () => {
    for (const message of [
      undefined,
      { type: 'save', number: 1, form, start: 'yes' },
      { type: 'changed', number: 1, form: { ...form, args: [1] } },
      { type: 'changed', number: 1, form: { ...form, env: [{ name: 'a' }] } },
      { type: 'changed', number: 1, form: { ...form, signIn: [{ name: 'issuer', value: 1 }] } },
      { type: 'changed', number: 1, form: { ...form, signIn: undefined } },
      { type: 'changed', number: 1, form: { ...form, kept: { a: 1 } } },
      { type: 'changed', number: 1, form: { ...form, inChat: 'yes' } },
      { type: 'changed', form },
      { type: 'open', number: 1, form },
    ]) {
      assert.equal(readFromForm(message), undefined);
    }
    assert.deepEqual(readFromForm({ type: 'changed', number: 1, form, more: 1 }), {
      type: 'changed',
      number: 1,
      form,
    });
  });
});
