import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import type { CountedGroup } from '../responses/response-stream-store.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { createResponseCountService } from './response-count-service.ts';

const tenantId = toTenantId('tenant-1');

/** Starts a service. The test ends its scans. Every write opens another window. */
function startService() {
  const scans: {
    readonly surveyId: string;
    end(responses: number, hasMore?: boolean): void;
    fail(error: Error): void;
  }[] = [];
  let window = 1;
  let nowMs = 0;
  let hasTime = true;
  const service = createResponseCountService({
    definitions: { isOwned: async (_, id) => id !== 'foreign', findOwned: async () => ({}) as CompiledSurvey },
    stream: {
      async *countGroups(_, surveyId) {
        for (let isLast = false; !isLast; ) {
          const groups = await new Promise<readonly CountedGroup[]>((resolve, reject) => {
            function end(count: number, hasMore = false): void {
              isLast = !hasMore;
              resolve([{ status: 'completed', linkId: undefined, count, lastAt: new Date(0) }]);
            }
            scans.push({ surveyId, end, fail: reject });
          });
          yield { groups, isLast };
        }
      },
    },
    windows: { lastWindowOf: async () => window, lastReadableWindow: async () => window },
    clock: () => new Date(nowMs),
    now: () => nowMs,
    startTimeout: () => (hasTime ? new Promise(() => undefined) : new Promise((done) => setImmediate(done, undefined))),
  });
  const settle = () => new Promise((done) => setImmediate(done));
  return {
    scans,
    settle,
    totals: async (...ids: string[]) =>
      (await service.countAll(tenantId, ids)).map(({ surveyId, counts }) => [surveyId, counts?.all.total]),
    /** Counts a survey with a scan that takes some time. */
    async scan(surveyId: string, responses: number, ms: number) {
      const counted = service.countAll(tenantId, [surveyId]);
      await settle();
      nowMs += ms;
      scans.at(-1)?.end(responses);
      return (await counted)[0]?.counts?.all.total;
    },
    write: () => {
      window += 1;
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    loseTime: () => {
      hasTime = false;
    },
  };
}

describe('counts of surveys', () => {
  it('leave out surveys of others, and keep the order', async () => {
    const { scan, totals } = startService();
    await scan('b', 2, 0);
    await scan('a', 1, 0);
    expect(await totals('b', 'foreign', 'a')).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });

  it('are computed one at a time', async () => {
    const { scans, settle, totals } = startService();
    const counted = totals('a', 'b');
    await settle();
    expect(scans).toHaveLength(1);
    scans[0]?.end(1);
    await settle();
    scans[1]?.end(2);
    expect(await counted).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('of a very large survey are computed in slices, between which others are computed', async () => {
    const { scans, settle, totals } = startService();
    const large = totals('large');
    await settle();
    const other = totals('other');
    scans[0]?.end(10, true);
    await settle();
    await settle();
    expect(scans.map(({ surveyId }) => surveyId)).toEqual(['large', 'other']);
    scans[1]?.end(1);
    expect(await other).toEqual([['other', 1]]);
    await settle();
    scans[2]?.end(5);
    expect(await large).toEqual([['large', 15]]);
  });

  it('of a small survey are computed again after each write', async () => {
    const { scans, scan, totals, write } = startService();
    await scan('a', 5_000, 40);
    expect(await totals('a')).toEqual([['a', 5_000]]);
    expect(scans).toHaveLength(1);
    write();
    expect(await scan('a', 5_001, 0)).toBe(5_001);
    expect(scans).toHaveLength(2);
  });

  it('of a large survey stay for twenty times as long as counting took', async () => {
    const { scans, scan, totals, write, pass } = startService();
    await scan('a', 1_000_000, 800);
    write();
    pass(15_999);
    expect(await totals('a')).toEqual([['a', 1_000_000]]);
    pass(1);
    expect(await scan('a', 1_000_002, 800)).toBe(1_000_002);
    expect(scans).toHaveLength(2);
  });

  it('are absent, then old, if counting takes too long', async () => {
    const { scans, settle, totals, write, loseTime } = startService();
    loseTime();
    expect(await totals('a')).toEqual([['a', undefined]]);
    scans[0]?.end(1);
    await settle();
    expect(await totals('a')).toEqual([['a', 1]]);
    write();
    expect(await totals('a')).toEqual([['a', 1]]);
    scans[1]?.end(2);
    await settle();
    expect(await totals('a')).toEqual([['a', 2]]);
    expect(scans).toHaveLength(2);
  });

  it('are old or absent if a survey cannot be counted, and others can', async () => {
    const { scans, settle, totals, scan, write } = startService();
    await scan('old', 1, 0);
    write();
    const counted = totals('old', 'failing', 'new');
    for (const index of [1, 2, 3]) {
      await settle();
      if (scans[index]?.surveyId === 'new') scans[index].end(3);
      else scans[index]?.fail(new Error('too slow'));
    }
    expect(await counted).toEqual([
      ['old', 1],
      ['failing', undefined],
      ['new', 3],
    ]);
  });

  it('fail if counting fails while somebody waits, and are computed by the next call', async () => {
    const { scans, settle, totals, scan } = startService();
    const counted = totals('a');
    await settle();
    scans[0]?.fail(new Error('no database'));
    await expect(counted).rejects.toThrow('no database');
    expect(await scan('a', 3, 0)).toBe(3);
  });
});
