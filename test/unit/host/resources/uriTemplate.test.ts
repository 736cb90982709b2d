import assert from 'node:assert/strict';
import { UriTemplate, type TemplateValues } from '../../../../src/host/resources/uriTemplate.ts';

function parsed(text: string): UriTemplate {
  const template = UriTemplate.parse(text);
  assert.ok(template instanceof UriTemplate, text);
  return template;
}

function expanded(text: string, values: TemplateValues): string {
  const expansion = parsed(text).expand(values);
  assert.equal(expansion.kind, 'uri');
  return expansion.kind === 'uri' ? expansion.uri : '';
}

/** The values of RFC 6570, section 3.2; of lists, what a person types. */
const ofTheRfc: TemplateValues = {
  count: 'one,two,three',
  dom: 'example,com',
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: 'red,green,blue',
  v: '6',
  x: '1024',
  y: '768',
};

/** Of sections 1.2 and 3.2.2 to 3.2.9. Empty strings and associative arrays are nothing that is typed. */
const examplesOfTheRfc: Readonly<Record<string, string>> = {
  '{var}': 'value',
  '{hello}': 'Hello%20World%21',
  '{half}': '50%25',
  'O{undef}X': 'OX',
  '{x,y}': '1024,768',
  '{x,hello,y}': '1024,Hello%20World%21,768',
  '?{x,undef}': '?1024',
  '?{undef,y}': '?768',
  '{var:3}': 'val',
  '{var:30}': 'value',
  '{list*}': 'red,green,blue',
  '{+var}': 'value',
  '{+hello}': 'Hello%20World!',
  '{+half}': '50%25',
  '{base}index': 'http%3A%2F%2Fexample.com%2Fhome%2Findex',
  '{+base}index': 'http://example.com/home/index',
  '{+path}/here': '/foo/bar/here',
  'here?ref={+path}': 'here?ref=/foo/bar',
  'up{+path}{var}/here': 'up/foo/barvalue/here',
  '{+x,hello,y}': '1024,Hello%20World!,768',
  '{+path,x}/here': '/foo/bar,1024/here',
  '{+path:6}/here': '/foo/b/here',
  '{+list*}': 'red,green,blue',
  '{#var}': '#value',
  '{#hello}': '#Hello%20World!',
  '{#half}': '#50%25',
  '{#x,hello,y}': '#1024,Hello%20World!,768',
  '{#path,x}/here': '#/foo/bar,1024/here',
  '{#path:6}/here': '#/foo/b/here',
  '{#list*}': '#red,green,blue',
  '{.who}': '.fred',
  '{.who,who}': '.fred.fred',
  '{.half,who}': '.50%25.fred',
  'X{.var}': 'X.value',
  'X{.var:3}': 'X.val',
  '{/who}': '/fred',
  '{/who,who}': '/fred/fred',
  '{/half,who}': '/50%25/fred',
  '{/who,dub}': '/fred/me%2Ftoo',
  '{/var,x}/here': '/value/1024/here',
  '{/var:1,var}': '/v/value',
  '{;who}': ';who=fred',
  '{;half}': ';half=50%25',
  '{;v,bar,who}': ';v=6;who=fred',
  '{;x,y}': ';x=1024;y=768',
  '{;x,y,undef}': ';x=1024;y=768',
  '{;hello:5}': ';hello=Hello',
  '{;list*}': ';list=red;list=green;list=blue',
  '{?who}': '?who=fred',
  '{?half}': '?half=50%25',
  '{?x,y}': '?x=1024&y=768',
  '{?x,y,undef}': '?x=1024&y=768',
  '{?var:3}': '?var=val',
  '{?list*}': '?list=red&list=green&list=blue',
  '{&who}': '&who=fred',
  '?fixed=yes{&x}': '?fixed=yes&x=1024',
  '{&x,y,undef}': '&x=1024&y=768',
  '{&var:3}': '&var=val',
  '{&list*}': '&list=red&list=green&list=blue',
  'http://www.example.com/foo{?query,number}': 'http://www.example.com/foo',
  'www{.dom*}': 'www.example%2Ccom',
};

