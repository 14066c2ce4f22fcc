import { describe, expect, it } from 'vitest';
import { createToTag } from './document.ts';

const tagsOf = (...languages: readonly string[]) => languages.map(createToTag());

describe('languages of a form', () => {
  it.each([
    ['English (en)', 'en'],
    ['fr', 'fr'],
    ['French', 'fr'],
    ['French (FR)', 'fr'],
    ['English (UK)', 'en-GB'],
    ['English (US)', 'en-US'],
    ['Kurdish (KRI)', 'ku'],
    ['Swedish (SE)', 'sv-SE'],
    ['Tetum (TET)', 'tet'],
    ['Portuguese (pt_BR)', 'pt-BR'],
    ['Klingon!', 'und-x-klingon'],
    ['(', 'und-x-other'],
  ])('%s is %s', (language, tag) => {
    expect(tagsOf(language)).toEqual([tag]);
  });

  it('have a tag each', () => {
    const names = ['Spanish (Spain)', 'Spanish (Mexico)', 'spanish (spain)', 'Language 1', 'Language 2', '語', '話'];
    expect(tagsOf(...names)).toEqual([
      'es',
      'es-x-2',
      'es',
      'und-x-language',
      'und-x-language-2',
      'und-x-other',
      'und-x-other-2',
    ]);
  });

  it('share a tag that both name', () => {
    expect(tagsOf('English (en)', 'en', 'English')).toEqual(['en', 'en', 'en']);
  });

  it('can have names of any length', () => {
    expect(tagsOf(`a${' '.repeat(100_000)}(x`)).toEqual(['und-x-ax']);
  });
});
