import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titlePrefixes, wordsOf } from './survey-list.ts';

const isFound = (query: string, title: Parameters<typeof titlePrefixes>[0]) => {
  const prefixes = new Set(titlePrefixes(title));
  return wordsOf(query).every((word) => prefixes.has(word));
};

describe('wordsOf', () => {
  it.each([
    ['Lunch in the canteen', ['lunch', 'in', 'the', 'canteen']],
    ['Lunch, LUNCH; lunch!', ['lunch']],
    ['Café Müller', ['cafe', 'muller']],
    ['STRASSE Straße', ['strasse']],
    ['Σοφός ΣΟΦΟΣ', ['σοφοσ']],
    ['İstanbul', ['istanbul']],
    ['ﬁne ① Ⅳ', ['fine', '1', 'iv']],
    ["l'été d’or", ['l', 'ete', 'd', 'or']],
    ['survey_2024 v1.2 a/b-c', ['survey', '2024', 'v1', '2', 'a', 'b', 'c']],
    ['顧客満足度調査', ['顧客', '満足', '度', '調査']],
    ['ความพึงพอใจ', ['ความ', 'พึง', 'พอใจ']],
    ['', []],
    [' \t\n', []],
    ['!? 🎉 ---', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('folds case and accents', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(wordsOf(text.normalize('NFC'))).toEqual(wordsOf(text.normalize('NFD')));
      }),
    );
  });

  it('keeps vowel signs', () => {
    expect(new Set(wordsOf('कि की कु')).size).toBe(3);
  });
});

describe('titlePrefixes', () => {
  it.each([
    ['lunch', 'Lunch in the canteen'],
    ['LUN can', 'Lunch in the canteen'],
    ['canteen lunch', 'Lunch in the canteen'],
    ['mitt', { en: 'Lunch', de: 'Mittagessen' }],
    ['lunch mittag', { en: 'Lunch', de: 'Mittagessen' }],
    ['満足', '顧客満足度調査'],
    ['tag', { en: 'Lunch', de: 'Tag für Tag' }],
    ['kundenzufriedenheitsumfrage', 'Kundenzufriedenheitsumfrage 2024'],
    ['x'.repeat(200), 'x'.repeat(300)],
  ])('by %j: %j', (query, title) => {
    expect(isFound(query, title)).toBe(true);
  });

  it.each([
    ['unch', 'Lunch in the canteen'],
    ['lunch dinner', 'Lunch in the canteen'],
    ['en', { en: 'Lunch', de: 'Mittagessen' }],
    ['lunch', ['Lunch'].length],
    ['lunch', null],
    ['lunch', undefined],
  ])('not by %j: %j', (query, title) => {
    expect(isFound(query, title)).toBe(false);
  });

  it('find a title by prefixes of its words', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcäéßÎΣж1'), minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.nat(79)), { minLength: 1, maxLength: 8 }), (words) => {
        const title = words.map(([text]) => text).join(' ');
        const query = words.map(([text, length]) => text.slice(0, length + 1)).join(' ');
        expect(isFound(query, title)).toBe(true);
      }),
    );
  });

  it('are limited in number', () => {
    const title = Array.from({ length: 100_000 }, (_, n) => `word${n}`).join(' ');
    const prefixes = titlePrefixes({ en: `first ${title}`, de: title });
    expect(prefixes.length).toBeLessThan(2_064);
    expect(isFound('first word0', { en: `first ${title}` })).toBe(true);
  });
});
