import { readNumber } from '@survey/questionnaire';

/**
 * The answer of a respondent who has typed a number: its normal form, undefined for an empty text. Returns other texts
 * unchanged, so that the respondent sees the error.
 */
export function readText(typed: string, language: string): string | undefined {
  return typed.trim() === '' ? undefined : (readNumber(typed, language) ?? typed);
}

/** The same for a rating, whose answer is a number. */
export function readRating(typed: string, language: string): number | string | undefined {
  const number = readNumber(typed, language);
  return number === undefined ? readText(typed, language) : Number(number);
}

/** The text to show for an answer: the one that was typed if it means the same, such as `3.50` for 3.5. */
export function shownText(typed: string, answer: unknown, read: (typed: string) => unknown): string {
  if (read(typed) === answer) return typed;
  return answer === undefined ? '' : String(answer);
}

/** The number that was understood, if it was typed with another sign for decimals: as the language writes it, and `36.6`. */
export function understoodNumber(typed: string, language: string): readonly [local: string, plain: string] | undefined {
  const number = readNumber(typed, language);
  if (number === undefined || !/[,\u066b\uff0c]/.test(typed)) return undefined;
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: false });
  return [format.format(Number(number)), number];
}
