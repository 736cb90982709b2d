import assert from 'node:assert/strict';
import { plain } from '../../../../src/host/questions/panelText.ts';
import { legacyServer, packageScript, stdioServer } from '../../support/definitions.ts';
import { RequestFormBed } from '../../support/requestFormBed.ts';

const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio'], {
  name: 'everything',
});
const unfriendly = legacyServer(['--prompts=odd,picture']);

suite('The form of a prompt', () => {
  let bed: RequestFormBed;
  setup(async () => {
    bed = new RequestFormBed();
    await bed.gateBed.hostBed.run(everything);
  });
  teardown(() => bed.close());

  const actions = (): readonly string[] =>
    bed.run.kind === 'result' ? bed.run.actions.map(({ label }) => label) : [];

  test('has a text for each argument, and suggestions instead of JSON', async () => {
    await bed.showPrompt(everything, 'args-prompt');
    const { edit } = bed;
    assert.ok(edit.kind === 'form' && edit.form.kind === 'object');
    assert.deepEqual(
      edit.form.fields.map(({ kind, name, isRequired, description }) => [
        kind,
        name,
        isRequired,
        description,
      ]),
      [
        ['text', 'city', true, 'Name of the city'],
        ['text', 'state', false, undefined],
      ],
    );
    assert.deepEqual([edit.hasSuggestions, edit.hasJson], [true, false]);
  });

  test('shows the messages, and leaves out what is empty', async () => {
    await bed.showPrompt(everything, 'args-prompt');
    await bed.send({ type: 'run', entered: ['', 'Bern'] });
    assert.deepEqual(bed.problems, ['0 This is required.']);
    await bed.send({ type: 'run', entered: ['Bern', ''] });
    assert.equal(bed.result, "User: What's weather in Bern?");
    assert.deepEqual(bed.remembered, [{ city: 'Bern', state: '' }]);
    assert.deepEqual(bed.gateBed.ledger.booked.at(-1)?.args, { city: 'Bern' });
    assert.deepEqual(actions(), ['Send to Chat', 'Copy', 'Insert into Editor', 'Open as Document']);
    await bed.send({ type: 'use', action: 'insert' });
    await bed.send({ type: 'use', action: 'missed' });
    assert.deepEqual(bed.used, ["insert: What's weather in Bern?"]);
  });

  test('comes at once without arguments, and says why it failed', async () => {
    bed.hasChat = false;
    await bed.showPrompt(everything, 'simple-prompt');
    assert.match(bed.result, /^User: This is a simple prompt/);
    assert.deepEqual(actions(), ['Copy', 'Insert into Editor', 'Open as Document']);
    await bed.send({ type: 'use', action: 'send' });
    assert.deepEqual(bed.used, [], 'there is no chat');
    await bed.showPrompt(everything, 'resource-prompt');
    await bed.send({ type: 'run', entered: ['Wood', '1'] });
    assert.ok(bed.run.kind === 'failed');
    assert.match(plain(bed.run.message), /Invalid resourceType: Wood/);
    assert.deepEqual(bed.entered, ['', ''], 'as it was shown');
  });

  test('suggests values, with the texts above as the context', async () => {
    await bed.showPrompt(everything, 'completable-prompt');
    await bed.send({ type: 'suggest', number: 1, field: 'department', entered: ['', ''] });
    assert.deepEqual(bed.suggestions, ['Engineering', 'Sales', 'Marketing', 'Support']);
    await bed.send({ type: 'suggest', number: 2, field: 'name', entered: ['Sales', ''] });
    assert.deepEqual(bed.suggestions, ['David', 'Eve', 'Frank']);
    await bed.send({ type: 'suggest', number: 3, field: 'name', entered: ['Support', 'K'] });
    assert.deepEqual(bed.suggestions, ['Kim']);
    await bed.send({ type: 'suggest', number: 4, field: 'no such field', entered: ['Support', 'K'] });
    assert.deepEqual(bed.suggestions, []);
  });

  test('answers only the newest question', async () => {
    await bed.showPrompt(everything, 'completable-prompt');
    const typing = ['', 'S', 'Sa', 'Sal'].map((typed, number) =>
      bed.send({ type: 'suggest', number, field: 'department', entered: [typed, ''] }),
    );
    await Promise.all(typing);
    const answers = bed.posted.flatMap((message) => (message.type === 'suggestions' ? [message] : []));
    assert.deepEqual(
      answers.map(({ number, values }) => [number, values.map(({ value }) => value)]),
      [[3, ['Sales']]],
    );
  });

  test('neither completes, sends along nor keeps a secret', async () => {
    bed.prompt = {
      arguments: [{ name: 'department' }, { name: 'api_key', required: true }, { name: 'name' }],
    };
    await bed.showPrompt(everything, 'completable-prompt');
    const entered = ['Sales', 'hunter2', ''];
    await bed.send({ type: 'suggest', number: 1, field: 'api_key', entered });
    assert.deepEqual(bed.suggestions, []);
    await bed.send({ type: 'suggest', number: 2, field: 'name', entered });
    assert.deepEqual(bed.suggestions, ['David', 'Eve', 'Frank']);
    assert.deepEqual(bed.completed, [
      {
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'name', value: '' },
        context: { arguments: { department: 'Sales' } },
      },
    ]);
    assert.deepEqual(bed.kept.fields, { department: 'Sales', name: '' });
    await bed.send({ type: 'run', entered: ['Sales', 'hunter2', 'Eve'] });
    assert.deepEqual(bed.remembered, [{ department: 'Sales', name: 'Eve' }]);
    assert.ok(bed.gateBed.ledger.booked.at(-1)?.secrets.includes('hunter2'));
  });

  test('shows a hostile prompt as text, with what to know before it is used', async () => {
    await bed.gateBed.hostBed.run(unfriendly);
    await bed.showPrompt(unfriendly, 'odd');
    assert.match(bed.result, /^User: \[Click\]\(command:workbench\.action\.quit\)/);
    assert.match(bed.result, /\nAssistant: Sure\\u\{202E\}/);
    assert.match(bed.result, /\nUser: Resource: .*file:\/\/\/etc\/passwd/s);
    assert.ok(bed.run.kind === 'result');
    const notes = bed.run.notes.map(plain).join('\n');
    assert.match(notes, /Hidden characters: 2\./);
    assert.match(notes, /not sent: Image/);
    assert.match(notes, /'#file'/);
    await bed.showPrompt(unfriendly, 'picture');
    assert.ok(bed.run.kind === 'result');
    assert.match(bed.run.result.sections[1]?.pictures[0]?.source ?? '', /^data:image\/png;base64,/);
    await bed.send({ type: 'open', index: 0 });
    assert.deepEqual(
      bed.opened.map(({ kind }) => kind),
      ['image'],
    );
  });
});
