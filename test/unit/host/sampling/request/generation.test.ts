import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { CancellationError } from '../../../../../src/base/lifetime/cancellation.ts';
import { AnswerText } from '../../../../../src/host/sampling/request/answerLimits.ts';
import { generate, type GeneratedAnswer } from '../../../../../src/host/sampling/request/generation.ts';
import { ModelError, type ModelPart } from '../../../../../src/host/sampling/request/languageModels.ts';
import { SamplingFailure } from '../../../../../src/host/errors/samplingFailure.ts';
import { aRequest, aTool } from './requestBed.ts';
import { large, ScriptedModels } from './scriptedModel.ts';

const use = (name = 'add', id = '1'): ModelPart => ({ kind: 'toolUse', id, name, input: { a: 1 } });
const said = (text: string): ModelPart => ({ kind: 'text', text });
const forever = new Promise<never>(() => {});

/** A generation with everything that one can do to it. */
function start(models: ScriptedModels, fields: object = {}) {
  const [stop, cancel] = [new AbortController(), new AbortController()];
  const texts: string[] = [];
  const heard = Promise.withResolvers<void>();
  const onText = (text: string): void => {
    texts.push(text);
    heard.resolve();
  };
  const request = aRequest(fields);
  const generation = { model: large, request, onText, isStopped: stop.signal, signal: cancel.signal };
  const answer = generate(models, generation, 'Because.');
  return { answer, texts, heard: heard.promise, stop, cancel };
}

