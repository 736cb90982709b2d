import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  asDefined,
  exposedBy,
  exposureDecisionKind,
  withNewTools,
  withTool,
  type Exposure,
  type ExposureDecision,
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
    [{ include: ['aba*ba'] }, 'ababa', true],
    [{ include: ['aba*ba'] }, 'xababa', false],
    [{ include: ['aba*ba'] }, 'ababax', false],
    [{ include: ['a*b*c'] }, 'abc', true],
    [{ include: ['a*b*c'] }, 'axbxc', true],
    [{ include: ['a*b*c'] }, 'axc', false],
    [{ include: ['a*ba*ba*c'] }, 'abac', false],
    [{ include: ['a*ba*ba*c'] }, 'ababac', true],
    [{ include: ['a*bc*cd'] }, 'abcd', false],
    [{ include: ['a*bc*cd'] }, 'abccd', true],
    [{ include: ['*b*'] }, 'b', true],
    [{ include: ['*b*'] }, 'a', false],
    [{ include: ['read', 'w*'] }, 'write', true],
    [{ include: ['read', 'w*'] }, 'read', true],
    [{ include: ['read', 'w*'] }, 'r', false],
    [{ include: ['a**b'] }, 'axb', true],
    [{ include: ['*'] }, '', true],
    [{ include: ['a.c'] }, 'abc', false],
    [{ include: ['*'], exclude: ['delete*'] }, 'delete_all', false],
    [{ include: ['delete'], exclude: ['delete'] }, 'delete', false],
    [{ exclude: ['*.*'] }, 'a.b', false],
    [['read'], 'read', true],
    [['read'], 'write', false],
    [['find_*'], 'find_all', false],
    [['find_*'], 'find_*', true],
    [[], 'read', false],
  ] as const) {
    test(`${JSON.stringify(proposal)} ${expected ? 'shows' : 'hides'} '${name}'`, () => {
      assert.equal(exposedBy(asDefined, proposal)(name), expected);
    });
  }

  test('ends with many wildcards', () => {
    const pattern = `${'a*'.repeat(50)}b`;
    assert.equal(exposedBy(asDefined, { include: [pattern] })('a'.repeat(10_000)), false);
  });

  test('a decision on one tool overrides the one on its server', () => {
    const none = withTool(asDefined, undefined, false);
    assert.deepEqual(none, { basis: 'none', except: [] });
    const one = withTool(none, undefined, true, 'read');
    assert.equal(exposedBy(one, undefined)('read'), true);
    assert.equal(exposedBy(one, undefined)('write'), false);
    assert.deepEqual(withTool(one, undefined, false, 'read'), none);
    assert.deepEqual(withTool(one, undefined, true), { basis: 'all', except: [] });
  });

  test('a decision on later tools stays, whatever you decide on one or all', () => {
    const offered = withNewTools(asDefined, true);
    assert.equal(offered.newTools, 'offered');
    for (const name of ['read', undefined]) {
      assert.equal(withTool(offered, undefined, false, name).newTools, 'offered');
    }
    assert.deepEqual(withNewTools(offered, false), asDefined);
  });

  test('the last decision on each tool counts', () => {
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

suite('A decision on what a server offers', () => {
  const kind = exposureDecisionKind;
  const decision = (more: object) => ({ ...asDefined, ...more }) as ExposureDecision;

  for (const [entry, expected] of [
    [{ basis: 'all', except: [] }, true],
    [{ basis: 'none', except: ['read'], newTools: 'offered' }, true],
    [{ basis: 'definition', except: [] }, true],
    [{ basis: 'some', except: [] }, false],
    [{ except: [] }, false],
    [{ basis: 'all' }, false],
    [{ basis: 'all', except: [1] }, false],
    [{ basis: 'all', except: 'read' }, false],
    [{ basis: 'all', except: [], newTools: 'yes' }, false],
    [{ basis: 'all', except: [], newTools: true }, false],
  ] as const) {
    test(`is ${expected ? '' : 'not '}read from ${JSON.stringify(entry)}`, () => {
      assert.equal(kind.isEntry(entry as never), expected);
    });
  }

  test('loses against one that offers less', () => {
    const kinds = ['none', 'definition', 'all'].flatMap((basis) => [
      decision({ basis }),
      decision({ basis, newTools: 'offered' }),
    ]);
    const ranks = kinds.map((one) => kind.generosity?.(one) ?? -1);
    assert.deepEqual(
      ranks,
      [...ranks].sort((a, b) => a - b),
    );
    assert.equal(new Set(ranks).size, 6);
  });

  for (const [exposure, what] of [
    [{ basis: 'all' }, 'offers all its tools'],
    [{ basis: 'all', except: ['a'] }, 'offers all its tools but one tool'],
    [{ basis: 'none' }, 'offers no tool'],
    [{ basis: 'none', except: ['a', 'b'] }, 'offers 2 tools only'],
    [{}, 'offers its tools as defined'],
    [{ except: ['a'] }, 'offers its tools as defined, except one tool'],
    [{ newTools: 'offered' }, 'offers its tools as defined, and new ones without a review'],
    [{ basis: 'all', newTools: 'offered' }, 'offers all its tools, and new ones without a review'],
    [{ basis: 'none', newTools: 'offered' }, 'offers no tool, and new ones without a review'],
  ] as const) {
    test(`is listed as '${what}'`, () => {
      assert.equal(kind.words?.what(decision(exposure)), what);
    });
  }

  test('names the tools that are excepted, and what happens without it', () => {
    assert.equal(
      kind.words?.detail(decision({ except: ['a', 'b'] }), { uri: String, place: String }),
      'a, b',
    );
    assert.match(kind.words?.undone(decision({})) ?? '', /held back/);
  });
});
