import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLanguageTag, LANGUAGE_TAG } from './language-tag.ts';

function isKnownToIntl(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

describe('LANGUAGE_TAG', () => {
  it('matches what Intl accepts, apart from repeated subtags', () => {
    const letters = fc.constantFrom(...'aTuX19');
    const subtag = fc.oneof(
      fc.constantFrom(
        'en',
        'de',
        'Latn',
        'US',
        '419',
        '1996',
        'u',
        't',
        'x',
        'a',
        '9',
        'ca',
        'h0',
        'hybrid',
        'gregory',
      ),
      fc.string({ unit: letters, maxLength: 9 }),
    );
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.uniqueArray(subtag, { minLength: 1, maxLength: 6, selector: (one) => one.toLowerCase() }),
        (subtags) => {
          const tag = subtags.join('-');
          const isAccepted = isKnownToIntl(tag);
          if (isAccepted) accepted += 1;
          expect(LANGUAGE_TAG.test(tag), tag).toBe(isAccepted);
        },
      ),
      { numRuns: 3_000, seed: 1 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('may repeat a subtag, which Intl rejects', () => {
    expect(LANGUAGE_TAG.test('de-1996-1996')).toBe(true);
    expect(isLanguageTag('de-1996-1996')).toBe(false);
  });
});
