import { describe, expect, it } from 'vitest';
import { chooseLanguage, fromChangedLocalTime, fromLocalTime, toLocalTime } from './format.tsx';

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

describe('local times', () => {
  it('converts there and back in any time zone', () => {
    const time = '2031-07-04T05:06:00.000Z';
    expect(toLocalTime(time)).toMatch(/^2031-07-0[345]T\d\d:\d\d$/);
    expect(fromLocalTime(toLocalTime(time))).toBe(time);
  });

  it('keeps empty fields empty', () => {
    expect([toLocalTime(undefined), fromLocalTime('')]).toEqual(['', undefined]);
  });

  it('keeps the seconds of an unchanged field', () => {
    const time = '2031-07-04T05:06:07.890Z';
    expect(fromChangedLocalTime(toLocalTime(time), time)).toBe(time);
    expect(fromChangedLocalTime('', time)).toBeUndefined();
    expect(fromChangedLocalTime(toLocalTime('2032-01-01T00:00:00Z'), time)).toBe('2032-01-01T00:00:00.000Z');
  });
});
