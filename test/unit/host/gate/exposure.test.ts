import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  asDefined,
  exposedBy,
  withNewTools,
  withTool,
  type Exposure,
} from '../../../../src/host/gate/exposure.ts';

suite('Which tools are exposed', () => {
  for (const [proposal, name, expected] of [
    [undefined, 'read', true],
    [{}, 'read', true],
    [{ include: ['read'] }, 'read', true],
    [{ include: ['read'] }, 'read_all', false],
    [{ include: [] }, 'read', false],
    [{ include: ['read*'] }, 'read_all', true],
    [{ include: ['*_all'] }, 'read_all', true],
    [{ include: ['r*d*l'] }, 'read_all', true],
    [{ include: ['aba*ba'] }, 'aba', false],
    [{ include: ['a**b'] }, 'axb', true],
    [{ include: ['*'] }, '', true],
    [{ include: ['a.c'] }, 'abc', false],
    [{ include: ['*'], exclude: ['delete*'] }, 'delete_all', false],
    [{ include: ['delete'], exclude: ['delete'] }, 'delete', false],
    [{ exclude: ['*.*'] }, 'a.b', false],
  ] as const) {
    test(`${JSON.stringify(proposal)} ${expected ? 'shows' : 'hides'} '${name}'`, () => {
      assert.equal(exposedBy(asDefined, proposal)(name), expected);
    });
  }

  test('ends with many wildcards', () => {
    const pattern = `${'a*'.repeat(50)}b`;
    assert.equal(exposedBy(asDefined, { include: [pattern] })('a'.repeat(10_000)), false);
  });

  test("what was said of one tool goes before the server's", () => {
    const none = withTool(asDefined, undefined, false);
    assert.deepEqual(none, { basis: 'none', except: [] });
    const one = withTool(none, undefined, true, 'read');
    assert.equal(exposedBy(one, undefined)('read'), true);
    assert.equal(exposedBy(one, undefined)('write'), false);
    assert.deepEqual(withTool(one, undefined, false, 'read'), none);
    assert.deepEqual(withTool(one, undefined, true), { basis: 'all', except: [] });
  });

  test('what was said of later tools stays, whatever is said of one or all', () => {
    const offered = withNewTools(asDefined, true);
    assert.equal(offered.newTools, 'offered');
    for (const name of ['read', undefined]) {
      assert.equal(withTool(offered, undefined, false, name).newTools, 'offered');
    }
    assert.deepEqual(withNewTools(offered, false), asDefined);
  });

  test('the last word on each tool counts', () => {
    const step = fc.record({ isExposed: fc.boolean(), name: fc.option(fc.constantFrom('a', 'b', 'c')) });
    fc.assert(
      fc.property(fc.array(step), fc.constantFrom(undefined, { exclude: ['a'] }), (steps, proposal) => {
        const expected = new Map<string, boolean>(
          ['a', 'b', 'c'].map((name) => [name, name !== 'a' || !proposal]),
        );
        let exposure: Exposure = asDefined;
        for (const { isExposed, name } of steps) {
          exposure = withTool(exposure, proposal, isExposed, name ?? undefined);
          (name === null ? [...expected.keys()] : [name]).forEach((one) => expected.set(one, isExposed));
        }
        for (const [name, isExposed] of expected) {
          assert.equal(exposedBy(exposure, proposal)(name), isExposed);
        }
      }),
    );
  });
});
