import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { readOpaqueText, toOpaqueText } from '@survey/runtime/mongo/page';
import type { WalkLimits } from '@survey/runtime/mongo/walk';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection, CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newResponseDocument } from '../testing/new-response.ts';
import type { ResponseDocument } from './response-document-store.ts';
import type { ResponseFilter } from './response-filter.ts';
import {
  createSampleStore,
  randomSamplingKey,
  type SampleSizes,
  type SampleStore,
  sampleIndex,
} from './sample-store.ts';

let database: TestDatabase;
let collection: Collection<ResponseDocument>;

beforeAll(async () => {
  database = await createTestDatabase();
  collection = database.db.collection('responses');
  await ensureIndexes(database.db, { responses: [sampleIndex] });
});
afterAll(() => database.drop());

/** With these sizes, every survey is large. */
const VERY_MANY: SampleSizes = { probe: 12, readAllUpTo: 0, readAllUpToTimesSize: 0 };
const startStore = (sizes?: SampleSizes, limits?: WalkLimits) =>
  createSampleStore({ collection, random: Math.random, ...(sizes && { sizes }), ...(limits && { limits }) });

const fitting = {
  status: 'completed',
  link_id: randomUUID(),
  language: 'en',
  created_at: new Date('2024-05-02'),
  updated_at: new Date('2024-05-03'),
  completed_at: new Date('2024-05-03'),
} as const;
const filter = {
  status: 'completed',
  linkId: fitting.link_id,
  languages: ['en'],
  since: new Date('2024-05-01'),
  until: new Date('2024-05-03'),
  updatedSince: new Date('2024-05-03'),
  completedSince: new Date('2024-05-03'),
  completedUntil: new Date('2024-05-04'),
} as const;

/** Stores matching responses, and for each one several responses that do not match. */
async function fill(count: number, random = Math.random) {
  const [tenantId, surveyId] = [toTenantId(randomUUID()), randomUUID()];
  const ours = { tenant_id: tenantId, survey_id: surveyId };
  const make = (given: Partial<ResponseDocument>) =>
    newResponseDocument({ ...fitting, ...ours, draw: randomSamplingKey(random), ...given });
  const those = Array.from({ length: count }, () => make({}));
  const others = those.flatMap(() => [
    make({ survey_id: randomUUID() }),
    make({ tenant_id: toTenantId(randomUUID()) }),
    make({ status: 'abandoned' }),
    make({ link_id: null }),
    make({ language: 'de' }),
    make({ created_at: new Date('2024-05-03') }),
    make({ updated_at: new Date('2024-05-02') }),
    make({ completed_at: new Date('2024-05-04') }),
    make({ completed_at: null }),
  ]);
  await collection.insertMany([...those, ...others]);
  return { tenantId, asked: { surveyId, ...filter }, ids: those.map(({ _id }) => _id).sort() };
}

type Filled = Awaited<ReturnType<typeof fill>>;

type Draw = (store: SampleStore, filled: Filled) => Promise<readonly string[]>;

const draw: Draw = async (store, { tenantId, asked }) => (await store.drawIds(tenantId, asked, 2)).ids;

/** Draws a pair from the first half of the ids, which the sampling keys do not depend on. */
const drawAccepted: Draw = async (store, { tenantId, asked, ids }) => {
  const accepted = new Set(ids.slice(0, ids.length / 2));
  const pair: string[] = [];
  for await (const some of store.shuffleIds(tenantId, asked)) {
    pair.push(...some.filter((id) => accepted.has(id)));
    if (pair.length >= 2) break;
  }
  return pair.slice(0, 2);
};

