import { foldTag } from '../definition/language-tag.ts';
import { isBlank, WITHOUT_GLYPH } from './plain-text.ts';

/**
 * The normal form of what respondents type, which is checked and stored. Server, page and package use these functions.
 * Each result is its own normal form.
 */

/** Spaces of all widths and tabs, but no line breaks: a text of one line must not have them anywhere. */
const BLANKS_AROUND = /^[\p{Zs}\t\ufeff]+|(?<![\p{Zs}\t\ufeff])[\p{Zs}\t\ufeff]+$/gu;
/** Characters that `isBlank` ignores, apart from white space. */
const INVISIBLE = new RegExp(String.raw`(?!\s)[${WITHOUT_GLYPH}]`, 'u');
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu');
/** They change the character before them: joiners, variation selectors, and the tags of flags. */
const CHANGES_LAST = /\p{Join_Control}|\p{Variation_Selector}|[\u{e0020}-\u{e007f}]/u;
const PRINTABLE_ASCII = /^[!-~]*$/;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;
const DIGIT = /\p{Nd}/u;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
const ARABIC_DECIMAL_SEPARATOR = /\u066b/g;
const DECIMAL_COMMA = /^[^.,]*,[^.,]*$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A free text of one line, without surrounding blanks. */
export function trimLine(text: string): string {
  return text.replace(BLANKS_AROUND, '');
}

/** A mail or web address, without surrounding blanks and invisible characters. */
export function trimAddress(text: string): string {
  return trimAround(text, isBlank);
}

/** The respondent's own text of an option, without surrounding blanks and invisible characters. */
export function trimOwnText(text: string): string {
  return trimAround(text, (character) => isBlank(character) && !CHANGES_LAST.test(character));
}

export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

/** A phone number, date or time: ASCII digits, dashes and spaces, without invisible characters. */
export function toAscii(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text
    .replace(ALL_INVISIBLE, '')
    .replace(/\s/g, ' ')
    .trim()
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(OTHER_DIGITS, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)))
    .replace(DASHES, '-');
}

/**
 * A number as JSON writes it, apart from zeros and a plus at its beginning. Other texts are returned in ASCII. A comma
 * is a decimal point only in languages that write one, if there is no other comma and no point.
 *
 * @param language language tag of the respondent, if known
 */
export function toNumberText(text: string, language: string | undefined): string {
  const plain = toAscii(text).replace(ARABIC_DECIMAL_SEPARATOR, '.');
  const number = DECIMAL_COMMA.test(plain) && writesComma(language) ? plain.replace(',', '.') : plain;
  if (!DECIMAL.test(number)) return plain;
  return number.replace(/^([+-]?)\./, '$10.').replace(/\.(?=$|[eE])/, '');
}

/** `trim` with other characters. A regular expression would take quadratic time. */
function trimAround(text: string, isDroppedAtEnd: (character: string) => boolean): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  const characters = Array.from(text);
  let [start, end] = [0, characters.length];
  while (start < end && isBlank(characters[start] ?? '')) start += 1;
  while (start < end && isDroppedAtEnd(characters[end - 1] ?? '')) end -= 1;
  return start === 0 && end === characters.length ? text : characters.slice(start, end).join('');
}

/** Unicode has the ten digits of each script in a row, and the next ten directly after them or elsewhere. */
function digitValue(codePoint: number): number {
  let first = codePoint;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return (codePoint - first) % 10;
}

function writesComma(language = ''): boolean {
  const tag = foldTag(language);
  try {
    // For a language that it does not know, `NumberFormat` uses the one of the machine.
    if (Intl.NumberFormat.supportedLocalesOf(tag).length === 0) return false;
    return new Intl.NumberFormat(tag).formatToParts(0.5).some((part) => part.type === 'decimal' && part.value === ',');
  } catch {
    return false; // not a language tag
  }
}
