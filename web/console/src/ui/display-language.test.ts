import { expect, it } from 'vitest';
import { chooseLanguage } from './display-language.ts';

it.each([
  [['de', 'en'], ['en-US', 'en'], 'en'],
  [['de', 'en', 'EN-us'], ['en-US'], 'EN-us'],
  [['de', 'en-GB'], ['en-US'], 'en-GB'],
  [['de', 'zh-Hans'], ['zh-Hans-CN'], 'zh-Hans'],
  [['de', 'fr'], ['en-US', 'fr-CH'], 'fr'],
  [['de', 'eng'], ['en'], 'de'],
  [['de'], [], 'de'],
  [[], ['en-US'], 'en-US'],
])('of the languages %j, viewers of %j get %s', (declared, preferred, language) => {
  expect(chooseLanguage(declared, preferred)).toBe(language);
});
