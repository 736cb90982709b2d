import assert from 'node:assert/strict';
import { endText } from '../../../../../src/host/chat/loop/endText.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { ModelError, type ModelErrorKind } from '../../../../../src/host/sampling/request/languageModels.ts';
import {
  lastResults,
  offered,
  offeredTool,
  result,
  scripted,
  type Script,
  type Scripted,
  type ScriptOptions,
} from './scriptedLoop.ts';

const weather = (place: unknown, id?: unknown) => ({ name: 'weather__get_weather', input: { place }, id });
const words = (made: Scripted) => endText(made.result, 'Test', 10);

interface Case {
  readonly what: string;
  readonly script: Script;
  readonly options?: ScriptOptions;
  readonly end: string;
  readonly said?: string;
  /** The inputs that reached a server. */
  readonly calls?: readonly unknown[];
  /** What the model got as results in its last request. */
  readonly results?: readonly RegExp[];
  readonly check?: (made: Scripted) => void;
}

const bern = { place: 'Bern' };
const cases: readonly Case[] = [
  {
    what: 'answers at once',
    script: [['Hello ', 'there.']],
    end: 'answered',
    said: 'Hello there.',
    calls: [],
  },
  {
    what: 'calls two tools at once',
    script: [[weather('Bern', 'a'), { name: 'mail__send_mail', input: { to: 'x' }, id: 'b' }], ['Sent.']],
    end: 'answered',
    calls: [bern, { to: 'x' }],
    results: [/^done 1$/, /^done 2$/],
  },
  {
    what: 'calls a tool that is refused',
    script: [[weather('Bern', 'a'), weather('Thun', 'b')], ['I could not ask about Thun.']],
    options: {
      call: ({ place }) => {
        if (place === 'Thun') {
          throw new HostError('denied', 'The user does not allow it.');
        }
        return result('It rains.');
      },
    },
    end: 'answered',
    results: [/^It rains\.$/, /does not allow/],
  },
  {
    what: "calls a tool that doesn't exist",
    script: [[{ name: 'weather__get_snow', input: {} }], ['Sorry.']],
    end: 'answered',
    calls: [],
    results: [/There is no tool 'weather__get_snow'\. The tools: weather__get_weather, mail__send_mail\./],
  },
  {
    what: 'calls a tool where none is offered',
    script: [[weather('Bern')], ['Sorry.']],
    options: { offered: [] },
    end: 'answered',
    calls: [],
    results: [/No tools/],
  },
  {
    what: 'sends arguments as JSON',
    script: [[{ name: 'weather__get_weather', input: '{"place":"Bern"}' }], ['Done.']],
    end: 'answered',
    calls: [bern],
  },
  {
    what: 'sends broken JSON',
    script: [[{ name: 'weather__get_weather', input: '{"place":"Be' }], ['Done.']],
    end: 'answered',
    calls: [],
    results: [/not a JSON object/],
  },
  {
    what: 'sends arguments that are a list',
    script: [[{ name: 'weather__get_weather', input: ['Bern'] }], ['Done.']],
    end: 'answered',
    calls: [],
    results: [/not a JSON object/],
  },
  {
    what: 'sends no arguments',
    script: [[{ name: 'weather__get_weather' }, { name: 'mail__send_mail', input: null }], ['Done.']],
    end: 'answered',
    calls: [{}, {}],
  },
  {
    what: 'sends arguments against the schema',
    script: [[weather(7)], ['Done.']],
    options: {
      call: () => {
        throw new HostError('invalidArguments', 'place must be a text. The schema of its arguments: {}');
      },
    },
    end: 'answered',
    results: [/place must be a text/],
  },
  {
    what: 'sends huge arguments',
    script: [[weather('x'.repeat(300_000))], ['Done.']],
    end: 'answered',
    calls: [],
    results: [/too long/],
    check: ({ sent }) => assert.ok(JSON.stringify(sent.at(-1)).length < 10_000, 'they are not sent back'),
  },
  {
    what: 'sends arguments that are nested too deep',
    script: [[weather(JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)))], ['Done.']],
    end: 'answered',
    calls: [],
    results: [/too long/],
  },
  {
    what: 'makes the same call for ever',
    script: [['Again. ', weather('Bern')]],
    end: 'stopped',
    calls: [bern, bern, bern],
    results: [/done 1/, /done 2/, /done 3/, /made this call 3 times/],
    check: (made) => {
      assert.match(words(made).notes.join(), /repeated the same calls/);
      assert.equal(made.sent.length, 5);
    },
  },
  {
    what: 'makes the same call with its fields in another order',
    script: [
      [{ name: 'mail__send_mail', input: { to: 'a', text: 'b' } }],
      [{ name: 'mail__send_mail', input: { text: 'b', to: 'a' } }],
    ],
    end: 'stopped',
    calls: [
      { to: 'a', text: 'b' },
      { text: 'b', to: 'a' },
      { text: 'b', to: 'a' },
    ],
  },
  {
    what: 'answers with nothing, once',
    script: [[], ['Hello.']],
    end: 'answered',
    said: 'Hello.',
  },
  {
    what: 'answers with nothing but spaces, again and again',
    script: [[' ', '\n']],
    end: 'empty',
    check: (made) => {
      assert.equal(made.sent.length, 2);
      assert.match(words(made).error ?? '', /'Test' returned an empty answer\. Try again/);
    },
  },
  {
    what: 'answers with nothing after a call',
    script: [[weather('Bern')], []],
    end: 'empty',
    calls: [bern],
  },
  {
    what: 'only ever calls tools',
    script: Array.from({ length: 20 }, (_, index) => [weather(index)]),
    options: { maxRounds: 4 },
    end: 'stopped',
    calls: [0, 1, 2, 3].map((place) => ({ place })),
    check: (made) => {
      assert.equal(made.sent.length, 4);
      const { notes, offer } = endText(made.result, 'Test', 4);
      assert.match(notes.join(), /after 4 rounds of tool calls/);
      assert.equal(offer, 'continue');
    },
  },
  {
    what: 'writes text before and after its calls',
    script: [['I look. ', weather('Bern'), 'Wait. '], ['Done.']],
    end: 'answered',
    said: 'I look. Wait. Done.',
    check: ({ sent }) =>
      assert.deepEqual(
        sent
          .at(-1)
          ?.at(-2)
          ?.content.map(({ kind }) => kind),
        ['text', 'toolUse'],
      ),
  },
  {
    what: 'gives two calls the same id, and uses it again later',
    script: [[weather('Bern', 'x'), weather('Thun', 'x')], [weather('Biel', 'x')], ['Done.']],
    end: 'answered',
    calls: ['Bern', 'Thun', 'Biel'].map((place) => ({ place })),
    results: [/done 1/, /done 2/, /done 3/],
  },
  {
    what: 'gives its calls no id, or none that is a text',
    script: [[weather('Bern', ''), weather('Thun', 7), weather('Biel', 'y'.repeat(10_000))], ['Done.']],
    end: 'answered',
    results: [/done 1/, /done 2/, /done 3/],
  },
  {
    what: 'gives a call no name',
    script: [[{ name: undefined, input: {} }, { name: 7 }], ['Done.']],
    end: 'answered',
    calls: [],
    results: [/no tool ''/, /no tool ''/],
  },
  {
    what: 'takes the name of a tool in another case',
    script: [[{ name: ' Weather__Get_Weather', input: bern }], ['Done.']],
    end: 'answered',
    calls: [bern],
  },
  {
    what: 'takes the name of a tool without its server',
    script: [[{ name: 'get_weather', input: bern }], ['Done.']],
    end: 'answered',
    calls: [bern],
  },
  {
    what: 'takes a name without its server that two servers have',
    script: [[{ name: 'get_weather', input: bern }], ['Done.']],
    options: { offered: [...offered, offeredTool('meteo', 'get_weather')] },
    end: 'answered',
    calls: [],
    results: [/no tool 'get_weather'/],
  },
  {
    what: 'calls a hundred tools at once',
    script: [Array.from({ length: 100 }, (_, index) => weather(index, `c${index}`)), ['Done.']],
    end: 'answered',
    check: (made) => {
      assert.equal(made.calls.length, 16);
      assert.equal(lastResults(made).filter((text) => /Only the first 16 calls/.test(text)).length, 84);
    },
  },
  {
    what: 'calls so many tools at once that nobody reads them',
    script: [Array.from({ length: 5_000 }, (_, index) => weather(index, `c${index}`)), ['Done.']],
    end: 'answered',
    check: (made) => assert.equal(lastResults(made).length, 128),
  },
  {
    what: 'refuses',
    script: [["I can't help with that."]],
    end: 'answered',
    said: "I can't help with that.",
    calls: [],
  },
  {
    what: 'ends its answer early, after text and a call',
    script: [['I look. ', weather('Bern'), { fails: new ModelError('failed', 'socket hang up') }]],
    end: 'failed',
    said: 'I look. ',
    calls: [],
    check: (made) => {
      assert.deepEqual(made.result.rounds, [{ text: 'I look. ', calls: [] }]);
      assert.match(words(made).error ?? '', /'Test' failed: Socket hang up\. Try again/);
    },
  },
  {
    what: 'throws what is no error',
    script: [[{ fails: 'no' }]],
    end: 'failed',
  },
  {
    what: 'writes without an end',
    script: [Array.from({ length: 500 }, () => 'x'.repeat(1_000))],
    end: 'failed',
    check: (made) => assert.match(words(made).error ?? '', /too long/),
  },
  {
    what: 'gets an image as a result',
    script: [[weather('Bern')], ['Done.']],
    options: {
      call: () => ({ isError: false, content: [{ kind: 'image', mimeType: 'image/png', data: 'AAAA' }] }),
    },
    end: 'answered',
    results: [/image\/png/],
  },
];

