import { describe, expect, it } from 'vitest';
import { createResponseLanguages } from './response-language.ts';
import { createWarnOnce } from './warn-once.ts';

describe('the language of a response', () => {
  it.each([
    ['de-ch', { language: 'de-CH', metadata: {} }, 0],
    ['', { language: undefined, metadata: {} }, 0],
    [undefined, { language: undefined, metadata: {} }, 0],
    ['de', { language: undefined, metadata: { language: 'de' } }, 1],
    ['constructor', { language: undefined, metadata: { language: 'constructor' } }, 1],
  ])('%s is a declared language, or goes to the metadata', (given, expected, warnings) => {
    const codes: string[] = [];
    const payload = { survey: { supported_languages: ['en', 'de-CH', 7] } };
    const languageOf = createResponseLanguages(
      payload,
      createWarnOnce(({ code }) => codes.push(code)),
    );
    languageOf(given);
    expect(languageOf(given)).toEqual(expected);
    expect(codes).toEqual(Array.from({ length: warnings }, () => 'UNDECLARED_LANGUAGE'));
  });
});
