import type { JsonValue } from '@bufbuild/protobuf';
import { normalize } from '@survey/questionnaire/answers/plain-text';

/** Only this many characters of a word are compared. */
const MAX_WORD = 64;
/** Only this many characters of a title, in all languages together, are indexed. */
const MAX_TITLE = 20_000;
/** Maximum number of prefixes of a title in all languages. Later words are not found. */
const MAX_PREFIXES = 2_000;

const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/u;
/** Accents, and points as in Hebrew. Vowel signs, as in Hindi, stay: they are part of the word. */
const DIACRITICS = /[\p{M}&&\p{Diacritic}]/gv;

/** The unique words of a text, without case and accents. In scripts without spaces, words are found by a dictionary. */
export function wordsOf(text: string): readonly string[] {
  const segments = new Intl.Segmenter('und', { granularity: 'word' }).segment(fold(text));
  const words = Array.from(segments, ({ segment }) => segment.split(NOT_A_WORD)).flat();
  return [...new Set(words.filter((word) => word !== '').map((word) => Array.from(word).slice(0, MAX_WORD).join('')))];
}

/** All prefixes of the words of a title in all languages, for searching. */
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

/** Upper case first, so ß becomes ss. */
function fold(text: string): string {
  const folded = normalize(text, 'NFKD').replace(DIACRITICS, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return normalize(folded, 'NFKD');
}

/** The texts of a title in all languages. */
function textsOf(title: JsonValue | undefined): readonly string[] {
  const texts = typeof title === 'object' && title !== null ? Object.values(title) : [title];
  return texts.filter((text) => typeof text === 'string');
}
