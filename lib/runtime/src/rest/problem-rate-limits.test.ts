import { describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { toProblem } from './problem.ts';

const headersFor = (windowSeconds: number | undefined, retryAfterSeconds: number) => {
  const quota = { name: 'default', requests: 100, windowSeconds };
  return toProblem(new AppError('TOO_MANY_REQUESTS', { quota, retryAfterSeconds }), 'r').headers;
};

describe('the rate limit headers of an error', () => {
  it('contain the quota, no remaining requests, and the wait in whole seconds', () => {
    expect(headersFor(60, 29.2)).toMatchObject({
      'retry-after': '30',
      'ratelimit-policy': '"default";q=100;w=60',
      ratelimit: '"default";r=0;t=30',
    });
  });

  it('name the unit of a concurrency limit', () => {
    expect(headersFor(undefined, 1)).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"default";q=100;qu="concurrent-requests"',
    });
  });

  it('are absent without a quota', () => {
    const { headers } = toProblem(new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 }), 'r');
    expect(Object.keys(headers)).not.toContain('ratelimit');
  });
});
