import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { readOpaqueText, toListDigest, toOpaqueText } from '@survey/runtime/mongo/page';
import { type ReadOptions, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { readInTime, WALK_LIMITS, type WalkLimits } from '@survey/runtime/mongo/walk';
import type { Collection } from 'mongodb';
import type { ResponseDocument } from './response-document-store.ts';
import { type ResponseFilter, toCondition } from './response-filter.ts';

/** The index for samples. It contains the sampling key and all fields of filters. */
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

interface DrawnIds {
  readonly ids: readonly string[];
  /** Present if drawing took too long: `ids` is a part of the sample, and the cursor continues the sample. */
  readonly nextCursor?: string;
}

/**
 * Progress of a slow sample. Sampling keys are random, so the responses after a random key are a random sample. The
 * lowest key follows the highest one, as in a ring.
 */
interface RingPosition {
  /** The random key after which the sample begins. */
  readonly from: SamplingKey;
  /** The last key that was read. Empty after the highest key, to continue with the lowest one. */
  readonly at: SamplingKey;
  /** Number of ids that are still to be drawn. */
  readonly left: number;
}

export interface SampleSizes {
  /** Number of adjacent keys that are read to estimate the number of responses. */
  readonly probe: number;
  /** All responses are read if the estimate exceeds neither this number nor `readAllUpToTimesSize` × sample size. */
  readonly readAllUpTo: number;
  readonly readAllUpToTimesSize: number;
}

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  readonly sizes?: SampleSizes;
  readonly limits?: WalkLimits;
}

type Condition = TenantFilter<ResponseDocument>;

const SIZES: SampleSizes = { probe: 256, readAllUpTo: 10_000, readAllUpToTimesSize: 20 };
const MAX_CELLS = 2_000;
/** Number of ids that `shuffleIds` yields at a time, about. */
const SHUFFLED = 100;
/** Maximum number of ids that `shuffleIds` holds in memory. */
const MAX_SHUFFLED = 200_000;
/** The largest sample takes about twelve rounds. */
const MAX_ROUNDS = 100;
const BY_SAMPLING_KEY = { hint: sampleIndex.name, projection: { draw: 1 }, batchSize: 20_000 } as const;

export type SampleStore = ReturnType<typeof createSampleStore>;

/**
 * Draws samples of responses by their random sampling keys. First, the store estimates the number of matching responses
 * by the density of their keys. If few match, it reads all of them. Otherwise, it draws random key prefixes, and
 * accepts at most one response with each prefix.
 *
 * If few of very many responses match, drawing prefixes takes too long. The store then reads the matching responses
 * after a random key, slice by slice.
 */
