import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { launchText } from '../../../support/shownLaunch.ts';
import { quotedText, visibleProse, visibleText } from '../../../../../src/base/text/visibleText.ts';
import { httpServer, stdioServer } from '../../../support/definitions.ts';

suite('What the user reads before a launch', () => {
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
    ['a null notehead', 'a\u{1D159}b', 'a\\u{1D159}b'],
    ['a Khitan filler', 'a\u{16FE4}b', 'a\\u{16FE4}b'],
    ['a full blank among the hieroglyphs', 'a\u{13441}b', 'a\\u{13441}b'],
    ['a half blank among the hieroglyphs', 'a\u{13442}b', 'a\\u{13442}b'],
    ['the object that is not there', 'a\uFFFCb', 'a\\u{FFFC}b'],
    ['a joiner of Tifinagh', 'a\u2D7Fb', 'a\\u{2D7F}b'],
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

  for (const [what, text, expected] of [
    ['line breaks and tabs', 'a\n\tb', 'a\n\tb'],
    ['French spaces', 'Quoi\u202F? 10\u00A0%', 'Quoi\u202F? 10\u00A0%'],
    ['an ideographic space', '東京\u3000都', '東京\u3000都'],
    ['a Chinese indentation', '\u3000\u3000你好', '\u3000\u3000你好'],
    ['plain spaces', 'a   b', 'a   b'],
    ['a run of unusual spaces', 'a\u2003\u2003b', 'a\\u{2003}\\u{2003}b'],
    ['a run among plain ones', 'a \u2009 \u00A0 b', 'a \\u{2009} \\u{A0} b'],
    ['three ideographic spaces', '\u3000\u3000\u3000a', '\\u{3000}\\u{3000}\\u{3000}a'],
    ['emoji of many characters', '👩‍❤️‍👩 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽', '👩‍❤️‍👩 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽'],
    ['a joiner after an emoji', '👩\u200Da', '👩\\u{200D}a'],
    ['what is no emoji as a whole', '1\u200D2', '1\\u{200D}2'],
    ['tags that say something', '🏴\u{E0061}\u{E0062}\u{E007F}', '🏴\\u{E0061}\\u{E0062}\\u{E007F}'],
    ['a blank glyph', 'a\u{13441}b', 'a\\u{13441}b'],
    ['a zero width space', 'a\u200Bb', 'a\\u{200B}b'],
    ['an override', 'a\u202Eb\u202C', 'a\\u{202E}b\\u{202C}'],
  ] as const) {
    test(`has in prose ${what} as it is or written out`, () => {
      const { text: shown, writtenOut } = visibleProse(text);
      assert.equal(shown, expected);
      assert.equal(writtenOut > 0, shown !== text);
    });
  }

  test('has in prose no character that cannot be seen, except in an emoji and as a single space', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom('\u200D', '\uFE0F', '👩', '❤', '\u3000', '\u00A0', ' ', '\u{13442}', '\u{E0061}', '🏴'),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const { text } = visibleProse(units.join(''));
        const bare = text.replaceAll(/\p{RGI_Emoji}/gv, '').replaceAll(/[\n\t]/g, '');
        assert.doesNotMatch(
          bare,
          /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cn}\p{Co}\p{Cs}\u{13441}]/u,
        );
        assert.doesNotMatch(text, /(?! )\p{Zs}(?! )\p{Zs}(?! )\p{Zs}/u);
      }),
    );
  });

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
    ["it's", `"it's"`],
    ['a "b"', `'a "b"'`],
    [`'"`, String.raw`'\'"'`],
    ['a\nb', String.raw`'a\nb'`],
    [String.raw`a\nb`, String.raw`a\nb`],
    [String.raw`C:\Users\new`, String.raw`C:\Users\new`],
    [String.raw`C:\Program Files\nodejs`, String.raw`"C:\Program Files\nodejs"`],
    [String.raw`C:\Program Files` + '\\', String.raw`'C:\\Program Files\\'`],
    [String.raw`\\server\share`, String.raw`\\server\share`],
    ['C:\\Program Files\\\u202Eb', String.raw`'C:\\Program Files\\\u{202E}b'`],
    ['a\u202Eb', String.raw`'a\u{202E}b'`],
  ] as const) {
    test(`quotes ${JSON.stringify(text)} as ${expected}`, () => {
      assert.equal(quotedText(text), expected);
    });
  }

  test('never shows two arguments alike', () => {
    const unit = fc.constantFrom('\\', '"', "'", 'n', '\n', ' ', '\u00A0', '\u202E');
    const argument = fc.string({ unit, maxLength: 6 });
    const pair = fc.oneof(
      fc.tuple(argument, argument),
      argument.map((one) => [one, visibleText(one)] as const),
      argument.map((one) => [one, quotedText(one)] as const),
    );
    fc.assert(
      fc.property(pair, ([one, other]) => {
        fc.pre(one !== other);
        assert.notEqual(quotedText(one), quotedText(other));
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
        String.raw`Argument 3: 'a\nb'`,
        'Working directory: /projects/api',
        'Environment variables:',
        '  TOKEN: •••',
        String.raw`  A\u{200B}: •••`,
      ].join('\n'),
    );
  });

  test('has the address and the names of the headers of an HTTP server', () => {
    const definition = httpServer('https://example.org/mcp', { headers: { Authorization: 'Bearer secret' } });
    assert.equal(
      launchText(definition, '/projects/api'),
      'Address: https://example.org/mcp\nHeaders:\n  Authorization: •••',
    );
  });

  test('is short for a command without arguments and variables', () => {
    assert.equal(
      launchText(stdioServer([], { command: 'server' }), '/'),
      'Command: server\nWorking directory: /',
    );
  });

  test('has how you would sign in, with no secret', () => {
    const oauth = {
      clientId: 'a\u202Eb',
      clientSecret: '${input:secret}',
      scopes: ['read', 'write'],
      issuer: 'https://login.example.com',
      grantType: 'client_credentials',
      omitResource: true,
      assumePkce: false,
    } as const;
    assert.deepEqual(launchText(httpServer('https://x.example', { oauth }), '/').split('\n'), [
      'Address: https://x.example',
      'Sign-in:',
      String.raw`  Client ID: a\u{202E}b`,
      '  Client secret: ${input:secret}',
      '  List of scopes: read write',
      '  Issuer: https://login.example.com',
      '  Grant type: client_credentials (the client signs in, without your account)',
      '  Use of the resource parameter: left out: the issuer does not learn which server the token is for',
    ]);
    const literal = { oauth: { clientSecret: 's3cret', privateKey: 'x${input:key}' } };
    assert.match(
      launchText(httpServer('https://x.example', literal), '/'),
      /Client secret: •••\n {2}Private key: •••\$\{input:key\}$/,
    );
  });
});
