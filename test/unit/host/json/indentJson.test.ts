import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { indentJson } from '../../../../src/host/json/indentJson.ts';

suite('indentJson', () => {
  test('indents as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (json) => {
        const value: unknown = JSON.parse(json);
        assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, undefined, 2));
      }),
    );
  });

  test('keeps every token as it was sent', () => {
    assert.equal(
      indentJson('{"a":1.0,"a":12345678901234567890,"b":"\\u0041"}'),
      '{\n  "a": 1.0,\n  "a": 12345678901234567890,\n  "b": "\\u0041"\n}',
    );
  });

  test('leaves alone what is nested too deeply', () => {
    const json = '['.repeat(1_000) + ']'.repeat(1_000);
    assert.equal(indentJson(json), json);
  });
});
