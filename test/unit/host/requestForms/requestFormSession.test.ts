import assert from 'node:assert/strict';
import { packageScript, rawServer, stdioServer } from '../../support/definitions.ts';
import { RequestFormBed } from '../../support/requestFormBed.ts';
import { perTest } from '../../support/perTest.ts';
import { plain } from '../../../../src/host/questions/panelText.ts';

const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio'], {
  name: 'everything',
});

suite('The form of a tool', () => {
  let bed: RequestFormBed;
  perTest(() => (bed = new RequestFormBed()));

  test('is run with what is entered, and again with changes', async () => {
    await bed.open(everything, 'get-sum');
    assert.deepEqual(bed.entered, ['', '']);
    await bed.send({ type: 'run', entered: ['40', ' 2 '] });
    assert.equal(bed.result, 'Text: The sum of 40 and 2 is 42.');
    await bed.send({ type: 'run', entered: ['40', '3'] });
    assert.equal(bed.result, 'Text: The sum of 40 and 3 is 43.');
    assert.deepEqual(bed.gateBed.ledger.lines, ['person done', 'person done']);
    assert.deepEqual(bed.remembered.at(-1), { a: '40', b: '3' });
    assert.deepEqual(bed.finished, [], 'the page shows it');
  });

  test('is not run while a field has a problem', async () => {
    await bed.open(everything, 'get-sum');
    await bed.send({ type: 'run', entered: ['four', ''] });
    assert.deepEqual(bed.problems, ['0 This must be a number.', '1 This is required.']);
    assert.deepEqual(bed.gateBed.ledger.lines, []);
    assert.equal(bed.run.kind, 'none');
  });

  test('runs a tool without arguments once it is shown, and not after a reload', async () => {
    await bed.open(everything, 'get-tiny-image');
    assert.match(bed.result, /Image: image-1\.png, image\/png/);
    const { run } = bed;
    const pictures = run.kind === 'result' ? run.result.sections.flatMap((one) => one.pictures) : [];
    assert.match(pictures[0]?.source ?? '', /^data:image\/png;base64,iVBOR/);
    await bed.send({ type: 'ready' });
    assert.equal(bed.gateBed.ledger.lines.length, 1, 'shown again, and not run again');
    await bed.show(everything, 'get-tiny-image', { runs: false });
    assert.equal(bed.run.kind, 'none');
  });

  test('goes to JSON and back, and loses nothing', async () => {
    await bed.open(everything, 'get-sum');
    await bed.send({ type: 'switch', entered: ['4', 'two'] });
    assert.equal(bed.edit.kind === 'json' && bed.edit.text, '{\n  "a": 4,\n  "b": "two"\n}');
    await bed.send({ type: 'run', json: '{\n  "a": 4,\n  "b": "two"\n}' });
    assert.deepEqual(bed.problems, ["3:8 The argument 'b' must be a number."]);
    await bed.send({ type: 'switch', json: '{ "a": 4, "b": "two" }' });
    assert.deepEqual(bed.entered, ['4', 'two']);
  });

  test('stays JSON while that is invalid, or has more than the form can show', async () => {
    await bed.open(everything, 'get-sum');
    await bed.send({ type: 'switch', entered: ['4', '5'] });
    for (const [json, problem] of [
      ['{ "a": 4,', /^1:10 This is not JSON: /],
      ['[]', /^1:1 This must be a JSON object|^1:1 .*object/],
      ['{ "a": 4,\n  "more": { "x": 1 } }', /^2:11 The form can't show 'more'/],
      ['{ "a": [4] }', /^1:8 The form can't show 'a'/],
    ] as const) {
      await bed.send({ type: 'switch', json });
      assert.equal(bed.edit.kind, 'json');
      assert.match(bed.problems[0] ?? '', problem);
    }
    await bed.send({ type: 'enter', json: '{ "a": 4, "b": 5 }' });
    assert.deepEqual(bed.problems, [], 'gone as you type');
    await bed.send({ type: 'run', json: '{ "a": 4, "b": 5 }' });
    assert.equal(bed.result, 'Text: The sum of 4 and 5 is 9.');
  });

  test('keeps what is entered while its page is hidden and when the server lists the tool again', async () => {
    const session = await bed.open(everything, 'get-sum');
    await bed.send({ type: 'enter', entered: ['4', 'tw'] });
    session.hidden();
    await bed.gateBed.hostBed.of(everything).stop();
    session.changed();
    session.opened();
    await bed.send({ type: 'ready' });
    assert.deepEqual(bed.entered, ['4', 'tw']);
    await bed.send({ type: 'run', entered: ['4', '2'] });
    const { run } = bed;
    assert.ok(run.kind === 'failed');
    assert.equal(plain(run.message), 'It is stopped.');
    assert.deepEqual(run.remedies, ['startServer']);
    await bed.gateBed.hostBed.of(everything).start();
    await bed.gateBed.untilListed(everything);
    session.changed();
    await bed.send({ type: 'run', entered: ['4', '2'] });
    assert.equal(bed.result, 'Text: The sum of 4 and 2 is 6.');
  });

  test('waits for its server after a reload', async () => {
    await bed.gateBed.hostBed.run(everything);
    await bed.gateBed.hostBed.of(everything).stop();
    const session = await bed.show(everything, 'get-sum', {
      fields: { a: '4', b: ['no text'] },
      runs: false,
    });
    assert.ok(bed.edit.kind === 'missing');
    await bed.send({ type: 'remedy', remedy: 'startServer' });
    assert.deepEqual(bed.remedies, ['startServer']);
    await bed.gateBed.hostBed.of(everything).start();
    await bed.gateBed.untilListed(everything);
    session.changed();
    assert.deepEqual(bed.entered, ['4', ''], 'what fits');
  });

  test('shows progress, and is cancelled', async () => {
    await bed.open(everything, 'trigger-long-running-operation');
    const running = bed.send({ type: 'run', entered: ['600', '6000'] });
    await bed.untilRun('running');
    await bed.untilPosted('progress');
    const progress = bed.posted.findLast((one) => one.type === 'progress');
    assert.ok(progress?.type === 'progress' && (progress.progress.share ?? 2) < 0.5);
    await bed.send({ type: 'run', entered: ['1', '1'] });
    assert.equal(bed.gateBed.ledger.lines.length, 1, 'one call after the other');
    await bed.send({ type: 'cancel' });
    await running;
    assert.equal(bed.run.kind, 'cancelled');
  });

  test('ends its call when it is closed', async () => {
    const session = await bed.open(everything, 'trigger-long-running-operation');
    const running = bed.send({ type: 'run', entered: ['600', '10'] });
    await bed.untilRun('running');
    session.dispose();
    await running;
    assert.match(bed.gateBed.ledger.lines.join(), /cancelled/);
  });

  test('reports a result that comes while it is hidden', async () => {
    const session = await bed.open(everything, 'trigger-long-running-operation');
    const running = bed.send({ type: 'run', entered: ['0.2', '1'] });
    await bed.untilRun('running');
    session.hidden();
    await running;
    assert.deepEqual(bed.finished, [false]);
    await bed.send({ type: 'ready' });
    assert.match(bed.result, /completed/);
  });

  test('opens what a result offers, and nothing else', async () => {
    await bed.open(everything, 'get-resource-links');
    await bed.send({ type: 'run', entered: ['2'] });
    await bed.send({ type: 'open', index: 1 });
    await bed.send({ type: 'open', index: 7 });
    await bed.send({ type: 'use', action: 'document' });
    await bed.send({ type: 'use', action: 'copy' });
    await bed.send({ type: 'use', action: 'missed' });
    assert.deepEqual(
      bed.opened.map(({ kind }) => kind),
      ['resource'],
    );
    assert.deepEqual(bed.used, ['document', 'copy']);
  });

  test('ignores what is not a message of its page', async () => {
    await bed.open(everything, 'get-sum');
    const before = bed.posted.length;
    for (const message of [
      undefined,
      'run',
      { type: 'run' },
      { type: 'run', entered: [1] },
      { type: 'open', index: '0' },
      { type: 'use', action: 'removeServer' },
      { type: 'suggest', number: 1, field: 'a', entered: [1] },
      { type: 'remedy', remedy: 'removeServer' },
      { type: 'call', entered: ['1', '2'] },
    ]) {
      await bed.send(message as never);
    }
    assert.equal(bed.posted.length, before);
    assert.deepEqual(bed.gateBed.ledger.lines, []);
  });
});

suite('The form of a tool that asks for a secret', () => {
  let bed: RequestFormBed;
  perTest(() => (bed = new RequestFormBed()));

  const raw = rawServer();
  const inputSchema = {
    type: 'object' as const,
    properties: { user: { type: 'string' }, password: { type: 'string' } },
    required: ['user', 'password'],
  };
  const openSecret = async (): Promise<void> => {
    await bed.gateBed.hostBed.run(raw);
    await bed.gateBed.untilListed(raw);
    bed.inputSchema = inputSchema;
    await bed.show(raw, 'echo', { runs: false });
  };

  test('keeps and proposes nothing of it', async () => {
    await openSecret();
    await bed.send({ type: 'enter', entered: ['ada', 'hunter2'] });
    assert.deepEqual(bed.kept.fields, { user: 'ada' });
    await bed.send({ type: 'run', entered: ['ada', 'hunter2'] });
    assert.deepEqual(bed.remembered, [{ user: 'ada' }]);
    assert.ok(!JSON.stringify(bed.posted.filter(({ type }) => type === 'keep')).includes('hunter2'));
    assert.ok(bed.gateBed.ledger.booked.at(-1)?.secrets.includes('hunter2'));
  });

  test('leaves it out of the JSON, and sends it', async () => {
    await openSecret();
    await bed.send({ type: 'switch', entered: ['ada', 'hunter2'] });
    const { edit } = bed;
    assert.ok(edit.kind === 'json');
    assert.equal(edit.text, '{\n  "user": "ada"\n}');
    assert.deepEqual(edit.hidden.map(plain), ['password']);
    await bed.send({ type: 'enter', json: '{ "user": "bob", "password": "typed" }' });
    assert.equal(bed.kept.json, undefined);
    await bed.send({ type: 'run', json: '{ "user": "bob" }' });
    assert.deepEqual(bed.gateBed.ledger.booked.at(-1)?.args, { user: 'bob', password: 'hunter2' });
    await bed.send({ type: 'switch', json: '{ "user": "bob" }' });
    assert.deepEqual(bed.entered, ['bob', 'hunter2']);
  });
});

suite('The form of a tool whose arguments no form can show', () => {
  let bed: RequestFormBed;
  perTest(() => (bed = new RequestFormBed()));

  const raw = rawServer();
  const properties = {
    text: { type: 'string', description: 'What to echo' },
    size: { type: 'integer' },
  };
  const openJson = async (more: object): Promise<void> => {
    await bed.gateBed.hostBed.run(raw);
    await bed.gateBed.untilListed(raw);
    bed.inputSchema = {
      type: 'object' as const,
      properties: { ...properties, ...more },
      required: ['text'],
      additionalProperties: { type: 'string' },
    };
    await bed.show(raw, 'echo', { runs: false });
  };
  const text = (): string => (bed.edit.kind === 'json' ? bed.edit.text : '');

  test('begins with JSON that says what to write, and goes back to it', async () => {
    await openJson({});
    const skeleton = text();
    assert.match(skeleton, /^\{\n {2}\/\/ What to echo\n {2}\/\/ Required: text\n {2}"text": ""\n/);
    await bed.send({ type: 'enter', json: '{}' });
    await bed.send({ type: 'defaults' });
    assert.equal(text(), skeleton);
  });

  test('takes comments, and shows problems at their places', async () => {
    await openJson({});
    for (const [json, problem] of [
      ['{ "text" "x" }', '1:10 This is not JSON: a colon is missing.'],
      ['// nothing', '1:11 This is not JSON: a value is missing.'],
      ['', '1:1 This is not JSON: a value is missing.'],
      ['\n[1]', '2:1 This must be a JSON object.'],
      ['{\n  "text": "x",\n  "size": "big" }', "3:11 The argument 'size' must be a whole number."],
      ['{\n  "size": 1 }', "1:1 The argument 'text' is missing."],
      ['['.repeat(50_000), '1:1 This is not JSON: it is nested too deeply.'],
    ] as const) {
      await bed.send({ type: 'run', json });
      assert.equal(bed.problems[0], problem);
    }
    await bed.send({ type: 'run', json: '{\n  // so\n  "text": "x",\n  "__proto__": "own",\n}' });
    assert.equal(bed.run.kind, 'result');
    await bed.send({ type: 'run', json: '{ "text": "x", "__proto__": "own" }' });
    const sent = JSON.stringify(bed.gateBed.ledger.booked.at(-1)?.args);
    assert.equal(sent, '{"text":"x","__proto__":"own"}');
  });

  test('keeps and proposes nothing in which a secret may be', async () => {
    await openJson({});
    await bed.send({ type: 'enter', json: '{ "text": "plain" }' });
    assert.match(JSON.stringify(bed.kept), /plain/);
    await openJson({ password: { type: 'string' } });
    await bed.send({ type: 'run', json: '{ "text": "x", "password": "hunter2" }' });
    assert.doesNotMatch(JSON.stringify([bed.kept, bed.remembered]), /hunter2/);
    assert.ok(bed.gateBed.ledger.booked.at(-1)?.secrets.includes('hunter2'));
  });
});
