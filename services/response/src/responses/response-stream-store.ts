import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { isTimeLimit } from '@survey/runtime/mongo/mongo-errors';
import { type ReadOptions, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import {
  between,
  findSliceEnd,
  type Position,
  readSlices,
  type TimeLimit,
  WALK_LIMITS,
  type WalkLimits,
} from '@survey/runtime/mongo/walk';
import { BSON, type Collection, type Document } from 'mongodb';
import type { ResponseStatus, SealedAnswers, SealedResponse } from './response.ts';
import {
  fromDocument,
  NEWEST_FIRST_HINT,
  type ResponseDocument,
  SCAN_LIMITS,
  toWalk,
} from './response-document-store.ts';
import type { ResponseFilter } from './response-filter.ts';

/** A fingerprint of responses: it changes when a response is added, changed or deleted. */
export interface ResponsesState {
  readonly count: number;
  /** A checksum: the sum of the times of the last change of each response, in milliseconds since 1970. */
  readonly changedMs: bigint;
}

/** The responses with one status, through one link. */
export interface CountedGroup {
  readonly status: ResponseStatus;
  readonly linkId: string | undefined;
  readonly count: number;
  /** Time of creation of the latest response. */
  readonly lastAt: Date;
}

interface CountedGroups {
  readonly groups: readonly CountedGroup[];
  readonly isLast: boolean;
}

/** The position at which a stream continues. */
interface Reading {
  readonly after: Position | undefined;
  /** Whether a read without an end took too long, so that the stream reads one slice of the index after the other. */
  readonly isSliced: boolean;
  /** The end of the slice that is being read. */
  readonly end?: Position | undefined;
}

type Last = Pick<ResponseDocument, '_id' | 'created_at'>;
type AnswersDocument = Last &
  Pick<ResponseDocument, 'survey_version' | 'status' | 'updated_at' | 'started_at' | 'completed_at' | 'data'>;

/** Maximum documents in one reply of MongoDB. A reply has at most 16 MiB. */
const PAGE = 500;
/** Documents deserialized at a time, so that few objects are alive. */
const CHUNK = 100;
export const WITHOUT_INTERNALS = { outbox: 0, request_hash: 0, draw: 0, ledger_entries: 0, corrections: 0 } as const;
const ANSWERS = {
  created_at: 1,
  survey_version: 1,
  status: 1,
  updated_at: 1,
  started_at: 1,
  completed_at: 1,
  data: 1,
} as const;

export type ResponseStreamStore = ReturnType<typeof createResponseStreamStore>;

/**
 * Reads all matching responses of a survey, oldest first, up to a hundred at a time. Chunks can be empty if few of very
 * many responses match. Then it reads slices: consecutive documents of the index, always the same number (see `Walk`).
 */
export function createResponseStreamStore(collection: Collection<ResponseDocument>, limits: WalkLimits = SCAN_LIMITS) {
  /** Reads one reply of MongoDB. No cursor stays open, so a slow reader cannot let it expire. */
  function readPage(
    tenantId: TenantId,
    condition: TenantFilter<ResponseDocument>,
    options: Readonly<Pick<ReadOptions, 'projection'>> & TimeLimit,
  ): Promise<Uint8Array[]> {
    const found = tenantCollection(collection, tenantId).find<Uint8Array>(condition, {
      // MongoDB reads the index backwards.
      ...NEWEST_FIRST_HINT,
      sort: { created_at: 1, _id: 1 },
      batchSize: PAGE,
      // With a negative limit, MongoDB returns a single reply and closes the cursor.
      limit: -PAGE,
      raw: true,
      ...options,
    });
    return found.toArray();
  }

  async function* readAll<D extends Last>(
    tenantId: TenantId,
    filter: ResponseFilter,
    projection: Readonly<Record<string, 0 | 1>>,
  ): AsyncGenerator<readonly D[]> {
    const walk = toWalk(collection, tenantId, filter);
    // The projection determines the fields of the documents.
    const toDocument = (bytes: Uint8Array) => BSON.deserialize(bytes) as D;
    const afterLast = (page: readonly Uint8Array[]): Position | undefined => {
      const last = page.at(-1);
      if (last === undefined) return undefined;
      const { created_at: time, _id: id } = toDocument(last);
      return { time, id };
    };

    async function readNext({ after, isSliced, end }: Reading): Promise<[page: Uint8Array[], next?: Reading]> {
      try {
        const slice = isSliced ? (end ?? (await findSliceEnd(walk, after, limits.slice))) : undefined;
        const options = { projection, ...(!isSliced && { maxTimeMS: limits.singleReadMs }) };
        const page = await readPage(tenantId, between(walk, after, slice), options);
        const last = afterLast(page);
        // The size of a reply is limited, so a short one is not the end. Only an empty reply ends a slice or the
        // stream.
        if (last !== undefined) return [page, { after: last, isSliced, end: slice }];
        return slice === undefined ? [page] : [page, { after: slice, isSliced }];
      } catch (error) {
        if (isSliced || !isTimeLimit(error)) throw error;
        return readNext({ after, isSliced: true });
      }
    }

    let reading = readNext({ after: undefined, isSliced: limits.singleReadMs === 0 });
    for (;;) {
      const [page, next] = await reading;
      if (next === undefined) return;
      // Prefetch the next page while the reader processes this one.
      reading = readNext(next);
      // The rejection is handled in the next iteration. Ignore it if the reader stops before.
      reading.catch(() => {});
      if (page.length === 0) yield [];
      for (let start = 0; start < page.length; start += CHUNK) yield page.slice(start, start + CHUNK).map(toDocument);
    }
  }

  /** Aggregates the matching responses, slice by slice if there are very many. `stagesOf` is called for each slice. */
  function aggregate<T extends Document>(
    tenantId: TenantId,
    filter: ResponseFilter,
    stagesOf: () => readonly Document[],
    sliceLimits = limits,
  ) {
    const walk = toWalk(collection, tenantId, filter);
    const read = (condition: TenantFilter<ResponseDocument>, timeLimit: TimeLimit) =>
      walk.collection
        .aggregate<T>([{ $match: condition }, ...stagesOf()], { ...NEWEST_FIRST_HINT, ...timeLimit })
        .toArray();
    return readSlices(walk, undefined, read, sliceLimits);
  }

  return {
    async *read(tenantId: TenantId, filter: ResponseFilter): AsyncIterable<readonly SealedResponse[]> {
      for await (const documents of readAll<ResponseDocument>(tenantId, filter, WITHOUT_INTERNALS))
        yield documents.map(fromDocument);
    },

    async *readAnswers(tenantId: TenantId, filter: ResponseFilter): AsyncIterable<readonly SealedAnswers[]> {
      const { surveyId } = filter;
      for await (const documents of readAll<AnswersDocument>(tenantId, filter, ANSWERS))
        yield documents.map((document) => ({ ...toAnswers(document), tenantId, surveyId }));
    },

    /** Returns the versions that responses answer, latest first. */
    async findVersions(tenantId: TenantId, filter: ResponseFilter): Promise<readonly number[]> {
      const group = { $group: { _id: '$survey_version' } };
      const versions = new Set<number>();
      for await (const { result } of aggregate<{ _id: number }>(tenantId, filter, () => [group]))
        for (const { _id } of result) versions.add(_id);
      return [...versions].sort((one, other) => other - one);
    },

    /** Returns the state of the matching responses, or of `max` of them if there are more. */
    async findState(tenantId: TenantId, filter: ResponseFilter, max: number): Promise<ResponsesState> {
      let [count, changedMs] = [0, 0n];
      type Found = { readonly count: number; readonly changedMs: string };
      const found = aggregate<Found>(tenantId, filter, () => [
        { $limit: max - count },
        // The 64-bit sum overflows above five million responses.
        { $group: { _id: null, count: { $sum: 1 }, changedMs: { $sum: { $toLong: '$updated_at' } } } },
        // The sum exceeds the precision of JavaScript numbers.
        { $set: { changedMs: { $toString: '$changedMs' } } },
      ]);
      for await (const { result } of found) {
        count += result[0]?.count ?? 0;
        changedMs += BigInt(result[0]?.changedMs ?? 0);
        if (count >= max) break;
      }
      return { count, changedMs };
    },

    /**
     * Counts the responses to a survey by status and link. Very many are counted in several slices, whose groups the
     * caller adds.
     */
    async *countGroups(tenantId: TenantId, surveyId: string): AsyncGenerator<CountedGroups, void> {
      const _id = { status: '$status', link: '$link_id' };
      const group = { $group: { _id, count: { $sum: 1 }, lastAt: { $max: '$created_at' } } };
      type Found = Pick<CountedGroup, 'count' | 'lastAt'> & {
        readonly _id: { readonly status: ResponseStatus; readonly link: string | null };
      };
      // `WALK_LIMITS` gives shorter slices of time, because the counts of several surveys alternate.
      for await (const { result, end } of aggregate<Found>(tenantId, { surveyId }, () => [group], WALK_LIMITS)) {
        const groups = result.map(({ _id: { status, link }, count, lastAt }) => {
          return { status, linkId: link ?? undefined, count, lastAt };
        });
        yield { groups, isLast: end === undefined };
      }
    },
  };
}

function toAnswers(document: AnswersDocument) {
  const { _id: id, survey_version: surveyVersion, status, completed_at: completedAt, data } = document;
  const { created_at: createdAt, updated_at: updatedAt, started_at: startedAt } = document;
  const times = { createdAt, updatedAt, startedAt: startedAt ?? undefined, completedAt: completedAt ?? undefined };
  return { id, surveyVersion, status, ...times, data };
}

/** Reads the matching responses of a survey in chunks, oldest first. */
export type ReadResponses<R> = (tenantId: TenantId, filter: ResponseFilter) => AsyncIterable<readonly R[]>;

interface Dependencies<S, R> {
  readonly read: ReadResponses<S>;
  readonly openAll: (tenantId: TenantId, sealed: readonly S[]) => Promise<readonly R[]>;
  readonly clock: () => Date;
}

/**
 * A read omits responses that are created more than this time after its start, so it ends even if responses keep
 * arriving. The tolerance includes responses from processes whose clock is ahead.
 */
const CLOCK_TOLERANCE_MS = 60_000;

/** Decrypts chunks of responses, and yields to the event loop after each. */
export function createResponseStream<S, R>({ read, openAll, clock }: Dependencies<S, R>): ReadResponses<R> {
  return async function* (tenantId, filter) {
    const end = new Date(clock().getTime() + CLOCK_TOLERANCE_MS);
    const { until = end } = filter;
    for await (const sealed of read(tenantId, { ...filter, until: until < end ? until : end })) {
      yield openAll(tenantId, sealed);
      await yieldToEventLoop();
    }
  };
}
