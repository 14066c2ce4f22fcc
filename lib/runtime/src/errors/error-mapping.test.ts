import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { AppError } from './app-error.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import { fromConnectError, toAppError, toConnectError } from './error-mapping.ts';

describe('toAppError', () => {
  it('returns our own errors unchanged', () => {
    const error = new AppError('SURVEY_CLOSED');
    expect(toAppError(error)).toBe(error);
  });

  it.each([new Error('inside'), 'inside', undefined, { inside: true }])(
    'makes INTERNAL of %s and keeps it as the cause',
    (thrown) => {
      const error = toAppError(thrown);
      expect([error.code, error.status, error.cause]).toEqual(['INTERNAL', 500, thrown]);
      expect(error.message).not.toContain('inside');
    },
  );
});

describe('an error over gRPC', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])('arrives as %s', (code) => {
    expect(fromConnectError(toConnectError(new AppError(code))).code).toBe(code);
  });

  it('arrives with its text, fields and retry delay', () => {
    const errors = [{ path: '/a', code: 'X', detail: 'is wrong' }];
    const sent = new AppError('OVERLOADED', { detail: 'Too much', errors, retryAfterSeconds: 3 });
    const arrived = fromConnectError(toConnectError(sent));
    expect(arrived).toMatchObject({ code: 'OVERLOADED', message: 'Too much', errors, retryAfterSeconds: 3 });
  });

  it.each([
    [Code.Unavailable, 'UNAVAILABLE'],
    [Code.DeadlineExceeded, 'DEADLINE_EXCEEDED'],
    [Code.Canceled, 'CANCELLED'],
    [Code.ResourceExhausted, 'MESSAGE_TOO_LARGE'],
    [Code.Unknown, 'INTERNAL'],
    [Code.NotFound, 'INTERNAL'],
  ] as const)('that gRPC itself made, status %i, becomes %s without its text', (status, code) => {
    const error = fromConnectError(new ConnectError('inside', status));
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('inside');
  });
});
