import { LIMITS } from '../limits.ts';

/** Whether a value is a well-formed BCP 47 language tag (RFC 5646, section 2.1) of limited length. */
export const isLanguageTag = (value: unknown): value is string => {
  if (typeof value !== 'string' || value.length > LIMITS.languageTag) return false;
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    // Intl throws a RangeError for invalid tags.
    return false;
  }
};
