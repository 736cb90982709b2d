import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkPatterns, listFaults } from '../../check/patterns.ts';

suite('The check that each regular expression takes linear time', () => {
  let root: string;
  let folder: string;

  setup(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    folder = path.join(root, 'src');
    mkdirSync(folder);
  });
  teardown(() => rm(root, { recursive: true, force: true }));

  const write = (text: string): void => writeFileSync(path.join(folder, 'a.ts'), text);
  const check = (text: string, reasons: Readonly<Record<string, string>> = {}) => {
    write(text);
    return checkPatterns(folder, new Set(), reasons);
  };

  for (const [what, text, found] of [
    ['an exponential one', 'b = /(?:a|a)*$/', /: \/\(\?:a\|a\)\*\$\/ .*\(exponential\), such as for 'a'/],
    ['one with alternatives that overlap', 'b = /^(?:\\w|_\\w)+$/', /\(exponential\), such as for '_'/],
    ['a quadratic one', 'b = /\\s+$/g', /: \/\\s\+\$\/g .*\(2nd degree polynomial\), such as for '\\t'/],
    ['one of a higher degree', 'b = /a*a*a*b/', /\(4th degree polynomial\)/],
    ['one that looks behind', 'b = /(?<=.)\\/+$/', /\(2nd degree polynomial \(fuzz\)\)/],
    ['one in a default value', 'b = (c = /a+$/) => c', /: \/a\+\$\/ takes/],
    ['one that is built', "b = new RegExp('a+$', 'u')", /: \/a\+\$\/u takes/],
    ['one that is called', "b = RegExp('a+$')", /: \/a\+\$\/ takes/],
    [
      'one that is built of texts',
      "b = new RegExp('a' + `{${1 + 1},}` + String.raw`\\W`)",
      /: \/a\{2,\}\\W\/ takes/,
    ],
    [
      'one that is built of a constant',
      "c = 'a+';\nexport const b = new RegExp(`${c}$`)",
      /:2: \/a\+\$\/ takes/,
    ],
    [
      'one that is built of another',
      "c = /a+$/g;\nexport const b = new RegExp(c, 'i')",
      /:2: \/a\+\$\/i takes/,
    ],
    ['a text for match', "b = (c: string) => c.match('a+$')", /: \/a\+\$\/ takes/],
    ['one of a schema', "b = { type: 'string', pattern: 'a+$' }", /: \/a\+\$\/u takes/],
    ['what cannot be found out', 'b = /^[a-z]+$/v', /can't be shown to take linear time \(unknown flag\)/],
  ] as const) {
    test(`finds ${what}`, () => {
      const { linear, faults } = check(`export const ${text};`);
      assert.match(faults.join('\n'), found);
      for (const fault of faults) {
        assert.match(
          fault,
          /^src\/a\.ts:[12]: .*search in code instead.*'reasons' in test\/check\/patterns\.ts/,
        );
      }
      assert.deepEqual([...linear], []);
    });
  }

  for (const text of [
    'export const b = (c: string) => new RegExp(c);',
    'export const b = (c: string) => new RegExp(`^${c}$`);',
    "export const b = (c: string) => new RegExp('a', c);",
    "let c = 'a';\nexport const b = () => new RegExp(c);\nc = 'a+$';",
    "const c = 'a';\nexport const b = (c: string) => new RegExp(c);",
    "const c = 'a';\nexport const b = ({ c }: { c: string }) => new RegExp(c);",
    "const c = 'a';\nexport function b(d: string) {\n  const c = d;\n  return new RegExp(c);\n}",
    "import { c } from './c.ts';\nexport const b = new RegExp(c);",
    "export const b = new RegExp('a'.repeat(2));",
    'export const b = globalThis.RegExp;',
    'const C = RegExp;\nexport const b = (c: string) => new C(c);',
  ]) {
    test(`does not guess what is known only at run time: ${text.replaceAll('\n', ' ')}`, () => {
      const { faults } = check(text);
      assert.match(
        faults.join('\n'),
        /^src\/a\.ts:\d: what .*RegExp.* matches is known only when it runs\..*'reasons'/,
      );
    });
  }

  test('accepts linear expressions, types, and comparisons with the class', () => {
    const { linear, faults } = check(
      "const c = 'b';\nexport const a = [/^a+$/, new RegExp(`^a+${c}$`, 'i')];\n" +
        'export const d = (e: unknown): RegExp | undefined => (e instanceof RegExp ? e : undefined);',
    );
    assert.deepEqual(faults, []);
    assert.deepEqual([...linear.keys()], ['/^a+$/', '/^a+b$/i']);
  });

  test('accepts what repeats nothing, without a place in the list', () => {
    const { linear, faults } = check('export const b = [/^a?[*+{]\\+\\p{L}$/u, /a|b{/];');
    assert.deepEqual(faults, []);
    assert.deepEqual([...linear], []);
  });

  test('accepts what has a reason, and finds a reason that is no longer needed', () => {
    const text = 'export const b = [/a+$/, (c: string) => new RegExp(c)];';
    const reasons = {
      'src/a.ts: /a+$/': 'its text has at most 20 characters',
      'src/a.ts: new RegExp(c)': 'it is called with letters only',
    };
    assert.deepEqual(check(text, reasons).faults, []);
    assert.match(
      check(text, { ...reasons, 'src/b.ts: /a+$/': '' }).faults.join(),
      /remove the reason for src\/b\.ts: /,
    );
  });

  test('demands that the list has what is linear, and nothing else', () => {
    const report = check('export const b = [/^a+$/, /^b+$/];');
    assert.deepEqual(listFaults(report, new Set(['/^a+$/', '/^b+$/'])), []);
    const faults = listFaults(report, new Set(['/^b+$/', '/^c+$/']));
    assert.match(
      faults[0] ?? '',
      /^src\/a\.ts:1: \/\^a\+\$\/ is linear, but not in .*npm run patterns -- --write/,
    );
    assert.match(faults[1] ?? '', /: \/\^c\+\$\/ is no longer among .*npm run patterns -- --write/);
    assert.equal(faults.length, 2);
  });

  test('checks only what is not in the list', () => {
    write('export const b = /a+$/;');
    assert.deepEqual(checkPatterns(folder, new Set(['/a+$/']), {}).faults, []);
  });
});
