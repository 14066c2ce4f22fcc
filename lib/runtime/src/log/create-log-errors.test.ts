import { describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { errorFields } from './create-log.ts';

const text = (error: unknown) => JSON.stringify(errorFields(error));

describe('the log fields of an error', () => {
  it('are its type, message, stack and code, with its causes', () => {
    const cause = Object.assign(new TypeError('no route'), { code: 'EHOSTUNREACH' });
    const error = Object.assign(new Error('away', { cause }), { code: 14 });
    expect(errorFields(error)).toEqual({
      type: 'Error',
      message: 'away: no route',
      stack: expect.stringMatching(/^Error: away\n {4}at [\s\S]*\ncaused by: TypeError: no route\n {4}at /),
      code: 14,
    });
  });

  it('contain all errors of an AggregateError', () => {
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
  ])('contain nothing of %s', (_, error) => {
    expect(text(error)).not.toContain('private');
  });

  it('name the index of a duplicate key, but not the value', () => {
    const message = 'E11000 duplicate key error collection: a.users index: email dup key: { email: "a {private}@b.c" }';
    const fields = errorFields(new Error('taken', { cause: new Error(message) }));
    expect(fields.message).toBe('taken: E11000 duplicate key error collection: a.users index: email dup key: …');
    expect(fields.stack).toContain('    at ');
    expect(JSON.stringify(fields)).not.toContain('private');
  });
});
