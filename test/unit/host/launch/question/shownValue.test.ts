import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hasReference, shownValue } from '../../../../../src/host/launch/question/shownValue.ts';

type Format = 'settings' | 'mcpJson' | 'extension';

suite('The value of a variable or header', () => {
  const cases: readonly (readonly [string, Format, string])[] = [
    ['${GITHUB_TOKEN}', 'mcpJson', '${GITHUB_TOKEN}'],
    ['${env:GITHUB_TOKEN}', 'settings', '${env:GITHUB_TOKEN}'],
    ['Bearer ${GITHUB_TOKEN}', 'mcpJson', '•••${GITHUB_TOKEN}'],
    ['${input:user}:secret@${env:HOST}', 'settings', '${input:user}•••${env:HOST}'],
    ['secret', 'settings', '•••'],
    ['', 'settings', ''],
    ['${TOKEN:-secret}', 'mcpJson', '${TOKEN:-•••}'],
    ['${TOKEN:-}', 'mcpJson', '${TOKEN:-}'],
    ['${TOKEN:-a:-b}', 'mcpJson', '${TOKEN:-•••}'],
    ['${/}${userHome}${workspaceFolder:api}', 'settings', '${/}${userHome}${workspaceFolder:api}'],
    ['secret${no such variable}secret', 'settings', '•••'],
    ['$${TOKEN}}', 'mcpJson', '•••${TOKEN}•••'],
    ['${TOKEN}', 'extension', '•••'],
  ];
  for (const [text, format, expected] of cases) {
    test(`is shown as ${expected} when it is ${JSON.stringify(text)}, of ${format}`, () => {
      assert.equal(shownValue(text, format), expected);
    });
  }

  test('has a reference when one can be shown', () => {
    assert.ok(hasReference('a${env:A}', 'settings'));
    assert.ok(!hasReference('a${no}', 'settings'));
    assert.ok(!hasReference('a', 'mcpJson'));
  });

  // Small letters and signs, also those that begin and end a reference; names are of capitals.
  const literal = fc.string({
    unit: fc.constantFrom('a', 'k', '7', '$', '{', '}', ':', '-', ' ', '\n', '•'),
  });
  const name = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/);
  const reference = fc.oneof(
    name.map((one) => ({ text: `\${env:${one}}`, format: 'settings' as const })),
    name.map((one) => ({ text: `\${input:${one}}`, format: 'settings' as const })),
    name.map((one) => ({ text: `\${${one}}`, format: 'mcpJson' as const })),
    name.map((one) => ({ text: `\${input:${one}}`, format: 'mcpJson' as const })),
  );

  test('shows each reference, in its order, and nothing else, whatever is between them', () => {
    // A text that ends within a `${` would swallow the reference behind it: it is then none.
    const between = literal.filter((one) => !/\$\{[^}]*$/.test(one) && !one.endsWith('$'));
    const mixtures = fc.constantFrom<Format>('settings', 'mcpJson').chain((format) =>
      fc.record({
        format: fc.constant(format),
        first: between,
        others: fc.array(
          fc.tuple(
            reference.filter((one) => one.format === format),
            between,
          ),
        ),
      }),
    );
    fc.assert(
      fc.property(mixtures, ({ format, first, others }) => {
        const text = first + others.map(([{ text }, after]) => text + after).join('');
        // What looks like a reference in a literal is none of ours: it is masked, as every literal is.
        fc.pre(!/\$\{/.test(first + others.map(([, after]) => after).join('\0')));
        const expected =
          (first === '' ? '' : '•••') +
          others.map(([{ text }, after]) => text + (after === '' ? '' : '•••')).join('');
        assert.equal(shownValue(text, format), expected);
      }),
    );
  });

  test('shows nothing of a text but what is the name of a variable', () => {
    const format = fc.constantFrom<Format>('settings', 'mcpJson', 'extension');
    const secret = fc.stringMatching(/^[a-z]{6,12}$/);
    fc.assert(
      fc.property(
        format,
        secret,
        fc.array(
          fc.oneof(
            literal,
            reference.map(({ text }) => text),
          ),
        ),
        (of, hidden, all) => {
          const text = all.flatMap((one) => [one, hidden]).join('');
          // Within `${env:…}` and its like it would be a name.
          fc.pre(
            !/\$\{(?:env:|input:|workspaceFolder:)?[^}]*$/.test(text.slice(0, text.lastIndexOf(hidden))),
          );
          fc.pre(!new RegExp(String.raw`\$\{[^}]*${hidden}[^}]*\}`).test(text));
          assert.ok(!shownValue(text, of).includes(hidden));
        },
      ),
    );
  });

  test('never shows a default', () => {
    const secret = fc.stringMatching(/^[a-z:-]{1,12}$/);
    fc.assert(
      fc.property(name, secret, literal, (variable, hidden, after) => {
        const shown = shownValue(`\${${variable}:-${hidden}}${after}`, 'mcpJson');
        assert.ok(shown.startsWith(`\${${variable}:-•••}`));
      }),
    );
  });
});
