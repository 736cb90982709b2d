/** Alphabets by their names; letters of any other count as one more. */
const alphabets = new Map([
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Han', /\p{Script=Han}/u],
  ['Hiragana', /\p{Script=Hiragana}/u],
  ['Katakana', /\p{Script=Katakana}/u],
  ['Hangul', /\p{Script=Hangul}/u],
  ['Bopomofo', /\p{Script=Bopomofo}/u],
]);

/** A letter that belongs to alphabets; some marks belong to all. */
const letter = /(?!\p{Script=Common}|\p{Script=Inherited})\p{Letter}/gu;

/** Alphabets that one word of a language has together (UTS 39, 5.2, "highly restrictive"). */
const together: readonly ReadonlySet<string>[] = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Bopomofo']),
  new Set(['Latin', 'Han', 'Hangul']),
];

/** Letters that usual fonts draw like Latin ones, so that a whole name of them can pass for another. */
const latinLooks = /^[-0-9аԁеһіјӏорԛѕԝхуѵысьгпвкмнтӕαεινοορτυχωγκϲօոսհցզ]+$/u;
/** Letters of the Latin alphabet that look like plain ones, small capitals among them. */
const plainLooks = /[ɑɡıɩȷꞁſᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ]/u;

/**
 * What makes a name look like another one, as a sentence: letters of several alphabets in one label, or only letters
 * that look like Latin ones. `readable` is a host without its port, with all alphabets. Undefined for any other name.
 */
export function lookAlikeSentence(readable: string): string | undefined {
  const labels = readable.toLowerCase().split('.');
  // Under a top-level domain in another alphabet, names in that alphabet are no imitations.
  const isLatin = /^[a-z0-9-]*$/.test(labels.at(-1) ?? '');
  for (const label of labels) {
    const found = alphabetsIn(label);
    if (found.size > 1 && !together.some((set) => [...found].every((name) => set.has(name)))) {
      return `The host mixes letters of several alphabets (${[...found].join(', ')}), as imitations of known names do.`;
    }
    const hasOthers = /[^\x20-\x7E]/.test(label);
    if (isLatin && hasOthers && (latinLooks.test(label) || plainLooks.test(label))) {
      return 'The host has letters that look like Latin ones, as imitations of known names do.';
    }
  }
  return undefined;
}

function alphabetsIn(label: string): ReadonlySet<string> {
  const letters = label.match(letter) ?? [];
  return new Set(letters.map((one) => [...alphabets].find(([, isIn]) => isIn.test(one))?.[0] ?? 'another'));
}
