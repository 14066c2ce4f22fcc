import { ApiError } from '@survey/client';
import { expect, it } from 'vitest';
import { isOffline, isTemporary, questionIdOf, toApiError } from './errors.ts';

const failed = (status: number) => new ApiError('failed', { code: 'UNEXPECTED_REPLY', status });

it.each([
  [0, true, true],
  [429, true, false],
  [503, true, false],
  [422, false, false],
  [500, false, false],
])('after status %i, whether a request is repeated is %s', (status, temporary, offline) => {
  expect([isTemporary(failed(status)), isOffline(failed(status))]).toEqual([temporary, offline]);
});

it('an error of the page itself is not repeated', () => {
  const error = toApiError(new TypeError('x is undefined'));
  expect([isTemporary(error), isOffline(error), isTemporary(new TypeError('x'))]).toEqual([false, false, false]);
  expect(toApiError(error)).toBe(error);
});

it.each([
  ['/data/ate', 'ate'],
  ['/data/days/mon', 'days'],
  ['/data/a~1b~0c', 'a/b~c'],
  ['/survey_version', undefined],
])('the path %s is the one of the question %s', (path, id) => {
  expect(questionIdOf(path)).toBe(id);
});
