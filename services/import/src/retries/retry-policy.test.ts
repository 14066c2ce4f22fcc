import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createRetry } from './retry-policy.ts';

const now = () => performance.now();
const shouldContinue = () => true;
const away = new AppError('UNAVAILABLE');

function failing(...errors: readonly AppError[]) {
  const left = [...errors];
  return async () => {
    const error = left.shift();
    if (error !== undefined) throw error;
    return 7;
  };
}

describe('createRetry', () => {
  it('retries transient errors, for a limited time', async () => {
    expect(await createRetry({ retryForMs: 60_000, shouldContinue, now })(failing(away, away))).toBe(7);
    expect(await createRetry({ retryForMs: 0, shouldContinue, now })(failing(away))).toBe(away);
  });

  it('measures the time from the first failure of each operation', async () => {
    let tried = 0;
    const retryTransient = createRetry({
      retryForMs: 100_000,
      shouldContinue,
      now: () => performance.now() + tried * 60_000,
    });
    const fail = async () => {
      tried += 1;
      throw away;
    };
    expect(await retryTransient(fail)).toBe(away);
    expect(tried).toBe(3);
    expect(await retryTransient(fail)).toBe(away);
    expect(tried).toBe(6);
  });

  it('returns permanent errors, even while the import stops', async () => {
    const final = new AppError('SURVEY_NOT_FOUND');
    expect(await createRetry({ retryForMs: 60_000, shouldContinue, now })(failing(final))).toBe(final);
    let isStopped = false;
    const reject = async () => {
      isStopped = true;
      throw final;
    };
    expect(await createRetry({ retryForMs: 60_000, shouldContinue: () => !isStopped, now })(reject)).toBe(final);
  });

  it('stops during a long pause if the import is stopped', async () => {
    let asked = 0;
    const notForLong = () => {
      asked += 1;
      return asked < 12;
    };
    const fails = () => Promise.reject(away);
    expect(await createRetry({ retryForMs: 60_000, shouldContinue: notForLong, now })(fails)).toBeUndefined();
  });

  it('starts nothing after the import is stopped', async () => {
    expect(await createRetry({ retryForMs: 60_000, shouldContinue: () => false, now })(failing())).toBeUndefined();
  });
});
