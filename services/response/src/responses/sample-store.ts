import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { type ReadOptions, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { ResponseFilter } from './response-filter.ts';
import { type ResponseDocument, toCondition } from './response-store.ts';
import { acceptFrom, distance, drawCells, randomSamplingKey, type SampleCandidate } from './sample-cells.ts';

/** The index for samples. It has the sampling key and all fields that filters use. */
export const sampleIndex: IndexSpecs[string][number] = {
  name: 'by_sampling_key',
  key: {
    tenant_id: 1,
    survey_id: 1,
    draw: 1,
    status: 1,
    link_id: 1,
    language: 1,
    survey_version: 1,
    created_at: 1,
    updated_at: 1,
    completed_at: 1,
    _id: 1,
  },
};

export interface SampleStore {
  /** Returns the ids of a uniform random sample without replacement, or of all responses if fewer match. */
  drawIds(tenantId: TenantId, filter: ResponseFilter, size: number): Promise<readonly string[]>;
}

export interface SampleSizes {
  /** Number of adjacent keys from which the number of responses is estimated. */
  readonly probe: number;
  /** All responses are read if there are at most this many, or at most `readAllUpToTimesSize` times the sample. */
  readonly readAllUpTo: number;
  readonly readAllUpToTimesSize: number;
}

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  readonly sizes?: SampleSizes;
}

type Condition = TenantFilter<ResponseDocument>;

const SIZES: SampleSizes = { probe: 256, readAllUpTo: 10_000, readAllUpToTimesSize: 20 };
const MAX_CELLS = 2_000;
/** About twelve rounds give the largest sample. */
const MAX_ROUNDS = 100;
const BY_SAMPLING_KEY = { hint: sampleIndex.name, projection: { draw: 1 }, batchSize: 20_000 } as const;

/**
 * Draws samples by sampling keys, which are random. The density of keys gives the number of matching responses. If they
 * are few, all are read. Otherwise random key prefixes are drawn, and at most one response of each is accepted.
 */
export function createSampleStore({ collection, random, sizes = SIZES }: Dependencies): SampleStore {
  function find(tenantId: TenantId, condition: Condition, options: Pick<ReadOptions, 'sort' | 'limit'> = {}) {
    const found = tenantCollection(collection, tenantId).find<SampleCandidate>(condition, {
      ...BY_SAMPLING_KEY,
      ...options,
    });
    return found.toArray();
  }

  /** Estimates the number of responses by the density of adjacent keys. Returns the responses if they are few. */
  async function probe(tenantId: TenantId, condition: Condition): Promise<number | SampleCandidate[]> {
    const from = randomSamplingKey(random);
    const sort = { draw: 1 } as const;
    const above = await find(tenantId, { ...condition, draw: { $gte: from } }, { sort, limit: sizes.probe });
    const left = sizes.probe - above.length;
    const below = left === 0 ? [] : await find(tenantId, { ...condition, draw: { $lt: from } }, { sort, limit: left });
    const found = [...above, ...below];
    const last = found.at(-1);
    return last === undefined || found.length < sizes.probe ? found : found.length / distance(from, last.draw);
  }

  /**
   * Draws ids from random cells: a cell has the responses whose keys begin with the same letters. Returns undefined if a
   * cell has too many responses, or most were deleted meanwhile.
   */
  async function drawFromCells(tenantId: TenantId, condition: Condition, estimate: number, size: number) {
    const ids = new Set<string>();
    for (let round = 0; round < MAX_ROUNDS && ids.size < size; round += 1) {
      const cells = drawCells(size - ids.size, { estimate, max: MAX_CELLS, random });
      const inCells = { draw: { $in: [...new Set(cells)].map((cell) => new RegExp(`^${cell}`)) } };
      const accepted = acceptFrom(cells, await find(tenantId, { ...condition, ...inCells }), random);
      if (accepted === undefined) return undefined;
      for (const id of accepted) ids.add(id);
    }
    return ids.size < size ? undefined : [...ids].slice(0, size);
  }

  return {
    async drawIds(tenantId, filter, size) {
      const condition = toCondition(filter);
      const estimate = await probe(tenantId, condition);
      if (typeof estimate !== 'number') return pick(estimate, size, random);
      const isMany = estimate > Math.max(sizes.readAllUpTo, size * sizes.readAllUpToTimesSize);
      const drawn = isMany ? await drawFromCells(tenantId, condition, estimate, size) : undefined;
      return drawn ?? pick(await find(tenantId, condition), size, random);
    },
  };
}

/** Picks random ids with the first steps of a Fisher–Yates shuffle. */
function pick(found: readonly SampleCandidate[], size: number, random: () => number): readonly string[] {
  const ids = found.map(({ _id }) => _id);
  const count = Math.min(size, ids.length);
  for (let index = 0; index < count; index += 1) {
    const other = index + Math.floor(random() * (ids.length - index));
    const [mine, theirs] = [ids[index], ids[other]];
    if (mine === undefined || theirs === undefined) throw new RangeError('a random number is not below 1');
    ids[index] = theirs;
    ids[other] = mine;
  }
  return ids.slice(0, count);
}
