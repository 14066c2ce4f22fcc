import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { poll } from '@survey/runtime/testing/poll';
import type { WriteError } from 'mongodb';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createCommitMetrics } from '../responses/group-commit.ts';
import { newPendingResponse, newSealed } from '../testing/new-response.ts';
import { createSeatCommit } from './commit.ts';
import type { Outcome, PendingResponse } from './limit.ts';

const limit = { linkId: undefined, max: 1 };
const newSurvey = () => ({ tenantId: toTenantId(randomUUID()), surveyId: randomUUID() });
const pendingResponseTo = (survey: ReturnType<typeof newSurvey>) => newPendingResponse(newSealed(survey), [limit]);

/** Starts a commit. The test ends its batches. */
function start(sizeOf: (pending: PendingResponse) => number = () => 1_000) {
  const registry = new Registry();
  const batches: { readonly size: number; end(outcomes: readonly Outcome[] | Error): void }[] = [];
  const commit = createSeatCommit({
    store: {
      admit(_survey, pendingResponses) {
        const { promise, resolve, reject } = Promise.withResolvers<readonly Outcome[]>();
        const end = (given: readonly Outcome[] | Error) => (given instanceof Error ? reject(given) : resolve(given));
        batches.push({ size: pendingResponses.length, end });
        return promise;
      },
    },
    sizeOf,
    metrics: createCommitMetrics(registry, 'limited'),
  });
  return {
    commit,
    metrics: () => registry.metrics(),
    sizes: () => batches.map(({ size }) => size),
    /** Waits for the nth batch, from 0, and ends it. */
    async end(index: number, outcomes: readonly Outcome[] | Error): Promise<void> {
      (await poll(() => batches[index])).end(outcomes);
    },
  };
}

describe('a limited commit', () => {
  it('stores responses to one survey batch by batch, and those to other surveys concurrently', async () => {
    const { commit, end, sizes, metrics } = start();
    const [one, other] = [newSurvey(), newSurvey()];
    const first = commit.add(pendingResponseTo(one));
    await yieldToEventLoop();
    const rest = [commit.add(pendingResponseTo(one)), commit.add(pendingResponseTo(one))];
    const beside = commit.add(pendingResponseTo(other));
    await yieldToEventLoop();
    expect(sizes()).toEqual([1, 1]);
    await end(1, ['stored']);
    await end(0, ['stored']);
    expect(await Promise.all([first, beside])).toEqual(['stored', 'stored']);
    await yieldToEventLoop();
    expect(sizes()).toEqual([1, 1, 2]);
    await end(2, ['duplicate', limit]);
    expect(await Promise.all(rest)).toEqual(['duplicate', limit]);
    const shown = await metrics();
    for (const line of ['batch_size_sum 4', 'batch_size_count 3', 'wait_seconds_count 4', 'waiting 0', 'shed_total 0'])
      expect(shown).toContain(`response_limited_commit_${line}\n`);
  });

  it('rejects with UNAVAILABLE if a batch fails, and continues with the next', async () => {
    const { commit, end } = start();
    const survey = newSurvey();
    const first = commit.add(pendingResponseTo(survey));
    await yieldToEventLoop();
    const second = commit.add(pendingResponseTo(survey));
    await end(0, new Error('away'));
    await expect(first).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const error = { code: 121, errmsg: 'Document failed validation' } as WriteError;
    await end(1, [{ kind: 'failed', error }]);
    await expect(second).rejects.toMatchObject({ code: 'INTERNAL', cause: error });
  });

  it('tries contested responses again, and does not let the others of their batch wait', async () => {
    const { commit, end, sizes } = start();
    const survey = newSurvey();
    const first = commit.add(pendingResponseTo(survey));
    await yieldToEventLoop();
    const rest = [1, 2].map(() => commit.add(pendingResponseTo(survey)));
    await end(0, ['stored']);
    await first;
    await end(1, ['contested', 'stored']);
    expect(await rest[1]).toBe('stored');
    await end(2, new Error('away'));
    await expect(rest[0]).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(sizes()).toEqual([1, 2, 1]);
  });

  it('rejects with UNAVAILABLE if other writes hold the last seats for too long', async () => {
    const { commit, end, sizes } = start();
    const waiting = commit.add(pendingResponseTo(newSurvey()));
    let isOver = false;
    const ended = expect(waiting)
      .rejects.toMatchObject({ code: 'UNAVAILABLE' })
      .finally(() => {
        isOver = true;
      });
    for (let batch = 0; !isOver; batch += 1) await Promise.race([end(batch, ['contested']), ended]);
    await ended;
    expect(sizes().length).toBeGreaterThan(1);
  });

  it('sheds responses above the share of a survey, and still accepts those of others', async () => {
    const { commit, end, metrics, sizes } = start();
    const recounted = newSurvey();
    for (let index = 0; index < 1_250; index += 1) void commit.add(pendingResponseTo(recounted)).catch(() => {});
    await expect(commit.add(pendingResponseTo(recounted))).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(sizes()).toEqual([200]);
    const shown = await metrics();
    for (const line of ['waiting 1050', 'shed_total 1']) expect(shown).toContain(`response_limited_commit_${line}\n`);
    const other = commit.add(pendingResponseTo(newSurvey()));
    await end(1, ['stored']);
    expect(await other).toBe('stored');
  });

  it('sheds responses above the share of a tenant, and still accepts those of others', async () => {
    const { commit, end } = start();
    const { tenantId } = newSurvey();
    const add = (survey: ReturnType<typeof newSurvey>) => commit.add(pendingResponseTo(survey));
    const surveys = [1, 2].map(() => ({ ...newSurvey(), tenantId }));
    for (const survey of surveys) for (let index = 0; index < 1_250; index += 1) void add(survey).catch(() => {});
    await expect(add({ ...newSurvey(), tenantId })).rejects.toMatchObject({ code: 'OVERLOADED' });
    const other = add(newSurvey());
    await end(2, ['stored']);
    expect(await other).toBe('stored');
  });

  it('sheds responses above the share of a survey in bytes, until those before are stored', async () => {
    const { commit, end } = start(() => 8 * 1024 * 1024);
    const survey = newSurvey();
    const held = [commit.add(pendingResponseTo(survey)), commit.add(pendingResponseTo(survey))];
    await expect(commit.add(pendingResponseTo(survey))).rejects.toMatchObject({ code: 'OVERLOADED' });
    await end(0, ['stored']);
    await held[0];
    const next = commit.add(pendingResponseTo(survey));
    await end(1, ['stored']);
    await end(2, ['stored']);
    expect(await Promise.all([held[1], next])).toEqual(['stored', 'stored']);
  });

  it('completes the waiting responses when it is stopped, and accepts no more', async () => {
    const { commit, end } = start();
    const survey = newSurvey();
    const held = [commit.add(pendingResponseTo(survey))];
    await yieldToEventLoop();
    held.push(commit.add(pendingResponseTo(survey)));
    const stopped = commit.stop();
    await expect(commit.add(pendingResponseTo(survey))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await end(0, ['stored']);
    await held[0];
    await end(1, ['stored']);
    await Promise.all([stopped, ...held]);
  });
});
