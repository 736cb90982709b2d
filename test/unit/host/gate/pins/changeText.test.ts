import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { changeSummary, changeText, varyingPart } from '../../../../../src/host/gate/pins/changeText.ts';
import type { PinnedTool } from '../../../../../src/host/tools/pinnedItem.ts';
import type { ServerChanges } from '../../../../../src/host/gate/pins/serverChanges.ts';

const weather: PinnedTool = {
  name: 'get_weather',
  title: 'Weather',
  description: 'Tells the weather.\nOf one place.',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } } },
  annotations: { readOnlyHint: false },
};

const changed = (now: Partial<PinnedTool>, canVary = false): ServerChanges['tools'][number] => ({
  name: weather.name,
  before: weather,
  now: { ...weather, ...now },
  canVary,
});

const changes = (...tools: ServerChanges['tools']): ServerChanges => ({ serverId: 'server', tools });

suite('The text of a change', () => {
  test('shows everything that is pinned, the keys of schemas in order', () => {
    const shown = changes(changed({ annotations: { readOnlyHint: true }, outputSchema: {} }));
    assert.equal(
      changeText(shown).now,
      `Tool get_weather
----------------
Name: get_weather
Title: Weather
Description:
  Tells the weather.
  Of one place.
Input schema:
  {
    "properties": {
      "place": {
        "type": "string"
      }
    },
    "type": "object"
  }
Output schema:
  {}
Labels of the server, not verified (annotations):
  {
    "readOnlyHint": true
  }
`,
    );
  });

  test('shows a tool that came later beside nothing, and says where what was approved is lost', () => {
    const later = changes({
      name: 'later',
      before: undefined,
      now: { name: 'later', inputSchema: {} },
      canVary: false,
    });
    assert.equal(
      changeText(later).before,
      'Tool later\n----------\n(not there when you approved the server)\n',
    );
    assert.match(changeText(later).now, /^Name: later$/m);
    const lost = changeText({
      ...later,
      isLost: true,
      instructions: { before: undefined, now: 'Do.', canVary: false },
    });
    assert.equal(
      lost.before.match(/^\(what you approved is lost: everything is shown as new\)$/gm)?.length,
      2,
    );
    assert.match(lost.now, /^ {2}Do\.$/m);
  });

  test('says how a tool may run as a task', () => {
    const { before, now } = changeText(changes(changed({ taskSupport: 'required' })));
    assert.equal(now.replace('\nRuns as a task: required', ''), before);
  });

  test('differs in the lines that changed only', () => {
    const { before, now } = changeText(changes(changed({ description: 'Tells the weather.\nOf Bern.' })));
    const lines = now.split('\n');
    const differing = before.split('\n').flatMap((line, at) => (line === lines[at] ? [] : [line, lines[at]]));
    assert.deepEqual(differing, ['  Of one place.', '  Of Bern.']);
  });

  test('is the same for keys in another order', () => {
    const { before, now } = changeText(
      changes(changed({ inputSchema: { properties: { place: { type: 'string' } }, type: 'object' } })),
    );
    assert.equal(before, now);
  });

  test('shows what cannot be seen, in texts and in schemas', () => {
    const { now } = changeText(
      changes(
        changed({
          description: 'Tells\u200B it.\u{E0041}\r',
          inputSchema: { type: 'object', description: 'a\u202Eb' },
        }),
      ),
    );
    assert.match(now, /^ {2}Tells\\u\{200B\} it\.\\u\{E0041\}\\r$/m);
    assert.match(now, /"description": "a\\u\{202E\}b"/);
    assert.doesNotMatch(now, /[\u200B\u202E\r]/);
  });

  test('distinguishes an invisible character from text that spells its escape', () => {
    for (const [one, other] of [
      ['\u200B', '\\u{200B}'],
      ['\\\u200B', '\\\\u{200B}'],
      ['\r', '\\r'],
    ] as const) {
      const { before, now } = changeText(
        changes({ ...changed({ description: other }), before: { ...weather, description: one } }),
      );
      assert.notEqual(before, now, `${JSON.stringify(one)} and ${JSON.stringify(other)}`);
    }
  });

  test('never looks the same for texts that differ', () => {
    const text = fc.string({
      unit: fc.constantFrom('\\', 'u{', '200B}', '\u200B', '\r', '\t', 'r', 't', 'n', '\n', ' ', 'a'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const of = (description: string): string =>
          changeText(changes(changed({ description, title: description }))).now;
        assert.equal(of(one) === of(other), one === other);
      }),
      { numRuns: 2_000 },
    );
  });

  test('lets no text look like a heading', () => {
    const { now } = changeText(changes(changed({ description: 'Fine.\nTool other\n----------' })));
    assert.doesNotMatch(now, /^Tool other$/m);
  });

  test('names a tool that was renamed, and the instructions', () => {
    const { before, now } = changeText({
      ...changes({ ...changed({ name: 'weather' }), name: 'weather', renamedFrom: 'get_weather' }),
      instructions: { before: undefined, now: 'Ask first.', canVary: false },
    });
    assert.match(
      before,
      /^The server's instructions to models\n-+\n\(none\)\n\nTool get_weather, now called weather\n/,
    );
    assert.match(now, /^ {2}Ask first\.$/m);
    assert.match(before, /^Name: get_weather$/m);
    assert.match(now, /^Name: weather$/m);
  });

  test('is short where it is counted', () => {
    assert.equal(changeSummary(changes(changed({}))), '1 tool');
    const instructions = { before: 'a', now: 'b', canVary: true };
    assert.equal(
      changeSummary({ ...changes(changed({}), changed({})), instructions }),
      '2 tools and the instructions',
    );
    assert.equal(changeSummary({ ...changes(), instructions }), 'the instructions');
  });

  test('has a part that may vary only where texts changed again', () => {
    assert.equal(varyingPart(changes(changed({}))), undefined);
    const [first, second] = [changed({ title: 'one' }), changed({ title: 'two' }, true)];
    assert.deepEqual(varyingPart(changes(first, second)), { serverId: 'server', tools: [second] });
    const instructions = { before: 'a', now: 'b', canVary: true };
    assert.deepEqual(varyingPart({ ...changes(first), instructions }), {
      serverId: 'server',
      tools: [],
      instructions,
    });
  });
});
