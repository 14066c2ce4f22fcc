import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { AppError } from './app-error.ts';
import { fromConnectError, toAppError, toConnectError } from './error-mapping.ts';
import { type Reason, reasons } from './reasons.ts';

describe('toAppError', () => {
  it('returns our own errors unchanged', () => {
    const error = new AppError('SURVEY_CLOSED');
    expect(toAppError(error)).toBe(error);
  });

  it.each([new Error('inside'), 'inside', undefined, { inside: true }])(
    'makes INTERNAL of %s and keeps it as the cause',
    (thrown) => {
      const error = toAppError(thrown);
      expect([error.reason, error.status, error.cause]).toEqual(['INTERNAL', 500, thrown]);
      expect(error.message).not.toContain('inside');
    },
  );
});

describe('an error over gRPC', () => {
  it.each(Object.keys(reasons) as Reason[])('arrives as %s', (reason) => {
    expect(fromConnectError(toConnectError(new AppError(reason))).reason).toBe(reason);
  });

  it('arrives with its text, fields and retry delay', () => {
    const errors = [{ path: '/a', code: 'X', detail: 'is wrong' }];
    const sent = new AppError('OVERLOADED', { detail: 'Too much', errors, retryAfterSeconds: 3 });
    const arrived = fromConnectError(toConnectError(sent));
    expect(arrived).toMatchObject({ reason: 'OVERLOADED', message: 'Too much', errors, retryAfterSeconds: 3 });
  });

  it.each([
    [Code.Unavailable, 'UNAVAILABLE'],
    [Code.DeadlineExceeded, 'DEADLINE_EXCEEDED'],
    [Code.Canceled, 'CANCELLED'],
    [Code.ResourceExhausted, 'MESSAGE_TOO_LARGE'],
    [Code.Unknown, 'INTERNAL'],
    [Code.NotFound, 'INTERNAL'],
  ] as const)('that gRPC itself made, status %i, becomes %s without its text', (code, reason) => {
    const error = fromConnectError(new ConnectError('inside', code));
    expect(error.reason).toBe(reason);
    expect(error.message).not.toContain('inside');
  });
});
