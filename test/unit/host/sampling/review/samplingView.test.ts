import assert from 'node:assert/strict';
import { plain, proseText } from '../../../../../src/host/questions/panelText.ts';
import type { SamplingView } from '../../../../../src/host/sampling/review/samplingProtocol.ts';
import type { SamplingPart } from '../../../../../src/host/sampling/request/samplingRequest.ts';
import type { ReviewSubject, SamplingState } from '../../../../../src/host/sampling/review/reviewState.ts';
import {
  answer,
  model,
  samplingQuestion,
  ScriptedReview,
  toolInFlight,
} from '../../../support/scriptedReview.ts';
import { samplingView, samplingViewText } from '../../../../../src/host/sampling/review/samplingView.ts';

const view = (review: ScriptedReview, label?: string): SamplingView => {
  const question = samplingQuestion(review, label);
  return samplingView(question, { id: 'id', placeOf: () => 'your user settings', isRenewed: false });
};
const withParts = (...content: readonly SamplingPart[]): SamplingView =>
  view(new ScriptedReview({ messages: [{ role: 'user', content }] }));

suite('A request for a model as it is shown', () => {
  test('says who asks and where it is defined', () => {
    const shown = view(new ScriptedReview(), 'a\u202Eb');
    assert.equal(plain(shown.title), String.raw`'a\u{202E}b' wants to ask a language model`);
    assert.equal(plain(shown.place), 'your user settings');
  });

  const asked = answer('It is on a lake.');
  const titles: [SamplingState, string][] = [
    [{ kind: 'request' }, "'everything' wants to ask a language model"],
    [{ kind: 'request', problem: 'It failed.' }, "'everything' wants to ask a language model"],
    [{ kind: 'generating', text: '' }, `'everything' is waiting for an answer from fast`],
    [{ kind: 'answer', answer: asked, isStopped: false }, `${asked.model} has answered 'everything'`],
    [{ kind: 'ended', why: 'x', canRunAgain: false }, "'everything' wanted to ask a language model"],
    [
      { kind: 'ended', why: 'x', canRunAgain: true, answer: asked },
      `${asked.model} has answered 'everything'`,
    ],
  ];
  for (const [state, title] of titles) {
    test(`has a title of its state: ${title}`, () => {
      const shown = view(Object.assign(new ScriptedReview(), { state }), 'everything');
      assert.equal(plain(shown.title), title);
      assert.deepEqual(shown.now.title, shown.title);
    });
  }

  test('names no model that is gone', () => {
    const state = { kind: 'generating', text: '' } as const;
    const shown = view(Object.assign(new ScriptedReview(), { state, models: [] }), 'everything');
    assert.equal(plain(shown.title), "'everything' is waiting for an answer from a language model");
  });

  const ended = new AbortController().signal;
  const reasons: [Partial<ReviewSubject>, string][] = [
    [{ occasion: 'unasked' }, 'It is not handling a request of yours at the moment.'],
    [{}, "While it runs 'ask'."],
    [{ requests: [{ method: 'prompts/get', target: 'p', ended }] }, "While it prepares the prompt 'p'."],
    [
      { requests: [{ method: 'resources/read', target: 'a:b', ended }] },
      "While it reads the resource 'a:b'.",
    ],
    [
      { requests: [toolInFlight('a'), toolInFlight('a'), { method: 'prompts/get', target: 'p', ended }] },
      "While it handles one of these: the tool 'a', the prompt 'p'.",
    ],
    [{ requests: [] }, 'While it handles a request of yours.'],
  ];
  for (const [more, why] of reasons) {
    test(`says why: ${why}`, () => {
      const review = new ScriptedReview();
      Object.assign(review.subject, more);
      assert.equal(plain(view(review).why), why);
    });
  }

  const texts: [string, string, readonly string[]][] = [
    ['<script>alert(1)</script><img src=x onerror=alert(1)>', '', []],
    ['[run](command:workbench.action.quit) ![](https://example.com/a.png)', '', []],
    ['<a href="command:x">', '', []],
    [
      'a\u202Eb\u2066c',
      String.raw`a\u{202E}b\u{2066}c`,
      ['It has 2 invisible characters, written out here.'],
    ],
    ['a\u200Bb', String.raw`a\u{200B}b`, ['It has 1 invisible character, written out here.']],
    ['thumbs \u{1F44D}\u{1F3FD} heart \u2764\uFE0F family \u{1F468}\u200D\u{1F469}\u200D\u{1F467}', '', []],
    ['one\ttwo\u00A0three    four', '', []],
    ['one\r\ntwo', 'one\ntwo', []],
    ['one\r\ntwo\nthree', 'one\\r\ntwo\nthree', ['It has 1 invisible character, written out here.']],
    [`a${' '.repeat(500)}b`, 'a[500 spaces]b', []],
    [`ghp_${'a1'.repeat(18)}`, '', ['It has what looks like a GitHub token.']],
  ];
  for (const [text, shown, notes] of texts) {
    test(`shows ${JSON.stringify(text.slice(0, 60))} as text`, () => {
      const [part] = withParts({ kind: 'text', text }).messages[0]?.parts ?? [];
      assert.ok(part?.kind === 'text');
      assert.equal(part.text.original, text);
      assert.equal(plain(part.text.shown.text), shown || text);
      assert.deepEqual(part.text.notes, notes);
    });
  }

  test('marks exactly what it writes out', () => {
    assert.deepEqual(proseText('e\u0301a\u200B\nb').text, [
      { text: 'e\u0301a', isWrittenOut: false },
      { text: String.raw`\u{200B}`, isWrittenOut: true },
      { text: '\nb', isWrittenOut: false },
    ]);
  });

  test('names the place of each text', () => {
    const shown = view(
      new ScriptedReview({
        systemPrompt: 'Be short.',
        messages: [
          {
            role: 'user',
            content: [
              { kind: 'text', text: 'a' },
              { kind: 'text', text: 'b' },
            ],
          },
          { role: 'assistant', content: [{ kind: 'text', text: 'c' }] },
        ],
      }),
    );
    const parts = shown.messages.flatMap(({ parts }) => parts);
    const named = parts.map((part) => (part.kind === 'text' ? [part.text.at, part.text.name] : []));
    assert.deepEqual([shown.system?.at, shown.system?.name], ['system', 'the system prompt']);
    assert.deepEqual(named, [
      ['0/0', 'message 1, part 1'],
      ['0/1', 'message 1, part 2'],
      ['1/0', 'message 2'],
    ]);
    assert.deepEqual(
      shown.messages.map(({ title }) => title),
      ['Message 1 (user)', 'Message 2 (assistant)'],
    );
    assert.equal(view(new ScriptedReview()).messages[0]?.title, 'Message (user)');
  });

  const images: [string, string, boolean][] = [
    ['image/png', 'Image, image/png, 3 KB', true],
    ['image/webp', 'Image, image/webp, 3 KB', true],
    ['image/svg+xml', 'Image, image/svg+xml, 3 KB', false],
    ['text/html', 'Image, text/html, 3 KB', false],
    ['image/png;x="\u202E', String.raw`Image, image/png;x="\u{202E}, 3 KB`, false],
  ];
  for (const [mimeType, words, isShown] of images) {
    test(`${isShown ? 'shows' : 'does not show'} an image of type ${JSON.stringify(mimeType)}`, () => {
      const data = 'A'.repeat(4_000);
      const [part] = withParts({ kind: 'image', mimeType, data }).messages[0]?.parts ?? [];
      const source = isShown ? { source: `data:${mimeType};base64,${data}` } : {};
      assert.deepEqual(part, { kind: 'image', words, ...source });
    });
  }

  test('shows uses of tools and their results as they are, with the name of the tool', () => {
    const shown = view(
      new ScriptedReview({
        messages: [
          {
            role: 'assistant',
            content: [{ kind: 'toolUse', id: 'u1', name: 'weather', input: { city: 'Köln' } }],
          },
          {
            role: 'user',
            content: [
              {
                kind: 'toolResult',
                toolUseId: 'u1',
                isError: false,
                content: [{ kind: 'text', text: 'Rain' }],
              },
              { kind: 'toolResult', toolUseId: 'u2', isError: true, content: [] },
            ],
          },
        ],
      }),
    );
    const said = shown.messages.flatMap(({ parts }) =>
      parts.map((part) => (part.kind === 'data' ? [plain(part.title), plain(part.text.text)] : [])),
    );
    assert.deepEqual(said, [
      ["Asks to run the tool 'weather' (u1)", '{\n  "city": "Köln"\n}'],
      ["Result of 'weather', which the server ran (u1)", 'Rain'],
      ['Error, which the server ran (u2)', '(nothing)'],
    ]);
  });

  test('says what is asked for besides', () => {
    const tool = { name: 'weather', description: 'Says <b>it</b>', inputSchema: { type: 'object' } };
    const shown = view(
      new ScriptedReview({
        maxTokens: 1_500,
        temperature: 0.5,
        stopSequences: ['\n\n', 'END'],
        hints: ['sonnet', 'gpt'],
        tools: [tool],
        toolChoice: 'required',
      }),
    );
    assert.deepEqual(
      shown.facts.map(({ title, values }) => [title, ...values.map(plain)]),
      [
        ['Answer', 'at most 1,500 tokens'],
        ['Temperature', '0.5'],
        ['Stops at', String.raw`\n\n`, 'END'],
        ['The server would like', 'sonnet', 'gpt'],
        ['Tools', 'the model must use one'],
      ],
    );
    assert.deepEqual(
      shown.tools.map(({ name, description, schema }) => [name, description.text, schema.text].map(plain)),
      [['weather', 'Says <b>it</b>', '{\n  "type": "object"\n}']],
    );
  });

  test('says what it takes, and why it cannot be sent', () => {
    const review = new ScriptedReview();
    assert.equal(view(review).now.estimate, 'Counting the tokens…');
    review.estimate = { input: 1_240, output: 500, leftToday: 48_000, problem: 'It is over the limit.' };
    const { now } = view(review);
    assert.equal(now.estimate, '≈ 1,240 tokens in, up to 500 out; 48,000 are left for today');
    assert.equal(plain(now.obstacle ?? []), 'It is over the limit.');
    review.models = [model('other')];
    assert.equal(
      plain(view(review).now.obstacle ?? []),
      'The selected model is no longer available. Select another one.',
    );
    review.models = [];
    assert.equal(plain(view(review).now.obstacle ?? []), 'No language model is available.');
  });

  test("says once that there is no model, and below an answer only that you can't send again", () => {
    const review = new ScriptedReview();
    review.models = [];
    review.state = { kind: 'request', problem: 'No language model is available.' };
    assert.deepEqual(view(review).now.state, { kind: 'request' });
    review.state = { kind: 'answer', answer: answer('x'), isStopped: false };
    const obstacle = plain(view(review).now.obstacle ?? []);
    assert.equal(obstacle, "The request can't be sent again. No language model is available.");
  });

  test('distinguishes models with the same name', () => {
    const review = new ScriptedReview();
    review.models = [
      model('a'),
      model('b1', { name: 'B' }),
      model('b2', { name: 'B', vendor: 'other' }),
      model('c1', { name: 'C' }),
      model('c2', { name: 'C' }),
    ];
    assert.deepEqual(
      view(review).now.models.map(({ label }) => label),
      ['a', 'B (acme)', 'B (other)', 'C (acme, c1)', 'C (acme, c2)'],
    );
  });

  const stops: [SamplingState & { kind: 'answer' }, readonly string[]][] = [
    [{ kind: 'answer', answer: answer('x'), isStopped: false }, []],
    [{ kind: 'answer', answer: answer('x'), isStopped: true }, ['You stopped it.']],
    [
      { kind: 'answer', answer: answer('x', { stopReason: 'maxTokens' }), isStopped: false },
      ['It was cut at 500 tokens, as the server asked.'],
    ],
    [
      { kind: 'answer', answer: answer('x', { stopReason: 'stopSequence' }), isStopped: false },
      ['It ends before a text at which the server asked to stop.'],
    ],
    [
      { kind: 'answer', answer: answer('x', { stopReason: 'toolUse' }), isStopped: false },
      ['It asks the server to run a tool. The server does that, not this editor.'],
    ],
  ];
  for (const [state, notes] of stops) {
    test(`says why an answer ends: ${notes[0] ?? 'nothing of an end of its own'}`, () => {
      const shown = view(Object.assign(new ScriptedReview(), { state })).now.state;
      assert.ok(shown.kind === 'answer');
      assert.equal(plain(shown.answer.title), 'Answer from Fast');
      assert.deepEqual(shown.answer.notes, notes);
    });
  }

  test('offers to run the tool again where that can be done', () => {
    const ended = (canRunAgain: boolean, text?: string) => {
      const state = {
        kind: 'ended',
        why: 'It has gone.',
        canRunAgain,
        ...(text && { answer: answer(text) }),
      } as const;
      const { now } = view(Object.assign(new ScriptedReview(), { state }));
      assert.ok(now.state.kind === 'ended');
      const [first] = now.choices;
      return [plain(now.state.why), first?.id === 'runAgain' ? first.label : undefined, plain(now.hint)];
    };
    const hint = "The tool that runs again is 'ask', with the same arguments.";
    const once = 'once, if the server then asks exactly the same.';
    assert.deepEqual(ended(false), ['It has gone.', undefined, '']);
    assert.deepEqual(ended(true), [
      'It has gone.',
      'Run the Tool Again and Send This',
      `${hint} This request is sent without asking you again ${once}`,
    ]);
    assert.deepEqual(ended(true, 'x'), [
      'It has gone.',
      'Retry with This Answer',
      `${hint} This answer is used ${once}`,
    ]);
  });

  test('is the same as plain text, with your edits, and with each line of others indented', () => {
    const review = new ScriptedReview({ systemPrompt: 'Be short.\nModel: another', wantsContext: true });
    review.edit({ modelId: 'slow', edits: [{ at: '0/0', text: 'Changed' }] });
    const text = samplingViewText(view(review));
    assert.match(text, /System prompt:\n {4}Be short\.\n {4}Model: another\n/);
    assert.match(text, /Message \(user\):\n {4}Changed\n/);
    assert.match(text, /^Model: slow$/m);
    assert.match(text, /^Warning: .*context of other servers/m);
    review.state = { kind: 'answer', answer: answer('Good\nday'), isStopped: true };
    assert.equal(samplingViewText(view(review)), 'Answer from Fast:\n    Good\n    day\n\nYou stopped it.');
  });
});
