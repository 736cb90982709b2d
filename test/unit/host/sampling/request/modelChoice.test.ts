import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { LanguageModel } from '../../../../../src/host/sampling/request/languageModels.ts';
import { chooseModel, modelsMatching } from '../../../../../src/host/sampling/request/modelChoice.ts';

const model = (id: string, name: string, vendor: string, family: string): LanguageModel => ({
  id,
  name,
  vendor,
  family,
  version: '1',
  maxInputTokens: 1_000,
});

const sonnet = model('claude-sonnet-4', 'Claude Sonnet 4', 'copilot', 'claude-sonnet');
const haiku = model('claude-haiku', 'Claude Haiku', 'copilot', 'claude-haiku');
const gpt = model('gpt-5', 'GPT-5 (Preview)', 'copilot', 'gpt');
const local = model('m-1', 'Qwen', 'ollama', 'qwen');
const models = [gpt, sonnet, local, haiku];

suite('The models that may be used', () => {
  for (const [patterns, allowed] of [
    [[], models],
    [['*'], models],
    [['claude-haiku'], [haiku]],
    [['CLAUDE-HAIKU'], [haiku]],
    [['copilot/gpt-5'], [gpt]],
    [['copilot/*'], [gpt, sonnet, haiku]],
    [
      ['ollama/*', '*'],
      [local, gpt, sonnet, haiku],
    ],
    [
      ['claude*', 'claude-haiku'],
      [sonnet, haiku],
    ],
    [
      ['claude-haiku', 'claude*'],
      [haiku, sonnet],
    ],
    [['Claude Sonnet 4'], [sonnet]],
    [['qwen'], [local]],
    [['*preview*'], [gpt]],
    [['*(preview)'], [gpt]],
    [['g*5'], [gpt]],
    [['*-*-*'], [sonnet]],
    [['claude'], []],
    [['gpt.5'], []],
    [['gpt-?'], []],
    [['.*'], []],
    [['copilot'], []],
    [['a*a'], []],
    [['  gpt  '], [gpt]],
    [[''], []],
  ] as const) {
    test(`by ${JSON.stringify(patterns)} are ${allowed.map(({ id }) => id).join(', ') || 'none'}`, () => {
      assert.deepEqual(modelsMatching(models, patterns), allowed);
    });
  }

  test('match a wildcard at any place of a pattern', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 6 });
    fc.assert(
      fc.property(piece, fc.array(piece, { minLength: 1 }), (id, pieces) => {
        const pattern = pieces.join('*');
        const meant = new RegExp(`^${pieces.join('.*')}$`).test(id);
        // Without a vendor, name and family of its own, so that the id alone counts.
        const found = modelsMatching([model(id, '#', '#', '#')], [pattern]).length === 1;
        assert.equal(found, (meant && pattern !== '') || /^\*+$/.test(pattern));
      }),
    );
  });
});

suite('The model for a request', () => {
  for (const [hints, chosen] of [
    [[], gpt],
    [['haiku'], haiku],
    [['claude'], sonnet],
    [['Sonnet'], sonnet],
    [['opus', 'haiku', 'gpt'], haiku],
    [['opus'], gpt],
    [['qwen'], local],
    [['M-1'], local],
    [['copilot'], gpt],
  ] as const) {
    test(`for the hints ${JSON.stringify(hints)} is ${chosen.id}`, () => {
      assert.equal(chooseModel(models, hints), chosen);
    });
  }

  test('is none when none is allowed', () => {
    assert.equal(chooseModel([], ['gpt']), undefined);
  });
});
