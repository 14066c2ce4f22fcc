/** Texts below U+0300 are always in form C (UAX #15), so most texts need no normalisation. */
const COMBINING_OR_BEYOND = /[\u0300-\uffff]/;

/** More combining marks on one letter than any language has (UAX #15, section 12). */
const MANY_MARKS = /\p{M}{31}/u;

/**
 * Normalises a text (UAX #15). A text with more than 30 combining marks in a row stays as it is: sorting them takes
 * quadratic time, which is minutes for a text of 1 MB.
 */
export function normalize(text: string, form: 'NFC' | 'NFKD'): string {
  return MANY_MARKS.test(text) ? text : text.normalize(form);
}

/** Normalises a text to form C, in which texts are stored and compared. */
export function toNfc(text: string): string {
  return COMBINING_OR_BEYOND.test(text) ? normalize(text, 'NFC') : text;
}

/** Format and control characters, and others without a glyph, for a character class. */
export const WITHOUT_GLYPH = String.raw`\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
/** A visible character: neither white space nor without a glyph. */
const VISIBLE = new RegExp(String.raw`[^\s${WITHOUT_GLYPH}]`, 'u');

/** Whether a text has no visible character. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** The length in code points. The text must be well-formed. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      length--;
      index++;
    }
  }
  return length;
}