suite('A request to @mcp ends well when the model', () => {
  for (const { what, script, options, end, said, calls, results, check } of cases) {
    test(what, async () => {
      const made = await scripted(script, options);
      assert.equal(made.result.end.kind, end);
      if (said !== undefined) {
        assert.equal(made.said, said);
      }
      if (calls) {
        assert.deepEqual(
          made.calls.map(({ input }) => input),
          calls,
        );
      }
      if (results) {
        const got = lastResults(made);
        assert.equal(got.length, results.length, got.join('\n'));
        results.forEach((expected, index) => assert.match(got[index] ?? '', expected));
      }
      check?.(made);
    });
  }

  const kinds: readonly (readonly [ModelErrorKind, RegExp, string | undefined])[] = [
    ['noPermissions', /may not use the language model 'Test'.*Allow it/, 'models'],
    ['blocked', /'Test' refused the request: Too many requests\./, 'models'],
    ['notFound', /'Test' is no longer available\. Select another model/, 'models'],
    ['failed', /'Test' failed: Too many requests\. Try again/, undefined],
  ];
  for (const [kind, expected, offer] of kinds) {
    test(`throws the error '${kind}'`, async () => {
      const made = await scripted([[{ fails: new ModelError(kind, 'too many requests') }]]);
      assert.equal(made.result.end.kind, 'failed');
      assert.match(words(made).error ?? '', expected);
      assert.equal(words(made).offer, offer);
    });
  }
});

