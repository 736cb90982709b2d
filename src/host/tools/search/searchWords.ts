import { stemmer } from 'stemmer';
import { taskWords } from './taskWords.ts';

/** Words without a meaning of their own, in the languages of `taskWords`. */
const empty = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its just me ' +
    'my near no not of off on or our out over please so some than that the their them then there these they this those ' +
    'through to up us use using was we were what when where which who why will with would you your yet once ' +
    'der die das den dem des ein eine einen einem einer und oder ist sind war bin bist hat hast habe haben ich du er sie es wir ihr mir mich mit von ' +
    'zu zum zur nach im in auf fur bitte mein meine meinen noch schon nicht kann ' +
    'el la los las un una unos y o es son de del al en con por para mi tu su que se lo le me ' +
    'le les des une et ou est sont du dans sur avec pour mon ma mes ton ta son sa ce cette qui que il elle je ' +
    'il lo gli uno e di da nel nella sul con per mio mia che si sono ' +
    'o os as um uma do dos das no na nos nas com meu minha ' +
    'het een en van op in mijn ik je dat die is zijn'
  ).split(' '),
);

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** A text in lower case without accents; words in names such as `getUserById` and `HTTPServer` are separate. */
export function folded(text: string): string {
  return text
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC');
}

/** The words of a text that is folded: of unspaced scripts as a dictionary separates them. */
export function wordsIn(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? [...segmenter().segment(run)].map(({ segment }) => segment) : [run],
  );
}

let segmenterOnce: Intl.Segmenter | undefined;

function segmenter(): Intl.Segmenter {
  segmenterOnce ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return segmenterOnce;
}

/** The stem of a word as it is searched; undefined for a word without a meaning of its own. */
export function stemOf(word: string): string | undefined {
  return empty.has(word) ? undefined : stemmer(word);
}

/** One thing that a query asks for: a word of it, or what it may mean instead. */
export interface SearchWord {
  /** As it was typed, without accents; undefined if only a phrase led to it. */
  readonly stem: string | undefined;
  /** The stems of words for the same, which count less. */
  readonly others: readonly string[];
}

interface Group {
  /** Stems of the words that tools use. */
  readonly written: readonly string[];
  readonly words: ReadonlySet<string>;
  readonly beginnings: readonly string[];
  readonly phrases: readonly string[];
}

let groupsOnce: readonly Group[] | undefined;

/** The shortest entry that other words may begin with, and the longest ending of these, if the entry isn't longer. */
const MIN_BEGINNING = 5;
const MAX_ENDING = 4;

function groups(): readonly Group[] {
  groupsOnce ??= taskWords.map(({ written, said }) => {
    const words = said.filter((one) => !/[^\p{L}\p{N}]/u.test(one) && !UNSPACED.test(one));
    return {
      written: written.map((one) => stemmer(one)),
      words: new Set([...words, ...words.map((one) => stemmer(one))]),
      beginnings: words.filter(({ length }) => length >= MIN_BEGINNING),
      phrases: said.filter((one) => !words.includes(one)),
    };
  });
  return groupsOnce;
}

/** What a query asks for: each of its words once, with words for the same; and what its phrases mean. */
export function searchWords(query: string): readonly SearchWord[] {
  const text = folded(query);
  const words = [...new Set(wordsIn(text))].flatMap((word) => {
    const stem = stemOf(word);
    return stem === undefined ? [] : [{ word, stem }];
  });
  const found = new Map<string, Set<string>>(words.map(({ stem }) => [stem, new Set()]));
  const ofPhrases: SearchWord[] = [];
  const spaced = ` ${wordsIn(text).join(' ')} `;
  for (const group of groups()) {
    for (const { word, stem } of words) {
      if (group.written.includes(stem) || isSaid(group, word, stem)) {
        group.written.filter((one) => one !== stem).forEach((one) => found.get(stem)?.add(one));
      }
    }
    if (group.phrases.some((phrase) => isPhraseIn(phrase, text, spaced))) {
      ofPhrases.push({ stem: undefined, others: group.written });
    }
  }
  return [...[...found].map(([stem, others]) => ({ stem, others: [...others] })), ...ofPhrases];
}

function isSaid({ words, beginnings }: Group, word: string, stem: string): boolean {
  return (
    words.has(word) ||
    words.has(stem) ||
    beginnings.some(
      (one) => word.startsWith(one) && word.length - one.length <= Math.max(MAX_ENDING, one.length),
    )
  );
}

function isPhraseIn(phrase: string, text: string, spaced: string): boolean {
  return UNSPACED.test(phrase) || !/\p{L}/u.test(phrase)
    ? text.includes(phrase)
    : spaced.includes(` ${wordsIn(phrase).join(' ')} `);
}