export function createSampleStore({ collection, random, sizes = SIZES, limits = WALK_LIMITS }: Dependencies) {
  type FindOptions = Pick<ReadOptions, 'sort' | 'skip' | 'limit' | 'maxTimeMS'>;
  type Find = (condition: Condition, options?: FindOptions) => Promise<SampleCandidate[]>;

  function findOf(tenantId: TenantId): Find {
    const responses = tenantCollection(collection, tenantId);
    return (condition, options = {}) =>
      responses.find<SampleCandidate>(condition, { ...BY_SAMPLING_KEY, ...options }).toArray();
  }

  async function drawInTime(
    tenantId: TenantId,
    condition: Condition,
    size: number,
  ): Promise<readonly string[] | undefined> {
    if (limits.singleReadMs === 0) return undefined;
    const deadline = performance.now() + limits.singleReadMs;
    const find = findOf(tenantId);
    const findInTime: Find = (filter, options) =>
      find(filter, { ...options, maxTimeMS: Math.max(1, Math.ceil(deadline - performance.now())) });
    return (await readInTime(() => draw(findInTime, condition, size)))?.result;
  }

  async function draw(find: Find, condition: Condition, size: number): Promise<readonly string[]> {
    const estimate = await probe(find, condition);
    if (typeof estimate !== 'number') return pick(estimate, size, random);
    const isMany = estimate > Math.max(sizes.readAllUpTo, size * sizes.readAllUpToTimesSize);
    const drawn = isMany ? await drawFromCells(find, condition, estimate, size) : undefined;
    return drawn ?? pick(await find(condition), size, random);
  }

  /** Estimates the number of matching responses by the density of adjacent keys. If few match, returns all of them. */
  async function probe(find: Find, condition: Condition): Promise<number | SampleCandidate[]> {
    const from = randomSamplingKey(random);
    const sort = { draw: 1 } as const;
    const above = await find({ ...condition, draw: { $gte: from } }, { sort, limit: sizes.probe });
    const left = sizes.probe - above.length;
    const below = left === 0 ? [] : await find({ ...condition, draw: { $lt: from } }, { sort, limit: left });
    const found = [...above, ...below];
    const last = found.at(-1);
    return last === undefined || found.length < sizes.probe ? found : found.length / distance(from, last.draw);
  }

  /**
   * Draws ids from random cells. A cell contains the responses whose keys have the same prefix. Returns undefined if a
   * cell has too many responses, or if `MAX_ROUNDS` rounds give too few ids.
   */
  async function drawFromCells(find: Find, condition: Condition, estimate: number, size: number) {
    const ids = new Set<string>();
    for (let round = 0; round < MAX_ROUNDS && ids.size < size; round += 1) {
      const cells = drawCells(size - ids.size, { estimate, max: MAX_CELLS, random });
      const inCells = { draw: { $in: [...new Set(cells)].map((cell) => new RegExp(`^${cell}`)) } };
      const accepted = acceptFrom(cells, await find({ ...condition, ...inCells }), random);
      if (accepted === undefined) return undefined;
      for (const id of accepted) ids.add(id);
    }
    return ids.size < size ? undefined : [...ids].slice(0, size);
  }

  /** Continues a slow sample until it is complete, all keys are read, or the time limit is reached. */
  async function walkRing(tenantId: TenantId, filter: ResponseFilter, { from, at: start, left }: RingPosition) {
    const find = findOf(tenantId);
    const deadline = performance.now() + limits.timeMs;
    const ids: string[] = [];
    for (let at = start; ; ) {
      const isFirstArc = at >= from;
      const arc = isFirstArc ? { $gt: at } : { $gt: at, $lte: from };
      const sort = { draw: 1 } as const;
      const skipped = { sort, skip: limits.slice - 1, limit: 1 };
      const [end] = await find({ survey_id: filter.surveyId, draw: arc }, skipped);
      const slice = { ...toCondition(filter), draw: end === undefined ? arc : { $gt: at, $lte: end.draw } };
      const found = await find(slice, { sort, limit: left - ids.length });
      ids.push(...found.map(({ _id }) => _id));
      const isAllRead = !isFirstArc && (end === undefined || end.draw === from);
      if (ids.length === left || isAllRead) return { ids };
      at = end?.draw ?? '';
      if (performance.now() >= deadline) return { ids, next: { from, at, left: left - ids.length } };
    }
  }

  /** Yields random cells of responses that were not yielded before. Ends if a cell has too many, or after many rounds. */
  async function* shuffleCells(find: Find, condition: Condition, estimate: number, yielded: Set<string>) {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const cells = drawCells(SHUFFLED, { estimate, max: MAX_CELLS, random });
      const inCells = { draw: { $in: [...new Set(cells)].map((cell) => new RegExp(`^${cell}`)) } };
      const accepted = acceptFrom(cells, await find({ ...condition, ...inCells }), random);
      if (accepted === undefined) return;
      const ids = [...new Set(accepted)].filter((id) => !yielded.has(id));
      for (const id of ids) yielded.add(id);
      yield ids;
    }
  }

  return {
    /**
     * Yields the ids of all matching responses in random order, some at a time. Each id is equally likely at each
     * position, so the first ones that a caller accepts are a uniform sample of all that it accepts. If the caller does
     * not stop after some thousands of very many ids, throws `DEADLINE_EXCEEDED`.
     */
    async *shuffleIds(tenantId: TenantId, filter: ResponseFilter): AsyncGenerator<readonly string[]> {
      const find = findOf(tenantId);
      const condition = toCondition(filter);
      const estimate = await probe(find, condition);
      const yielded = new Set<string>();
      if (typeof estimate === 'number' && estimate > sizes.readAllUpTo)
        yield* shuffleCells(find, condition, estimate, yielded);
      if (Number(estimate) > MAX_SHUFFLED) throw new AppError('DEADLINE_EXCEEDED', FEW_ACCEPTED);
      const found = typeof estimate === 'number' ? await find(condition) : estimate;
      const rest = found.filter(({ _id }) => !yielded.has(_id));
      const ids = pick(rest, rest.length, random);
      for (let start = 0; start < ids.length; start += SHUFFLED) yield ids.slice(start, start + SHUFFLED);
    },

    /**
     * Draws the ids of a uniform random sample without replacement, or of all responses if fewer match.
     *
     * @param cursor continues a slow sample. Throws `INVALID_CURSOR` for a cursor of another list
     */
    async drawIds(tenantId: TenantId, filter: ResponseFilter, size: number, cursor?: string): Promise<DrawnIds> {
      const condition = toCondition(filter);
      if (cursor === undefined) {
        const ids = await drawInTime(tenantId, condition, size);
        if (ids !== undefined) return { ids };
      }
      const scope = { ...tenantCollection(collection, tenantId).scope, by: 'draw', order: 'asc' } as const;
      const listDigest = toListDigest({ ...scope, filter: condition });
      const from = randomSamplingKey(random);
      const position = cursor === undefined ? { from, at: from, left: size } : decodePosition(cursor, listDigest, size);
      const { ids, next } = await walkRing(tenantId, filter, position);
      return { ids, ...(next && { nextCursor: encodePosition(next, listDigest) }) };
    },
  };
}