/** Counts how often each pair is drawn. */
async function drawPairs(store: SampleStore, filled: Filled, draws: number, drawPair: Draw) {
  const counts = new Map<string, number>();
  for (let n = 0; n < draws; n += 20) {
    const samples = await Promise.all(Array.from({ length: 20 }, () => drawPair(store, filled)));
    for (const ids of samples) {
      const pair = ids.toSorted().join();
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  return counts;
}

async function watch(run: () => Promise<unknown>) {
  const commands: Record<string, unknown>[] = [];
  const listen = ({ command }: CommandStartedEvent) => void commands.push(command);
  database.client.on('commandStarted', listen);
  await run();
  database.client.off('commandStarted', listen);
  return commands;
}

describe('a random sample', () => {
  // Correct code exceeds the last column in fewer than one of 10^9 runs.
  it.each([
    ['of few', 8, 8, undefined, draw, 97],
    ['of very many', 16, 16, VERY_MANY, draw, 241],
    ['of some of few', 16, 8, undefined, drawAccepted, 97],
    ['of some of very many', 32, 16, VERY_MANY, drawAccepted, 241],
  ] as const)('%s has every pair with the same probability', async (_, filledCount, count, sizes, drawPair, most) => {
    const filled = await fill(filledCount);
    const draws = inject('testScope') === 'all' ? 2_000 : 700;
    const counts = await drawPairs(startStore(sizes), filled, draws, drawPair);
    const pairs = (count * (count - 1)) / 2;
    const expected = draws / pairs;
    const seen = [...counts.values()].reduce((sum, times) => sum + (times - expected) ** 2 / expected, 0);
    // A pair that was never drawn adds its expected count.
    expect(seen + (pairs - counts.size) * expected).toBeLessThan(most);
  });

  it.each([undefined, VERY_MANY])('can be shuffled without repetition or loss: %j', async (sizes) => {
    const { tenantId, asked, ids } = await fill(300);
    const shuffled = await Array.fromAsync(startStore(sizes).shuffleIds(tenantId, asked));
    expect(shuffled.flat().toSorted()).toEqual(ids);
  });

  it.each([undefined, VERY_MANY])(
    'has no repetition, the requested size, and only matching responses: %j',
    async (sizes) => {
      const { tenantId, asked, ids } = await fill(300);
      const sample = await startStore(sizes).drawIds(tenantId, asked, 100);
      expect(new Set(sample.ids).size).toBe(100);
      expect(ids).toEqual(expect.arrayContaining([...sample.ids]));
    },
  );

  it.each([undefined, VERY_MANY, { ...VERY_MANY, probe: 1_000 }])(
    'has all responses if there are fewer than requested: %j',
    async (sizes) => {
      const { tenantId, asked, ids } = await fill(30);
      const store = startStore(sizes);
      expect((await store.drawIds(tenantId, asked, 30)).ids.toSorted()).toEqual(ids);
      expect((await store.drawIds(tenantId, asked, 1_000)).ids.toSorted()).toEqual(ids);
      expect(await store.drawIds(tenantId, { ...asked, surveyId: randomUUID() }, 1_000)).toEqual({ ids: [] });
    },
  );

  it('is drawn from all responses if their keys are equal', async () => {
    const { tenantId, asked, ids } = await fill(100, () => 0.3);
    const sample = await startStore(VERY_MANY).drawIds(tenantId, asked, 40);
    expect(new Set(sample.ids).size).toBe(40);
    expect(ids).toEqual(expect.arrayContaining([...sample.ids]));
  });

  describe('that takes too long', () => {
    const limits = { singleReadMs: 0, timeMs: 0, slice: 50 };

    async function drawPages(store: SampleStore, { tenantId, asked }: Filled, size: number) {
      const pages: (readonly string[])[] = [];
      let cursor: string | undefined;
      do {
        const { ids, nextCursor } = await store.drawIds(tenantId, asked, size, cursor);
        pages.push(ids);
        cursor = nextCursor;
      } while (cursor !== undefined);
      return pages;
    }

    it.each([
      ['random keys', Math.random],
      ['equal keys', () => 0.3],
    ])('continues on the next page until it is complete, with %s', async (_, random) => {
      const filled = await fill(40, random);
      const store = startStore(undefined, limits);
      const all = await drawPages(store, filled, 1_000);
      expect(all.flat().toSorted()).toEqual(filled.ids);
      const some = (await drawPages(store, filled, 15)).flat();
      expect([some.length, new Set(some).size]).toEqual([15, 15]);
      expect(filled.ids).toEqual(expect.arrayContaining(some));
      const inTime = await startStore(undefined, { ...limits, timeMs: 60_000 }).drawIds(
        filled.tenantId,
        filled.asked,
        1_000,
      );
      expect(inTime.ids.toSorted()).toEqual(filled.ids);
    });

    it('has several pages, some of them empty, if few responses match', async () => {
      const filled = await fill(40);
      const pages = await drawPages(startStore(undefined, { ...limits, slice: 2 }), filled, 1_000);
      expect(pages.flat().toSorted()).toEqual(filled.ids);
      expect(pages.some((page) => page.length === 0)).toBe(true);
    });

    it('has each response with the same probability, over all surveys', async () => {
      const counts = new Map<number, number>();
      for (let n = 0; n < 100; n += 1) {
        const filled = await fill(4);
        const [drawn = ''] = (await drawPages(startStore(undefined, limits), filled, 1)).flat();
        const index = filled.ids.indexOf(drawn);
        counts.set(index, (counts.get(index) ?? 0) + 1);
      }
      // Correct code exceeds this in fewer than one of 10^9 runs (3 degrees of freedom).
      expect([...counts.values()].reduce((sum, times) => sum + (times - 25) ** 2 / 25, 0)).toBeLessThan(45);
    });

    /** Returns the cursor with another number of ids to draw. */
    const withLeft = (cursor: string, left: number) => toOpaqueText([...readOpaqueText(cursor).slice(0, 3), left]);

    it('rejects the cursor of another list or sample, or of a larger sample', async () => {
      const filled = await fill(40);
      const store = startStore(undefined, { ...limits, slice: 2 });
      const { nextCursor = '' } = await store.drawIds(filled.tenantId, filled.asked, 1_000);
      const other = { ...filled.asked, languages: ['de'] };
      for (const [filter, cursor] of [
        [other, nextCursor],
        [filled.asked, 'x'],
        [filled.asked, `${nextCursor}=`],
        [filled.asked, withLeft(nextCursor, 1_001)],
        [filled.asked, withLeft(nextCursor, Number.MAX_SAFE_INTEGER)],
        [filled.asked, withLeft(nextCursor, 0)],
      ] as const)
        await expect(store.drawIds(filled.tenantId, filter, 1_000, cursor)).rejects.toMatchObject({
          code: 'INVALID_CURSOR',
        });
    });
  });

  it('of very many reads only a part of the index, and no documents', async () => {
    const { tenantId, asked } = await fill(3_000);
    const store = startStore({ ...VERY_MANY, probe: 256 });
    const unfiltered: ResponseFilter = { surveyId: asked.surveyId };
    for (const condition of [unfiltered, asked]) {
      const finds = await watch(() => store.drawIds(tenantId, condition, 5));
      expect(finds.length).toBeLessThan(10);
      for (const { find, filter: query, hint, sort, limit, projection } of finds) {
        const explained = await database.db.command({
          explain: { find, filter: query, hint, projection, ...(sort ? { sort, limit } : {}) },
          verbosity: 'executionStats',
        });
        const { totalDocsExamined, totalKeysExamined } = explained['executionStats'];
        expect(totalDocsExamined).toBe(0);
        expect(totalKeysExamined).toBeLessThan(10_000);
        expect(JSON.stringify(explained['queryPlanner'].winningPlan)).not.toMatch(/"(FETCH|COLLSCAN|SORT|OR)"/);
      }
    }
  });
});
