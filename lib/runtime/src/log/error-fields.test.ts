import { describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { errorFields } from './error-fields.ts';

const text = (error: unknown) => JSON.stringify(errorFields(error));

describe('what a log tells of an error', () => {
  it('is its type, message, stack and code, and those of its causes', () => {
    const cause = Object.assign(new TypeError('no route'), { code: 'EHOSTUNREACH' });
    const error = Object.assign(new Error('away', { cause }), { code: 14 });
    expect(errorFields(error)).toEqual({
      type: 'Error',
      message: 'away: no route',
      stack: expect.stringMatching(/^Error: away\n {4}at [\s\S]*\ncaused by: TypeError: no route\n {4}at /),
      code: 14,
    });
  });

  it('is each error of several', () => {
    const error = new AggregateError([Object.assign(new Error('one'), { code: 'A' }), new Error('two')], 'none worked');
    expect(errorFields(error)).toMatchObject({
      type: 'AggregateError',
      errors: [{ message: 'one', code: 'A' }, { message: 'two' }],
    });
  });

  it.each([
    [
      'fields at fault',
      new AppError('INVALID_REQUEST', { errors: [{ path: '/private', code: 'X', detail: 'private' }] }),
    ],
    [
      'documents',
      Object.assign(new Error('x'), { writeErrors: [{ op: 'private' }], result: { insertedIds: ['private'] } }),
    ],
    ['headers', Object.assign(new Error('x'), { metadata: new Headers({ authorization: 'private' }) })],
    ['a code that is no code', Object.assign(new Error('x'), { code: { of: 'private' } })],
    ['any of it in a cause', new Error('x', { cause: Object.assign(new Error('y'), { config: 'private' }) })],
    ['any of it in one of several', new AggregateError([Object.assign(new Error('y'), { config: 'private' })])],
    ['a text that was thrown', 'private'],
    ['an object that was thrown', { message: 'private' }],
  ])('is nothing of %s', (_, error) => {
    expect(text(error)).not.toContain('private');
  });

  it('is the index that has a value already, and not the value', () => {
    const message = 'E11000 duplicate key error collection: a.users index: email dup key: { email: "a {private}@b.c" }';
    const told = errorFields(new Error('taken', { cause: new Error(message) }));
    expect(told.message).toBe('taken: E11000 duplicate key error collection: a.users index: email dup key: …');
    expect(told.stack).toContain('    at ');
    expect(JSON.stringify(told)).not.toContain('private');
  });
});
