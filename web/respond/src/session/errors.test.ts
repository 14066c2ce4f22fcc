import { ApiError } from '@survey/client';
import { expect, it } from 'vitest';
import { isOffline, isRejected, isResponseOver, isTemporary, questionIdOf, toApiError } from './errors.ts';

const failed = (status: number, code: ApiError['code']) => new ApiError('failed', { code, status });

it.each([
  [0, 'CONNECTION_LOST'],
  [408, 'CANCELLED'],
  [429, 'TOO_MANY_REQUESTS'],
  [500, 'INTERNAL'],
  [502, 'UPSTREAM_INVALID'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
  [520, 'UNEXPECTED_REPLY'],
  [524, 'UNEXPECTED_REPLY'],
  [200, 'UNEXPECTED_REPLY'],
  [403, 'UNEXPECTED_REPLY'],
] as const)('after %i %s, the request is repeated', (status, code) => {
  const error = failed(status, code);
  expect([isTemporary(error), isRejected(error), isOffline(error)]).toEqual([true, false, status === 0]);
});

it.each([
  [400, 'INVALID_REQUEST'],
  [403, 'LINK_PASSWORD_WRONG'],
  [409, 'SURVEY_CLOSED'],
  [410, 'LINK_USED_UP'],
  [422, 'INVALID_ANSWERS'],
] as const)('%i %s is a rejection', (status, code) => {
  const error = failed(status, code);
  expect([isTemporary(error), isRejected(error), isOffline(error)]).toEqual([false, true, false]);
});

it.each([
  [409, 'STATE_CONFLICT', true],
  [410, 'RESPONSE_DELETED', true],
  [404, 'RESPONSE_NOT_FOUND', false],
  [409, 'SURVEY_CLOSED', false],
] as const)('whether the response is over after %i %s: %s', (status, code, expected) => {
  expect(isResponseOver(failed(status, code))).toBe(expected);
});

it('an error of the page itself is not repeated', () => {
  const error = toApiError(new TypeError('x is undefined'));
  for (const one of [error, new TypeError('x')])
    expect([isTemporary(one), isRejected(one), isOffline(one)]).toEqual([false, false, false]);
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
