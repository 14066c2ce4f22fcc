/** Nothing below U+0300 changes under form C (UAX #15); most texts need no more than this look. */
const COMBINING_OR_BEYOND = /[\u0300-\uffff]/;

/** A text as it is stored and compared: Unicode normalisation form C (UAX #15). */
export const toNfc = (text: string): string => (COMBINING_OR_BEYOND.test(text) ? text.normalize('NFC') : text);

/** A character that can be seen: no white space, no control or format character, nothing that is drawn as a blank. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether nothing of a text can be seen: it is empty, or has only white space and zero-width characters. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** The length in code points, which is what limits of texts count; the text must be well-formed. */
export const codePointLength = (text: string): number => {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      length--;
      index++;
    }
  }
  return length;
};
