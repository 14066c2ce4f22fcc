import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBrowserPatternCompiler } from './browser-pattern.ts';
import { createPatternCompiler } from './pattern.ts';

const PATTERNS = [
  '^[A-Z]{2}[0-9]{4}$',
  '^[^@]+@[^@]+\\.[a-z]{2,8}$',
  '(?i)refund|cancel|broken',
  "^[\\p{L}' -]{1,100}$",
  '^\\pL+$',
  '\\Q1+1=2?\\E',
  '^[[:alpha:]_]+$',
  '^[]a]+$',
  '^[^]a(]+$',
  '(?P<year>\\d{4})-\\d\\d',
  'a{,2}',
  '{}',
  'a\\-b\\@c',
  '^a.c$',
  '(?s)^a.c$',
  '(?m)^b$',
  '\\Aab\\z',
  '^\\s+$',
  '^[\\s,]+$',
  '^\\S+$',
  '^\\x{1F600}$',
  '^\\p{Greek}+$',
  '^(?:a|b|)+c$',
  '\\bcat\\b',
];
const TEXTS = [
  '',
  'a',
  'abc',
  'AB1234',
  'a@b.co',
  'REFUND',
  "Zoë O'Neil",
  '1+1=2?',
  'x_y',
  ']a',
  'b(',
  '2026-11',
].concat([
  'a{,2}',
  '{}',
  'a-b@c',
  'a\nc',
  'a\rc',
  'a\u2028c',
  'a\nb',
  'ab',
  ' \t\v',
  ' ,',
  '\u00a0',
  '😀',
  'αβγ',
  'the cat.',
]);

const browser = createBrowserPatternCompiler();
const server = createPatternCompiler();

function results(pattern: string, compile: typeof server) {
  const test = compile(pattern, 100);
  return typeof test === 'function' ? TEXTS.filter(test) : 'fault';
}

describe('a pattern in a browser', () => {
  it.each(PATTERNS)('matches like on the server: %s', (pattern) => {
    expect(results(pattern, browser)).toEqual(results(pattern, server));
  });

  it.each(['(?=a)', '(?!a)', '(?<=a)b', '(a)\\1'])('has a fault as on the server: %s', (pattern) => {
    expect([results(pattern, browser), results(pattern, server)]).toEqual(['fault', 'fault']);
  });

  it.each(['(?i:a)b(?U)', '[^\\S]', '[[:^alpha:]]'])(
    'accepts every text if RegExp cannot express it: %s',
    (pattern) => {
      expect(results(pattern, browser)).toEqual(TEXTS);
    },
  );

  it('rejects no text that the server accepts', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '\\w',
      '[ab]',
      '[^a]',
      '(a|b)',
      '-',
      '\\.',
      '{',
      ']',
      '\\s',
      'é',
    );
    const quantified = fc.tuple(part, fc.constantFrom('', '', '*', '+?', '{1,2}')).map((both) => both.join(''));
    const pattern = fc.array(quantified, { minLength: 1, maxLength: 6 }).map((parts) => `^${parts.join('')}$`);
    const text = fc.string({ unit: fc.constantFrom(...'ab1-. é{]\n'), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        const [one, other] = [createBrowserPatternCompiler()(source, 10), createPatternCompiler()(source, 10)];
        if (typeof one !== 'function' || typeof other !== 'function') return;
        expect(one(given)).toBe(other(given));
      }),
      { numRuns: 300 },
    );
  });
});