export const FEW_ACCEPTED = {
  detail: 'Too few of the responses match to draw a sample in time. List the matching responses instead',
  retryAfterSeconds: 60,
};

function encodePosition({ from, at, left }: RingPosition, listDigest: string): string {
  return toOpaqueText([listDigest, from, at, left]);
}

/**
 * Throws `INVALID_CURSOR` for any text that `encodePosition` does not produce for the list. Cursors are not signed, so
 * `left` must not exceed the size of the sample.
 */
function decodePosition(cursor: string, listDigest: string, size: number): RingPosition {
  const [cursorDigest, from, at, left] = readOpaqueText(cursor);
  if (cursorDigest !== listDigest || !isKey(from) || !(at === '' || isKey(at)) || !Number.isSafeInteger(left))
    throw new AppError('INVALID_CURSOR');
  const position = { from, at, left: Number(left) };
  const isExact = position.left > 0 && position.left <= size && encodePosition(position, listDigest) === cursor;
  if (!isExact) throw new AppError('INVALID_CURSOR');
  return position;
}

function isKey(value: unknown): value is SamplingKey {
  return typeof value === 'string' && /^[01]{32}$/.test(value);
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

/**
 * A text of 32 random bits (`0` and `1`), which is stored in each response. Prefixes of one length divide all keys into
 * cells.
 */
export type SamplingKey = string;

export interface SampleCandidate {
  readonly _id: string;
  readonly draw: SamplingKey;
}

const BITS = 32;
/** Upper bound of the average number of responses in a cell. The lower bound is half of this number. */
const MAX_AVERAGE = 4;
/** Maximum number of responses in a cell. With an average of 4, fewer than one of 10^12 cells exceeds it. */
const MAX_IN_CELL = 25;

/** @param random returns a number from 0 to below 1 */
export function randomSamplingKey(random: () => number): SamplingKey {
  return Math.floor(random() * 2 ** BITS)
    .toString(2)
    .padStart(BITS, '0');
}

/** Share of all keys from one key up to another, both included. The lowest key follows the highest. */
export function distance(from: SamplingKey, to: SamplingKey): number {
  const steps = Number.parseInt(to, 2) - Number.parseInt(from, 2) + 1;
  return (steps > 0 ? steps : steps + 2 ** BITS) / 2 ** BITS;
}

/**
 * Draws random cells, as prefixes of sampling keys. Draws enough cells for `acceptFrom` to return about `size` ids.
 *
 * @param estimate estimated number of matching responses
 * @param max maximum number of cells
 */
export function drawCells(
  size: number,
  { estimate, max, random }: { readonly estimate: number; readonly max: number; readonly random: () => number },
): readonly string[] {
  const depth = Math.min(BITS, Math.max(0, Math.ceil(Math.log2(estimate / MAX_AVERAGE))));
  const length = Math.min(max, Math.ceil((size * MAX_IN_CELL) / (MAX_AVERAGE / 2)));
  return Array.from({ length }, () => randomSamplingKey(random).slice(0, depth));
}

/**
 * Picks at most one response from each cell. A cell with n responses gives one of them with probability n / 25, so
 * every response is equally likely. Returns undefined if a cell has more than 25 responses.
 *
 * @param found all responses in the cells
 */
export function acceptFrom(
  cells: readonly string[],
  found: readonly SampleCandidate[],
  random: () => number,
): readonly string[] | undefined {
  const depth = cells[0]?.length;
  const idsByCell = new Map<string, string[]>();
  for (const { _id, draw } of found) {
    const cell = draw.slice(0, depth);
    const ids = idsByCell.get(cell);
    if (ids === undefined) idsByCell.set(cell, [_id]);
    else ids.push(_id);
  }
  const accepted: string[] = [];
  for (const cell of cells) {
    const ids = idsByCell.get(cell) ?? [];
    if (ids.length > MAX_IN_CELL) return undefined;
    // Draw one of 25 slots. The responses fill the first slots, and the other slots are empty.
    const id = ids[Math.floor(random() * MAX_IN_CELL)];
    if (id !== undefined) accepted.push(id);
  }
  return accepted;
}
