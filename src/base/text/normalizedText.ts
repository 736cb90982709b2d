/** Letters of other alphabets, and signs, that pass for Latin ones in a word. */
const looks = new Map(
  Object.entries({
    a: 'аαɑᴀ@',
    b: 'вβʙ',
    c: 'сϲᴄ',
    d: 'ԁᴅ',
    e: 'еεҽᴇ',
    f: 'ꜰ',
    g: 'ɡցɢ',
    h: 'һнհʜ',
    i: 'іιıɪ',
    j: 'јᴊ',
    k: 'кκᴋ',
    l: 'ӏʟ',
    m: 'мᴍ',
    n: 'ոηɴ',
    o: 'оοօσᴏ0',
    p: 'рρᴘ',
    q: 'ԛզ',
    r: 'гʀ',
    s: 'ѕꜱ$',
    t: 'тτᴛ',
    u: 'υսᴜ',
    v: 'ѵνᴠ',
    w: 'ԝωᴡ',
    x: 'хχ',
    y: 'уүγʏ',
    z: 'ᴢ',
  }).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);

/**
 * A text as words are compared: in lower case, without invisible characters and accents, and with the plain form of
 * letters that are wide, small or circled.
 */
export function normalizedText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase();
}

/** A normalized text with Latin letters in place of those that look like them. */
export function latinText(normalized: string): string {
  return normalized.replaceAll(/[^a-z ]/gu, (letter) => looks.get(letter) ?? letter);
}
