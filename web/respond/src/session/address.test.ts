import { expect, it } from 'vitest';
import { readAddress, readToken } from './address.ts';

it.each([
  ['/s/lunch', { kind: 'link', slug: 'lunch' }],
  ['/s/lunch%C2%BB', { kind: 'link', slug: 'lunch»' }],
  ['/s/lunch%', { kind: 'link', slug: 'lunch%' }],
  ['/s/lunch/', { kind: 'link', slug: 'lunch' }],
  ['/s/surveys', { kind: 'link', slug: 'surveys' }],
  ['/s/surveys/01a2', { kind: 'survey', surveyId: '01a2' }],
  ['/s/', undefined],
  ['/s/lunch/more', undefined],
  ['/console/s/lunch', undefined],
])('the path %s leads to %o', (path, address) => {
  expect(readAddress(path)).toEqual(address);
});

it.each([
  ['#token=abc', 'abc'],
  ['#lang=de&token=a%2Bb', 'a+b'],
  ['', undefined],
  ['#', undefined],
  ['#other', undefined],
])('the fragment %s has the token %s', (fragment, token) => {
  expect(readToken(fragment)).toBe(token);
});
