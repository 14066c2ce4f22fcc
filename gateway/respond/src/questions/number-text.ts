/** Digits with at most one point for decimals. It also matches numbers that are being typed, such as `3.`. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/**
 * The number that a respondent has typed; undefined for an empty text. Returns other texts unchanged, so that the
 * respondent sees the error.
 */
export function readNumber(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return NUMBER.test(trimmed) ? Number(trimmed) : text;
}

/** The text to show for an answer: the one that was typed if it means the same, such as `3.50` for 3.5. */
export function shownText(typed: string, answer: unknown): string {
  if (readNumber(typed) === answer) return typed;
  return answer === undefined ? '' : String(answer);
}
