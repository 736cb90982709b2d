import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { launchText } from '../../../../src/host/approval/launchText.ts';
import { quotedText, visibleText } from '../../../../src/base/visibleText.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';

suite('What the person reads before a launch', () => {
  for (const [what, text, expected] of [
    ['plain text', 'uvx mcp-server-git', 'uvx mcp-server-git'],
    ['letters of every script', 'été 中文 עברית 👍', 'été 中文 עברית 👍'],
    ['a newline', 'a\nb', 'a\\nb'],
    ['a carriage return', 'a\rb', 'a\\rb'],
    ['a tab', 'a\tb', 'a\\tb'],
    ['an escape sequence', '\u001B[31mred', '\\u{1B}[31mred'],
    ['a null', 'a\0b', 'a\\u{0}b'],
    ['a right-to-left override', 'exe.\u202Etxt', 'exe.\\u{202E}txt'],
    ['an isolate', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['a zero width space', 'pay\u200Bpal', 'pay\\u{200B}pal'],
    ['a zero width joiner', 'a\u200Db', 'a\\u{200D}b'],
    ['a byte order mark', '\uFEFFa', '\\u{FEFF}a'],
    ['a soft hyphen', 'a\u00ADb', 'a\\u{AD}b'],
    ['a no-break space', 'a\u00A0b', 'a\\u{A0}b'],
    ['an ideographic space', 'a\u3000b', 'a\\u{3000}b'],
    ['a Hangul filler', 'a\u3164b', 'a\\u{3164}b'],
    ['a Braille blank', 'a\u2800b', 'a\\u{2800}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['a tag character', 'a\u{E0041}b', 'a\\u{E0041}b'],
    ['a variation selector', 'a\uFE0Fb', 'a\\u{FE0F}b'],
    ['a supplementary variation selector', 'a\u{E0100}b', 'a\\u{E0100}b'],
    ['a lone surrogate', 'a\uD800b', 'a\\u{D800}b'],
  ] as const) {
    test(`shows ${what} as it is or written out`, () => {
      assert.equal(visibleText(text), expected);
    });
  }

  test('is on one line and has no character that cannot be seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(visibleText(text), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}]|(?! )\p{Zs}/u);
      }),
    );
  });

  for (const [text, expected] of [
    ['', '""'],
    ['-v', '-v'],
    ['a b', '"a b"'],
    ['a "b"', String.raw`"a \"b\""`],
    ['a\nb', String.raw`"a\nb"`],
    [String.raw`a\nb`, String.raw`"a\\nb"`],
    [String.raw`C:\Users`, String.raw`"C:\\Users"`],
    ['a\u202Eb', String.raw`a\u{202E}b`],
  ] as const) {
    test(`quotes ${JSON.stringify(text)} as ${expected}`, () => {
      assert.equal(quotedText(text), expected);
    });
  }

  test('never shows an argument as it shows another one that is written out already', () => {
    const argument = fc.string({ unit: fc.constantFrom('\\', '"', 'n', '\n', ' ', '\u00A0', '\u202E') });
    fc.assert(
      fc.property(argument, (text) => {
        fc.pre(text !== visibleText(text));
        assert.notEqual(quotedText(text), quotedText(visibleText(text)));
      }),
    );
  });

  test('has each argument of a command on its own line, and no value of a variable', () => {
    const definition = stdioServer(['-y', 'my server', 'a\nb'], {
      command: 'npx',
      env: { TOKEN: 'secret', 'A\u200B': '1' },
    });
    assert.equal(
      launchText(definition, '/projects/api'),
      [
        'Command: npx',
        'Argument 1: -y',
        'Argument 2: "my server"',
        String.raw`Argument 3: "a\nb"`,
        'Working directory: /projects/api',
        String.raw`Environment variables: TOKEN, A\u{200B}`,
      ].join('\n'),
    );
  });

  test('has the address and the names of the headers of an HTTP server', () => {
    const definition = httpServer('https://example.org/mcp', { headers: { Authorization: 'Bearer secret' } });
    assert.equal(
      launchText(definition, '/projects/api'),
      'Address: https://example.org/mcp\nHeaders: Authorization',
    );
  });

  test('is short for a command without arguments and variables', () => {
    assert.equal(
      launchText(stdioServer([], { command: 'server' }), '/'),
      'Command: server\nWorking directory: /',
    );
  });
});
