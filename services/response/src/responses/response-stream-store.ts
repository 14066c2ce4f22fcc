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
import { fromDocument, hintFor, type ResponseDocument, SCAN_LIMITS, toWalk } from './response-document-store.ts';
import type { ResponseFilter } from './response-filter.ts';

/** A fingerprint of responses. It changes when a response is added, changed or deleted. */
export interface ResponsesFingerprint {
  readonly count: number;
  /** A checksum: the sum of `updatedAt` of all responses, in milliseconds. */
  readonly changedMs: bigint;
}

/** The responses with one status and through one link, or at the survey's own address. */
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
interface StreamPosition {
  readonly after: Position | undefined;
  /** Whether an unlimited read took too long, so that the stream reads one slice of the index at a time. */
  readonly isSliced: boolean;
  /** The end of the slice that is being read. */
  readonly end?: Position | undefined;
}

type Last = Pick<ResponseDocument, '_id' | 'created_at'>;
type AnswersDocument = Last &
  Pick<ResponseDocument, 'survey_version' | 'status' | 'updated_at' | 'started_at' | 'completed_at' | 'data'>;

/** Maximum number of documents in one reply of MongoDB. A reply has at most 16 MiB. */
const PAGE = 500;
/** Number of documents that are deserialized at a time, to save memory. */
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
 * Reads the matching responses of a survey in chunks of up to a hundred, oldest first. If few of very many responses
 * match, it reads slices of the index (see `Walk`): a slice has a fixed number of index entries. The chunk of a slice
 * without matches is empty.
 */
export function createResponseStreamStore(collection: Collection<ResponseDocument>, limits: WalkLimits = SCAN_LIMITS) {
  /** Reads one reply of MongoDB. It leaves no cursor open, which could expire while a slow reader pauses. */
  function readPage(
    tenantId: TenantId,
    condition: TenantFilter<ResponseDocument>,
    options: Readonly<Pick<ReadOptions, 'projection' | 'hint'>> & TimeLimit,
  ): Promise<Uint8Array[]> {
    const found = tenantCollection(collection, tenantId).find<Uint8Array>(condition, {
      // MongoDB reads the index backwards.
      sort: { created_at: 1, _id: 1 },
      batchSize: PAGE,
      // A negative limit makes MongoDB return a single reply and close the cursor.
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

    async function readNext({
      after,
      isSliced,
      end,
    }: StreamPosition): Promise<[page: Uint8Array[], next?: StreamPosition]> {
      try {
        const slice = isSliced ? (end ?? (await findSliceEnd(walk, after, limits.slice))) : undefined;
        const options = { projection, ...hintFor(filter), ...(!isSliced && { maxTimeMS: limits.singleReadMs }) };
        const page = await readPage(tenantId, between(walk, after, slice), options);
        const last = afterLast(page);
        // The size of replies is limited, so a short reply is not the end. An empty reply ends a slice or the stream.
        if (last !== undefined) return [page, { after: last, isSliced, end: slice }];
        return slice === undefined ? [page] : [page, { after: slice, isSliced }];
      } catch (error) {
        if (isSliced || !isTimeLimit(error)) throw error;
        return readNext({ after, isSliced: true });
      }
    }

    let pending = readNext({ after: undefined, isSliced: limits.singleReadMs === 0 });
    for (;;) {
      const [page, next] = await pending;
      if (next === undefined) return;
      // Prefetch the next page while the reader processes this one.
      pending = readNext(next);
      // The next iteration handles a rejection. Ignore it if the reader stops earlier.
      pending.catch(() => {});
      if (page.length === 0) yield [];
      for (let start = 0; start < page.length; start += CHUNK) yield page.slice(start, start + CHUNK).map(toDocument);
    }
  }

  /** Aggregates the matching responses, slice by slice if they are too many. Calls `stagesOf` for each slice. */
  function aggregate<T extends Document>(
    tenantId: TenantId,
    filter: ResponseFilter,
    stagesOf: () => readonly Document[],
    sliceLimits = limits,
  ) {
    const walk = toWalk(collection, tenantId, filter);
    const read = (condition: TenantFilter<ResponseDocument>, timeLimit: TimeLimit) =>
      walk.collection
        .aggregate<T>([{ $match: condition }, ...stagesOf()], { ...hintFor(filter), ...timeLimit })
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

    /** Returns the versions that the matching responses answer, latest first. */
    async findVersions(tenantId: TenantId, filter: ResponseFilter): Promise<readonly number[]> {
      const group = { $group: { _id: '$survey_version' } };
      const versions = new Set<number>();
      for await (const { result } of aggregate<{ _id: number }>(tenantId, filter, () => [group]))
        for (const { _id } of result) versions.add(_id);
      return [...versions].sort((one, other) => other - one);
    },

    /** Returns the fingerprint of the matching responses, or of `max` of them if more match. */
    async findFingerprint(tenantId: TenantId, filter: ResponseFilter, max: number): Promise<ResponsesFingerprint> {
      let [count, changedMs] = [0, 0n];
      type Found = { readonly count: number; readonly changedMs: string };
      const found = aggregate<Found>(tenantId, filter, () => [
        { $limit: max - count },
        { $group: { _id: null, count: { $sum: 1 }, changedMs: { $sum: { $toLong: '$updated_at' } } } },
        // A string, because the sum exceeds the precision of JavaScript numbers. It fits 64 bits up to five million
        // responses, far more than a time slice has.
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
     * Counts the responses to a survey by status and link. If they are too many for one read, yields the groups of each
     * slice, and the caller adds them up.
     */
    async *countGroups(tenantId: TenantId, surveyId: string): AsyncGenerator<CountedGroups, void> {
      const _id = { status: '$status', link: '$link_id' };
      const group = { $group: { _id, count: { $sum: 1 }, lastAt: { $max: '$created_at' } } };
      type Found = Pick<CountedGroup, 'count' | 'lastAt'> & {
        readonly _id: { readonly status: ResponseStatus; readonly link: string | null };
      };
      // `WALK_LIMITS` makes each step short, because the counts of several surveys alternate.
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

export type ReadResponses<R> = (tenantId: TenantId, filter: ResponseFilter) => AsyncIterable<readonly R[]>;

interface Dependencies<S, R> {
  readonly read: ReadResponses<S>;
  readonly openAll: (tenantId: TenantId, sealed: readonly S[]) => Promise<readonly R[]>;
  readonly clock: () => Date;
}

/**
 * A read omits responses that were created more than this time after its start, so that it ends while responses keep
 * arriving. The tolerance includes responses of processes whose clock is ahead.
 */
const CLOCK_TOLERANCE_MS = 60_000;

/** Decrypts responses chunk by chunk, and yields to the event loop after each chunk. */
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
