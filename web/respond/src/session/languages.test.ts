import { expect, it } from 'vitest';
import { chooseLanguage, directionOf, nameOf } from './languages.ts';

it.each([
  [['en', 'de'], ['de-AT', 'en'], 'de'],
  [['en', 'pt-BR'], ['PT-br'], 'pt-BR'],
  [['de-AT', 'de'], ['de'], 'de'],
  [['en', 'de-AT'], ['de-CH'], 'de-AT'],
  [['en', 'pt-BR'], ['pt_BR'], 'pt-BR'],
  [['en', 'es'], ['es-419'], 'es'],
  [['fr', 'en'], ['ja'], 'fr'],
  [['fr'], [], 'fr'],
  [[], ['de'], 'en'],
])('of %j, a respondent who wants %j gets %s', (offered, wanted, chosen) => {
  expect(chooseLanguage(offered, wanted)).toBe(chosen);
});

it.each([
  ['ar', 'rtl'],
  ['he-IL', 'rtl'],
  ['FA', 'rtl'],
  ['az-Arab', 'rtl'],
  ['az-Arab-IR', 'rtl'],
  ['ar-Latn', 'ltr'],
  ['en', 'ltr'],
  ['', 'ltr'],
])('%s is written %s', (tag, direction) => {
  expect(directionOf(tag)).toBe(direction);
});

it.each([
  ['de', 'Deutsch'],
  ['x-unknown', 'x-unknown'],
  ['not a tag', 'not a tag'],
])('%s is called %s', (tag, name) => {
  expect(nameOf(tag)).toBe(name);
});
