import type { JsonValue } from '@bufbuild/protobuf';

/** Words are told apart by this much of them, in characters. */
const MAX_WORD = 64;
/** What of a title is looked at, in characters: a definition may have a megabyte of it. */
const MAX_TITLE = 20_000;
/** When so many beginnings are kept of a title in all its languages, words after that are not found. */
const MAX_PREFIXES = 2_000;

const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/u;
/** Accents, points and the like; vowel signs are letters of their own and stay. */
const DIACRITICS = /[\p{M}&&\p{Diacritic}]/gv;

/**
 * The words of a text, each once, without what case and accents make of them. Where a script has no spaces, a
 * dictionary tells its words.
 */
export function wordsOf(text: string): readonly string[] {
  const segments = new Intl.Segmenter('und', { granularity: 'word' }).segment(fold(text));
  const words = Array.from(segments, ({ segment }) => segment.split(NOT_A_WORD)).flat();
  return [...new Set(words.filter((word) => word !== '').map((word) => Array.from(word).slice(0, MAX_WORD).join('')))];
}

/** Every beginning of every word of a title, in all of its languages: a word is looked for by being among them. */
export function titlePrefixes(title: JsonValue | undefined): readonly string[] {
  const prefixes = new Set<string>();
  for (const word of wordsOf(textsOf(title).join('\n').slice(0, MAX_TITLE))) {
    let prefix = '';
    for (const character of word) {
      prefix += character;
      prefixes.add(prefix);
    }
    if (prefixes.size >= MAX_PREFIXES) break;
  }
  return [...prefixes];
}

/** Case goes by way of the upper one, which also brings ß to ss. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(DIACRITICS, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKD');
}

/** A title is a text, or an object of language to text. */
function textsOf(title: JsonValue | undefined): readonly string[] {
  const texts = typeof title === 'object' && title !== null ? Object.values(title) : [title];
  return texts.filter((text) => typeof text === 'string');
}