suite('A request to @mcp is cancelled', () => {
  test('before it begins: nothing is sent', async () => {
    const abort = new AbortController();
    abort.abort();
    const made = await scripted([['Hello.']], { abort });
    assert.equal(made.result.end.kind, 'cancelled');
    assert.deepEqual(made.sent, []);
  });

  test('while the model answers, even if it never ends: the text so far stays', async () => {
    const abort = new AbortController();
    const made = await scripted(
      [['Hello', { does: () => setImmediate(() => abort.abort()) }, { hangs: true }]],
      {
        abort,
      },
    );
    assert.equal(made.result.end.kind, 'cancelled');
    assert.deepEqual(made.result.rounds, [{ text: 'Hello', calls: [] }]);
    assert.deepEqual(words(made), { notes: [] });
  });

  test('by the model in the middle of an answer: no call of it is made', async () => {
    const abort = new AbortController();
    const made = await scripted([[weather('Bern'), { does: () => abort.abort() }]], { abort });
    assert.equal(made.result.end.kind, 'cancelled');
    assert.deepEqual(made.calls, []);
  });

  test('while a tool runs: the next one is not called, and what is done is kept', async () => {
    const abort = new AbortController();
    const made = await scripted([[weather('Bern', 'a'), weather('Thun', 'b'), weather('Biel', 'c')]], {
      abort,
      call: ({ place }) => {
        if (place !== 'Thun') {
          return result('It rains.');
        }
        abort.abort();
        return new Promise(() => {});
      },
    });
    assert.equal(made.result.end.kind, 'cancelled');
    assert.deepEqual(
      made.calls.map(({ input }) => input),
      [bern, { place: 'Thun' }],
    );
    assert.deepEqual(
      made.result.rounds.map(({ calls }) => calls.map(({ input }) => input)),
      [[bern]],
    );
  });
});

