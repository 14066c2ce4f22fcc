import { describe, expect, it } from 'vitest';
import { titleOf } from './survey.ts';

describe('titleOf', () => {
  it.each([
    [{ title: 'Lunch', supported_languages: ['en'] }, 'Lunch'],
    [{ title: { de: 'Mittag', en: 'Lunch' }, supported_languages: ['de', 'en'] }, 'Mittag'],
    [{ title: { en: 'Lunch' }, supported_languages: ['de'] }, 'Lunch'],
    [{ title: { en: 'Lunch', pt_BR: 'Almoço' }, supported_languages: ['pt-BR', 'en'] }, 'Almoço'],
    [{ supported_languages: ['en'] }, ''],
    [{ title: '😀'.repeat(2_000), supported_languages: ['en'] }, '😀'.repeat(1_000)],
  ])('of %j', (definition, expected) => {
    expect(titleOf({ definition })).toBe(expected);
  });
});