suite('A generation', () => {
  const rows: readonly (readonly [
    what: string,
    script: readonly (string | ModelPart)[],
    fields: object,
    parts: readonly ModelPart[],
    stopReason: GeneratedAnswer['stopReason'],
  ])[] = [
    ['joins what comes in pieces', ['Hel', '', 'lo'], {}, [said('Hello')], 'endTurn'],
    [
      'has uses of tools where they came',
      ['I ', 'add.', use(), use('add', '2'), 'Done.'],
      { tools: [aTool] },
      [said('I add.'), use(), use('add', '2'), said('Done.')],
      'toolUse',
    ],
    [
      'ends before a stop sequence',
      ['a', 'bEND', 'c'],
      { stopSequences: ['END'] },
      [said('ab')],
      'stopSequence',
    ],
    [
      'sees one that comes in pieces',
      ['abE', 'N', 'Dc'],
      { stopSequences: ['END'] },
      [said('ab')],
      'stopSequence',
    ],
    [
      'takes the one that is complete first',
      ['xabcd'],
      { stopSequences: ['abcd', 'c'] },
      [said('xab')],
      'stopSequence',
    ],
    [
      'takes the longer of two that end together',
      ['xabc'],
      { stopSequences: ['c', 'abc'] },
      [said('x')],
      'stopSequence',
    ],
    [
      'keeps half a stop sequence at its end',
      ['abEN'],
      { stopSequences: ['END'] },
      [said('abEN')],
      'endTurn',
    ],
    [
      'sees no stop sequence across the use of a tool',
      ['E', use(), 'ND'],
      { stopSequences: ['END'], tools: [aTool] },
      [said('E'), use(), said('ND')],
      'toolUse',
    ],
    ['may take all tokens', ['x'.repeat(100)], {}, [said('x'.repeat(100))], 'endTurn'],
    ['ends at the limit', ['x'.repeat(60), 'x'.repeat(60)], {}, [said('x'.repeat(100))], 'maxTokens'],
    ['ends at the limit in one piece', ['x'.repeat(10_000)], {}, [said('x'.repeat(100))], 'maxTokens'],
    ['ends at a small limit', ['abc'], { maxTokens: 1 }, [said('a')], 'maxTokens'],
    ['cuts no pair of surrogates', ['abc😀d'], { maxTokens: 4 }, [said('abc')], 'maxTokens'],
    ['cuts no family', ['a👨‍👩‍👧b'], { maxTokens: 5 }, [said('a')], 'maxTokens'],
    ['cuts no accent off', ['abe\u0301d'], { maxTokens: 3 }, [said('ab')], 'maxTokens'],
    [
      'prefers the stop sequence that comes before the limit',
      [`${'x'.repeat(50)}END${'x'.repeat(100)}`],
      { stopSequences: ['END'] },
      [said('x'.repeat(50))],
      'stopSequence',
    ],
    [
      'prefers the limit that comes before the stop sequence',
      [`${'x'.repeat(150)}END`],
      { stopSequences: ['END'] },
      [said('x'.repeat(100))],
      'maxTokens',
    ],
    [
      'leaves out the use of a tool that goes over the limit, and what follows',
      ['x'.repeat(95), use(), 'y'],
      { tools: [aTool] },
      [said('x'.repeat(95))],
      'maxTokens',
    ],
  ];
  for (const [what, script, fields, parts, stopReason] of rows) {
    test(what, async () => {
      assert.deepEqual(await start(new ScriptedModels(...script), fields).answer, {
        parts,
        stopReason,
        model: 'Large',
      });
    });
  }

  test('reports the text so far', async () => {
    const { answer, texts } = start(new ScriptedModels('a', 'b', use(), 'cEND'), {
      tools: [aTool],
      stopSequences: ['END'],
    });
    await answer;
    assert.deepEqual(texts, ['a', 'ab', 'ab', 'abc']);
  });

  test('sends the request as it is', async () => {
    const models = new ScriptedModels('a');
    await start(models, { systemPrompt: 'Be short.' }).answer;
    assert.equal(models.sent[0]?.systemPrompt, 'Be short.');
    assert.equal(models.sent[0]?.justification, 'Because.');
  });

  for (const [what, script, fields] of [
    ['a stop sequence', ['aEND', 'b', 'c', 'd'], { stopSequences: ['END'] }],
    ['the limit', ['x'.repeat(200), 'b', 'c', 'd'], {}],
  ] as const) {
    test(`asks the model to end at ${what}`, async () => {
      const models = new ScriptedModels(...script);
      await start(models, fields).answer;
      assert.equal(models.signal?.aborted, true);
      assert.equal(models.hasEnded, true);
      assert.equal(models.taken, 1);
    });
  }

  test('counts rarely, however small the pieces are', async () => {
    const models = new ScriptedModels(...Array<string>(20_000).fill('x'));
    models.count = (text) => text.length / 4;
    await start(models, { maxTokens: 10_000 }).answer;
    assert.ok(models.counted.length < 40, `${models.counted.length} counts`);
  });

  test('stops a model soon after it exceeds the limit', async () => {
    const models = new ScriptedModels(...Array<string>(20_000).fill('x'));
    models.count = (text) => text.length / 4;
    await start(models, { maxTokens: 1_000 }).answer;
    assert.ok(models.taken <= 4_100, `${models.taken} characters`);
  });

  test('is held to the limit by our own rule when the provider cannot count', async () => {
    const models = new ScriptedModels('x'.repeat(1_000));
    models.count = () => {
      throw new ModelError('failed', 'No.');
    };
    assert.deepEqual((await start(models).answer).parts, [said('x'.repeat(400))]);
  });

  suite('fails', () => {
    const failures: readonly (readonly [string, readonly (string | ModelPart)[], object, RegExp])[] = [
      ['when the model says nothing', [], {}, /empty answer/],
      ['when only empty pieces came', ['', ''], {}, /empty answer/],
      [
        'when a stop sequence came first',
        ['ENDa'],
        { stopSequences: ['END'] },
        /nothing before a stop sequence/,
      ],
      ['when nothing fits', ['😀'], { maxTokens: 1 }, /fits into 'maxTokens'/],
      [
        'without the tool that is required',
        ['a'],
        { tools: [aTool], toolChoice: { mode: 'required' } },
        /no tool, although one is required/,
      ],
      [
        'with a tool that was not offered',
        [use('rm')],
        { tools: [aTool] },
        /the tool 'rm', which was not offered/,
      ],
      [
        'with a tool whose name hides something',
        [use('a\u202Eb')],
        { tools: [aTool] },
        /the tool 'a\\u\{202E\}b'/,
      ],
      ['with a tool where there is none', [use()], {}, /not offered/],
      [
        'with a tool where none may be used',
        [use()],
        { tools: [aTool], toolChoice: { mode: 'none' } },
        /not offered/,
      ],
    ];
    for (const [what, script, fields, sentence] of failures) {
      test(what, async () => {
        await assert.rejects(start(new ScriptedModels(...script), fields).answer, (error) => {
          assert.ok(error instanceof SamplingFailure);
          assert.equal(error.kind, 'model');
          assert.match(error.message, sentence);
          return true;
        });
      });
    }

    test("in the provider's words", async () => {
      const failure = new ModelError('blocked', 'The answer was filtered.');
      const models = new ScriptedModels('a', Promise.reject(failure));
      await assert.rejects(start(models).answer, failure);
    });
  });

  suite('ends', () => {
    test('with the text so far when you stop it, though the model continues', async () => {
      const { answer, heard, stop } = start(new ScriptedModels('Hello', forever));
      await heard;
      stop.abort();
      assert.deepEqual(await answer, { parts: [said('Hello')], stopReason: 'endTurn', model: 'Large' });
    });

    test('with the text so far when the provider reports the stop as an error', async () => {
      const failure = Promise.withResolvers<never>();
      failure.promise.catch(() => {});
      const models = new ScriptedModels('Hello', failure.promise);
      const { answer, heard, stop } = start(models);
      await heard;
      models.signal?.addEventListener('abort', () => failure.reject(new Error('Canceled')));
      stop.abort();
      assert.deepEqual((await answer).parts, [said('Hello')]);
    });

    test('with a message when you stop it before any text arrives', async () => {
      const { answer, stop } = start(new ScriptedModels(forever));
      stop.abort();
      await assert.rejects(answer, {
        kind: 'model',
        message: 'You stopped the model before it answered.',
      });
    });

    test('without an answer when no caller waits for one any longer', async () => {
      const models = new ScriptedModels('Hello', forever);
      const { answer, heard, cancel } = start(models);
      await heard;
      cancel.abort();
      await assert.rejects(answer, CancellationError);
      assert.equal(models.signal?.aborted, true);
    });

    test('without an answer, too, while tokens are counted', async () => {
      const models = new ScriptedModels('x'.repeat(200));
      const counting = Promise.withResolvers<void>();
      models.count = () => {
        counting.resolve();
        return forever;
      };
      const { answer, cancel } = start(models);
      await counting.promise;
      cancel.abort();
      await assert.rejects(answer, CancellationError);
    });

    test('before it begins when no caller waits for an answer', async () => {
      const models = new ScriptedModels('a');
      await assert.rejects(
        generate(
          models,
          {
            model: large,
            request: aRequest(),
            onText: () => {},
            isStopped: new AbortController().signal,
            signal: AbortSignal.abort(),
          },
          '',
        ),
        CancellationError,
      );
      assert.deepEqual(models.sent, []);
    });
  });
});

suite('A stop sequence', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 20 });
  const sequences = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 }), {
    maxLength: 3,
  });

  test('is found in the same place, in whichever pieces the text comes', () => {
    fc.assert(
      fc.property(fc.array(text), sequences, (pieces, stops) => {
        const inPieces = new AnswerText(stops);
        pieces.forEach((piece) => inPieces.add(said(piece)));
        const atOnce = new AnswerText(stops);
        atOnce.add(said(pieces.join('')));
        assert.deepEqual([inPieces.text, inPieces.isCut], [atOnce.text, atOnce.isCut]);
      }),
    );
  });

  test('is never in an answer, which is the beginning of the text', () => {
    fc.assert(
      fc.property(text, sequences, (all, stops) => {
        const answer = new AnswerText(stops);
        answer.add(said(all));
        assert.ok(all.startsWith(answer.text));
        assert.ok(stops.every((stop) => !answer.text.includes(stop)));
        assert.equal(
          answer.isCut,
          stops.some((stop) => all.includes(stop)),
        );
      }),
    );
  });
});