suite('A URI template', () => {
  for (const [text, uri] of Object.entries(examplesOfTheRfc)) {
    test(`${text} becomes ${uri}`, () => assert.equal(expanded(text, ofTheRfc), uri));
  }

  for (const [text, typed, uri] of [
    ['a:{/x*}', 'docs/read me.md', 'a:/docs/read%20me.md'],
    ['a:{/x*}', '/docs//', 'a:/docs//'],
    ['a:{.x*}', 'tar.gz', 'a:.tar.gz'],
    ['a:{?x*}', 'red, green,,', 'a:?x=red&x=green'],
    ['a:{?x*}', ' , ', 'a:'],
    ['a:{?x:1,x}', 'red', 'a:?x=r&x=red'],
    ['a:{x}', "it's (a)*!", 'a:it%27s%20%28a%29%2A%21'],
    ['a:{+x}', '"<a>^`|\\ \n', 'a:%22%3Ca%3E%5E%60%7C%5C%20%0A'],
    ['a:{+x}', 'a%2Fb%zz{y}', 'a:a%2Fb%25zz%7By%7D'],
    ['a:{+x}', '%a<%', 'a:%25a%3C%25'],
    ['a:{x:2}', '😀😀a', 'a:%F0%9F%98%80%F0%9F%98%80'],
    ['a:{x}', '\ud800', 'a:%EF%BF%BD'],
    ['é b:{x}', '1', '%C3%A9%20b:1'],
  ] as const) {
    test(`${text} with ${JSON.stringify(typed)} becomes ${uri}`, () =>
      assert.equal(expanded(text, { x: typed }), uri));
  }

  test('takes names for names', () => {
    for (const name of ['__proto__', 'toString', 'user-id', 'a.b', 'length']) {
      assert.equal(expanded(`a:{?${name}}`, Object.fromEntries([[name, '1']])), `a:?${name}=1`);
      assert.equal(expanded(`a:{?${name}}`, {}), 'a:');
    }
    assert.equal(expanded('a:{?a%20b}', { 'a%20b': '1' }), 'a:?a%20b=1');
  });

  test('knows its variables, in their order and each once', () => {
    const template = parsed('repo://{owner}/{repo}{/path*}{?ref,tags*,owner}{&short:7}{#line}{;p}{.ext*}');
    assert.deepEqual(
      template.variables.map(({ name, isRequired, separator, prefix }) =>
        [name, isRequired && 'required', separator, prefix].filter(Boolean).join(' '),
      ),
      [
        'owner required',
        'repo required',
        'path required /',
        'ref',
        'tags ,',
        'short 7',
        'line',
        'p',
        'ext required .',
      ],
    );
    assert.deepEqual(parsed('test:///note').variables, []);
    assert.equal(expanded('test:///note', {}), 'test:///note');
  });

  test('shows the URI as it grows', () => {
    const template = parsed('repo://{owner}/{+file}{?ref:3,tags*}{#line}');
    const preview = (values: TemplateValues): string => template.preview(values);
    assert.equal(preview({}), 'repo://{owner}/{file}?ref={ref}&tags={tags}#{line}');
    assert.equal(preview({ owner: 'a b' }), 'repo://a%20b/{file}?ref={ref}&tags={tags}#{line}');
    assert.equal(
      preview({ owner: 'a', file: 'x/y', ref: '' }),
      'repo://a/x/y?tags={tags}#{line}',
      'what is left empty is left out',
    );
    const all = { owner: 'a', file: '{owner}', ref: 'abcd', tags: 'b,c', line: '' };
    assert.equal(preview(all), 'repo://a/%7Bowner%7D?ref=abc&tags=b&tags=c');
    assert.deepEqual(template.expand(all), { kind: 'uri', uri: preview(all) });
  });

  for (const [text, message] of [
    ['a:{', "A '{' is not closed by a '}'."],
    ['a:{x', "A '{' is not closed by a '}'."],
    ['a:x}', "A '}' stands alone, without a '{' before it."],
    ['a:{{x}}', "A '{' is not closed by a '}'."],
    ['a:{}', "'{}' lacks a name."],
    ['a:{?}', "'{?}' lacks a name."],
    ['a:{x,}', "'{x,}' lacks a name."],
    ['a:{=x}', "'{=x}' is not an expression of RFC 6570."],
    ['a:{x y}', "'{x y}' is not an expression of RFC 6570."],
    ['a:{x:0}', "'{x:0}' is not an expression of RFC 6570."],
    ['a:{x:10000}', "'{x:10000}' is not an expression of RFC 6570."],
    ['a:{x*:3}', "'{x*:3}' is not an expression of RFC 6570."],
    ['a:{.x.}', "'{.x.}' is not an expression of RFC 6570."],
    ['a:{%zz}', "'{%zz}' is not an expression of RFC 6570."],
    [`a:${'x'.repeat(4_000)}`, 'The template is longer than 4000 characters.'],
    [`a:${'{x}'.repeat(101)}`, 'The template has more than 100 expressions.'],
    [
      `a:{${Array.from({ length: 51 }, (_, index) => `x${index}`).join()}}`,
      'The template has more than 50 variables.',
    ],
  ] as const) {
    test(`says what is wrong with ${text.slice(0, 30)}`, () =>
      assert.deepEqual(UriTemplate.parse(text), { kind: 'malformed', message }));
  }

  test('that explodes is stopped', () => {
    const template = parsed(`a:${'{x}'.repeat(100)}`);
    assert.deepEqual(template.expand({ x: 'é'.repeat(4_000) }), {
      kind: 'problem',
      message: 'The URI would be longer than 8000 characters.',
    });
    assert.equal(template.preview({ x: 'é'.repeat(4_000) }), '…');
    assert.deepEqual(parsed('a:{x}').expand({ x: 'x'.repeat(4_001) }), {
      kind: 'problem',
      message: 'A value is longer than 4000 characters.',
    });
  });

  test('never throws, gives only characters of a URI, and gives back what was typed', () => {
    const random = randomFrom(6570);
    const alphabet = [
      '{',
      '}',
      '/',
      '?',
      '#',
      '%',
      '%2F',
      ',',
      ':',
      '*',
      '+',
      '~',
      ' ',
      'a',
      'é',
      '😀',
      '\ud800',
      '\n',
      '"',
      "'",
    ];
    const text = (length: number): string =>
      Array.from({ length: random(length) }, () => alphabet[random(alphabet.length)]).join('');
    for (let round = 0; round < 5_000; round += 1) {
      const anything = UriTemplate.parse(text(12));
      if (anything instanceof UriTemplate) {
        anything.expand({ a: text(6) });
        anything.preview({});
      }
      const [x, y] = [text(8), text(8)];
      const uri = expanded('test://{x}/{+y}{?x,y}', { x, y });
      assert.match(uri, /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/);
      const [, first = ''] = /^test:\/\/([^/]*)\//.exec(uri) ?? [];
      assert.equal(decodeURIComponent(first), x.toWellFormed());
    }
  });
});

/** Numbers below a limit, the same in each run (a linear congruential generator). */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
