import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { type ReadOptions, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { ResponseFilter } from './response-filter.ts';
import { type ResponseDocument, toCondition } from './response-store.ts';
import { acceptFrom, distance, drawCells, type Placed, randomPlace } from './sample-cells.ts';

/** Serves samples alone: where each response stands, and what filters ask for. */
export const sampleIndex: IndexSpecs[string][number] = {
  name: 'sample',
  key: {
    tenant_id: 1,
    survey_id: 1,
    draw: 1,
    status: 1,
    link_id: 1,
    language: 1,
    created_at: 1,
    updated_at: 1,
    _id: 1,
  },
};

export interface SampleStore {
  /** Ids of as many responses as asked for, or of all; each set of that size is as likely as any other, in any order. */
  draw(tenantId: TenantId, filter: ResponseFilter, size: number): Promise<readonly string[]>;
}

export interface SampleSizes {
  /** So many neighbours tell how many responses there are. */
  readonly probe: number;
  /** So many are read one and all, and as many times as many as are asked for. */
  readonly few: number;
  readonly fewTimesSize: number;
}

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  /** Numbers from 0 up to 1. */
  readonly random: () => number;
  readonly sizes?: SampleSizes;
}

type Condition = TenantFilter<ResponseDocument>;

const SIZES: SampleSizes = { probe: 256, few: 10_000, fewTimesSize: 20 };
/** Cells in one question. */
const CELLS = 2_000;
/** A dozen give as many as can be asked for. */
const MOST_ROUNDS = 100;
const BY_PLACE = { hint: sampleIndex.name, projection: { draw: 1 }, batchSize: 20_000 } as const;

export function createSampleStore({ collection, random, sizes = SIZES }: Dependencies): SampleStore {
  function find(tenantId: TenantId, condition: Condition, options: Pick<ReadOptions, 'sort' | 'limit'> = {}) {
    const found = tenantCollection(collection, tenantId).find<Placed>(condition, { ...BY_PLACE, ...options });
    return found.toArray();
  }

  /** About how many there are, by how near neighbours are; or all of them, when they are no more than that. */
  async function probe(tenantId: TenantId, condition: Condition): Promise<number | Placed[]> {
    const from = randomPlace(random);
    const sort = { draw: 1 } as const;
    const above = await find(tenantId, { ...condition, draw: { $gte: from } }, { sort, limit: sizes.probe });
    const left = sizes.probe - above.length;
    const below = left === 0 ? [] : await find(tenantId, { ...condition, draw: { $lt: from } }, { sort, limit: left });
    const found = [...above, ...below];
    const last = found.at(-1);
    return last === undefined || found.length < sizes.probe ? found : found.length / distance(from, last.draw);
  }

  /** Undefined when cells are of no use: very many stand in one place, or most are deleted meanwhile. */
  async function drawFromCells(tenantId: TenantId, condition: Condition, about: number, size: number) {
    const ids = new Set<string>();
    for (let round = 0; round < MOST_ROUNDS && ids.size < size; round += 1) {
      const cells = drawCells(size - ids.size, { about, most: CELLS, random });
      const inCells = { draw: { $in: [...new Set(cells)].map((cell) => new RegExp(`^${cell}`)) } };
      const accepted = acceptFrom(cells, await find(tenantId, { ...condition, ...inCells }), random);
      if (accepted === undefined) return undefined;
      for (const id of accepted) ids.add(id);
    }
    return ids.size < size ? undefined : [...ids].slice(0, size);
  }

  return {
    async draw(tenantId, filter, size) {
      const condition = toCondition(filter);
      const about = await probe(tenantId, condition);
      if (typeof about !== 'number') return pick(about, size, random);
      const isMany = about > Math.max(sizes.few, size * sizes.fewTimesSize);
      const drawn = isMany ? await drawFromCells(tenantId, condition, about, size) : undefined;
      return drawn ?? pick(await find(tenantId, condition), size, random);
    },
  };
}

/** The first steps of a shuffle (Fisher and Yates). */
function pick(found: readonly Placed[], size: number, random: () => number): readonly string[] {
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
