/** A text of any length: one piece again and again, between two others. */
export interface Pump {
  readonly before: string;
  readonly piece: string;
  readonly after: string;
}

/** A text of about this size. */
export function textOf(pump: Pump, size: number): string {
  return `${pump.before}${pump.piece.repeat(timesOf(pump, size))}${pump.after}`;
}

/** Its pieces, for those who take a list. */
export function piecesOf(pump: Pump, size: number): readonly string[] {
  return [pump.before, ...Array.from({ length: timesOf(pump, size) }, () => pump.piece), pump.after];
}

function timesOf({ before, piece, after }: Pump, size: number): number {
  return Math.max(1, Math.floor((size - before.length - after.length) / piece.length));
}

/** As it is written in a title. */
export function nameOf({ before, piece, after }: Pump): string {
  return `${JSON.stringify(before)}, ${JSON.stringify(piece)} again and again, ${JSON.stringify(after)}`;
}

/** What is repeated, by what it is a part of. */
const pieces: Readonly<Record<string, readonly string[]>> = {
  characters: Array.from(' \t\n\r\\/"\'`<>{}[]()|&;:,.?!#@%=+-_*^~$aA0é漢•'),
  unseen: ['\u200B', '\u3000', '\uFFFD', '\uD800', '😀', '👨\u200D', '\r\n', '\n\n'],
  variables: ['${', '${}', '${a', '${a}', '${a:-', '${env:', '${input:', '${input:a}${', '$a', '{a', '}{'],
  escapes: ['\\"', '\\\\"', '\\n', '\\u{', '\\ ', '\\\\', '&#', '%2', '%2e', 'xn--'],
  queries: ['&a=', '?a=', '?key', '&k=v', 'key', 'key=', '=a', '==', 'a=b,', 'a="', ', a="b', '::'],
  words: ['_a', '_S', 'a_', 'aA', 'Aa', 'A_', 'a-', 'a.', 'a,', 'a:', 'a ', ' a', 'Aa:', 'token_', 'x-'],
  addresses: ['//', '://', 'a://', 'a:a@', 'a@', '@a', 'a/', '/a', '/a@', 'localhost.', '[::1]', '127.'],
  paths: ['/../', '/./', '..', '...', './', '~/', 'C:\\', '/User/', '-1', '.1', '1.1', '@1.1'],
  commands: ['--', '--a', '--a=', '-c', '-c ', ' -', '- ', ';;', '&&', '||', '| sh', '$(', '<(', '$( '],
  programs: ['curl ', 'curl|', 'curl a | ', 'sudo ', 'env ', '/env ', 'iex ', 'npx ', 'node ', 'sh '],
  json: ['[{"', '[[', '{"a":', '["a",', '"a",', ', a', '=\n', '\n ', 'a\n', '<a', '<a>', '</', '```', '`a'],
  prose: ['do not enter ', 'never share a', 'password ', 'api key ', 'but ', '(deprecated', 'deprecated'],
  messages: [
    'Error: ',
    'ERROR',
    'SIGNED',
    'npm ERR! ',
    ' must be ',
    'a, data/',
    'data/a ',
    'needs, ',
    'Redirect ',
  ],
  secrets: ['Bearer ', 'eyJ', 'eyJa.', 'sk-', 'ghp_', '-----BEGIN '],
};

/** Pieces that only count behind a certain beginning, or before a certain end. */
const framed: readonly (readonly [before: string, piece: string, after: string])[] = [
  ['-', 'c', '!'],
  ['/', 'c', '!'],
  ['@0.', '0.', '@'],
  ['https://h/?', '?', '&='],
  ['https://h/?', 'key', '&key=s'],
  ['https://h/?', 'a=b&', 'key'],
  ['https://', 'a@', '/'],
  ['https://', 'a.', '/'],
  ['https://h/', '%2e/', ''],
  ['"', '\\', '"'],
  ['"', '\\"', ''],
  ['Bearer ', 'a="b",', '"'],
  ['Bearer ', 'a=', '"'],
  ['Bearer ', 'a', ' ='],
  ['curl ', '| ', 'x'],
  ['curl |', 'env ', 'x'],
  ['curl |', '/', 'x'],
  ['curl |', 'env/', 'x'],
  ['`', ' ', 'curl'],
  ['[', '{ ', '"'],
  ['0\t0\n0\n0\tZ', '\t', '\t0'],
  ['data/', 'a', ' '],
  ['{', '${', '{'],
  ['(/', '(/L', ':0:0'],
  ['file:///', 'a:1', ':'],
  ['https://h', '.', ''],
  ['# ', '#', 'a'],
  ['.', 'a', '_'],
  ['', '\\', ''],
  ['', 'do not enter ', 'but'],
];

/** Hundreds of texts that take more than linear time in one badly written pattern or another. */
export const pumps: readonly Pump[] = [
  ...Object.values(pieces)
    .flat()
    .map((piece) => ({ before: '', piece, after: '\u0001' })),
  ...framed.map(([before, piece, after]) => ({ before, piece, after })),
];
