import type { JsonValue } from '@bufbuild/protobuf';
import { normalize } from '@survey/questionnaire/answers/plain-text';
import { AppError } from '@survey/runtime/errors/app-error';
import type { PageQuery } from '@survey/runtime/mongo/page';
import type { SurveyStatus } from './survey.ts';

/** A query for surveys of a tenant. All filters must match. */
export interface SurveyListQuery extends PageQuery {
  readonly status: SurveyStatus | undefined;
  readonly projectId: string | undefined;
  /** Prefixes of words in the title; empty matches all. */
  readonly titleWords: readonly string[];
  readonly createdAt: TimeRange;
  /** If a limit is given, the list is sorted by this time. */
  readonly updatedAt: TimeRange;
  /** Whether to list deleted surveys instead of surveys that are not deleted. */
  readonly deleted: boolean;
}

/** `since` is inclusive, `until` exclusive. */
export interface TimeRange {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

/**
 * Returns the words of a search text. The longest come first, because they are probably the rarest (see
 * `sortByRarity`). Throws `INVALID_REQUEST` if the text has no words.
 */
export function toTitleWords(q: string): readonly string[] {
  const words = wordsOf(q);
  if (words.length === 0) {
    const problem = { path: '/q', code: 'NO_WORD', detail: 'must contain a letter or a digit' };
    throw new AppError('INVALID_REQUEST', { detail: 'The query parameter q is not valid', errors: [problem] });
  }
  // A word that is a prefix of another word does not narrow the search.
  return words
    .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
    .toSorted((one, other) => other.length - one.length);
}

/** Only this many characters of a word are compared. */
const MAX_WORD_LENGTH = 64;
/** Only this many characters of a title, in all languages together, are indexed. */
const MAX_INDEXED_LENGTH = 20_000;
/** After this many prefixes of a title, in all languages together, no further word is indexed. */
const MAX_PREFIXES = 2_000;

const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/u;
/** Accents, and points as in Hebrew. Vowel signs as in Hindi are no diacritics here. */
const DIACRITICS = /[\p{M}&&\p{Diacritic}]/gv;

/** The unique words of a text, without case and accents. In scripts without spaces, words are found by a dictionary. */
export function wordsOf(text: string): readonly string[] {
  const segments = new Intl.Segmenter('und', { granularity: 'word' }).segment(fold(text));
  const words = Array.from(segments, ({ segment }) => segment.split(NOT_A_WORD)).flat();
  return [
    ...new Set(words.filter((word) => word !== '').map((word) => Array.from(word).slice(0, MAX_WORD_LENGTH).join(''))),
  ];
}

/** The prefixes of the words of a title in all languages, for searching. */
export function titlePrefixes(title: JsonValue | undefined): readonly string[] {
  const prefixes = new Set<string>();
  for (const word of wordsOf(textsOf(title).join('\n').slice(0, MAX_INDEXED_LENGTH))) {
    let prefix = '';
    for (const character of word) {
      prefix += character;
      prefixes.add(prefix);
    }
    if (prefixes.size >= MAX_PREFIXES) break;
  }
  return [...prefixes];
}

/** Removes accents and case. Upper case comes first, so that ß becomes ss. Lower case has two kinds of sigma. */
function fold(text: string): string {
  return normalize(text, 'NFKD').replace(DIACRITICS, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

function textsOf(title: JsonValue | undefined): readonly string[] {
  const texts = typeof title === 'object' && title !== null ? Object.values(title) : [title];
  return texts.filter((text) => typeof text === 'string');
}