suite('The context of a model is too small', () => {
  const long = (text: string) => `${text} `.repeat(1_000);

  test('so the oldest results go first, the latest stays, and the answer says so', async () => {
    const made = await scripted(
      [[weather('Bern', 'a')], [weather('Thun', 'b')], [weather('Biel', 'c')], ['Done.']],
      { maxInputTokens: 5_000, call: ({ place }) => result(long(String(place))) },
    );
    assert.equal(made.result.end.kind, 'answered');
    const [first = '', second = '', third = ''] = lastResults(made);
    assert.match(first, /^\[Left out, because the context/);
    assert.ok(second === long('Thun') && third === long('Biel'));
    assert.match(words(made).notes.join(), /too small.*1 tool result\./);
    assert.deepEqual(
      made.result.rounds.map(({ calls }) => calls[0]?.result.content[0]),
      [
        { kind: 'text', text: long('Bern') },
        { kind: 'text', text: long('Thun') },
        { kind: 'text', text: long('Biel') },
        undefined,
      ],
      'nothing is lost for a model with a larger context',
    );
  });

  test('so the last result is cut when it alone is too long', async () => {
    const made = await scripted([[weather('Bern')], ['Done.']], {
      maxInputTokens: 2_000,
      call: () => result('word '.repeat(100_000)),
    });
    assert.equal(made.result.end.kind, 'answered');
    assert.match(lastResults(made).join(), /^word word .*\[Cut here, because/s);
  });

  test('so the oldest requests with their answers go', async () => {
    const past = ['one', 'two', 'three'].map((name) => [
      { role: 'user' as const, content: [{ kind: 'text' as const, text: long(name) }] },
      { role: 'assistant' as const, content: [{ kind: 'text' as const, text: 'Yes.' }] },
    ]);
    const made = await scripted([['Done.']], { past, maxInputTokens: 2_500 });
    const texts = JSON.stringify(made.sent.at(-1));
    assert.ok(!texts.includes('one one') && texts.includes('three three') && texts.includes('Do it.'));
    assert.match(words(made).notes.join(), /earlier request/);
  });

  test('and not even the request fits: nothing is sent', async () => {
    const made = await scripted([['Done.']], { maxInputTokens: 10 });
    assert.equal(made.result.end.kind, 'tooSmall');
    assert.deepEqual(made.sent, []);
    assert.match(words(made).error ?? '', /too long for the language model 'Test'/);
  });
});
