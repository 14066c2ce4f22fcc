/** Punctuation that follows an address in a sentence, and can be taken for a part of it. */
const AFTER_ADDRESS = /[.,;:!?)\]}>"'\u2019\u201d\u00bb]+$/;

/**
 * The id or slug in an address that a person typed from a poster, or clicked in a mail: in lower case, without
 * punctuation at the end. Ids and slugs have neither capitals nor punctuation, so no other address is lost.
 */
export function asAddressed(text: string): string {
  return text.toLowerCase().replace(AFTER_ADDRESS, '');
}
