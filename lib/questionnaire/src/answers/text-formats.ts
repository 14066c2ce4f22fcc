import { hasInvisible, toNumberText } from './normal-form.ts';

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const INTEGER = /^[+-]?\d+$/;

/** Formats of a one-line text. The expressions have no nested repetition, so they run in linear time. */
export const TEXT_FORMATS = {
  /** A local part and a domain with a dot (RFC 5321 sizes); letters of any script (RFC 6531). */
  email: (text: string): boolean => text.length <= 254 && EMAIL.test(text) && !hasInvisible(text),
  /** An absolute http or https URL (WHATWG URL). */
  url: (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) && !hasInvisible(text),
  /** 5 to 15 digits (E.164 allows 15), with the usual punctuation and a leading plus. */
  phone: (text: string): boolean => /^\+?[0-9 ()./-]+$/.test(text) && isBetween(text.replace(/\D/g, '').length, 5, 15),
  /** A decimal number with a point; an exponent as in JSON (RFC 8259, section 6) may follow. */
  number: (text: string): boolean => NUMBER.test(text),
  integer: (text: string): boolean => INTEGER.test(text),
} as const satisfies Record<string, (text: string) => boolean>;

export type TextFormat = keyof typeof TEXT_FORMATS;

/** The formats as patterns. The checks of addresses are stricter. */
export const TEXT_FORMAT_PATTERNS: Readonly<Record<TextFormat, string>> = {
  email: EMAIL.source,
  url: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$',
  phone: '^\\+?(?:[ ()./-]*[0-9]){5,15}[ ()./-]*$',
  number: NUMBER.source,
  integer: INTEGER.source,
};

/** The names of all formats. The cast is safe: the object has no other members. */
export const TEXT_FORMAT_NAMES = Object.keys(TEXT_FORMATS) as readonly TextFormat[];

/**
 * Reads a number that a respondent has typed, as `validateAnswers` reads texts with a number format: in the digits of
 * any script, and with a decimal comma if the language writes one. Returns its text for an answer to such a question;
 * `Number(text)` is the answer to a rating. Returns undefined for other texts.
 *
 * @param language language tag of the respondent
 */
export function readNumber(text: string, language?: string): string | undefined {
  const number = toNumberText(text, language);
  return TEXT_FORMATS.number(number) ? number : undefined;
}

function isBetween(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}
