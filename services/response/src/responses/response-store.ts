import { randomUUID } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { toBatches } from '@survey/runtime/flow/batcher';
import type { OutboxDocument, OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { documentErrorsOf, type InsertOutcome, insertBatch } from '@survey/runtime/mongo/insert-batch';
import { cursorAfter, findPage, MAX_PAGE_BYTES, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import { type TenantDocument, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { readSlices, type TimeLimit, type WalkLimits } from '@survey/runtime/mongo/walk';
import { BSON, type Collection, type OptionalUnlessRequiredId } from 'mongodb';
import type { GroupCommit, Recheck } from './group-commit.ts';
import type { CorrectionRecord, ResponseFields, SealedResponse } from './response.ts';
import {
  findStates,
  fromCorrectionDocument,
  fromDocument,
  hintFor,
  IS_RESPONSE,
  PLAINTEXT_EXTERNAL_IDS,
  type ReplacedState,
  type ResponseDocument,
  replaceDocument,
  SCAN_LIMITS,
  SET_CHANGED,
  toCorrectionDocument,
  toDocument,
  toFields,
  toWalk,
} from './response-document-store.ts';
import { type ResponseFilter, toCondition } from './response-filter.ts';
import { randomSamplingKey, type SampleStore } from './sample-store.ts';
import type { SliceStore } from './slice-store.ts';
import type { SurveyRef, WriteWindows } from './write-window-store.ts';

const MAX_CORRECTIONS = 50;
/** Limit of `findByIds`. Answers can be five times as large in a message between services, and messages are limited. */
const MAX_FOUND_BYTES = 3 * 1024 * 1024;

/** Result for a response of a batch. `rejected`: the database rejects the document. */
export type StoreOutcome = 'inserted' | 'duplicate' | 'rejected';

/** The write of a submitted response, or of a save of a response in progress. */
export interface ResponseWrite {
  readonly response: SealedResponse;
  /** The document to replace: a tombstone or the response in progress. Undefined if the id is free. */
  readonly replaced: ReplacedState | undefined;
  readonly events: readonly OutboxEvent[];
  readonly recheck: Recheck;
}

/** Data that is stored with a change of a response. */
interface ReplacementRecords {
  /** Id of the ledger entry, if the response takes or frees a seat. */
  readonly ledgerEntryId?: string | undefined;
  readonly correction?: CorrectionRecord;
}

interface NewResponse {
  readonly response: SealedResponse;
  readonly events: readonly OutboxEvent[];
  /** The tombstone to replace. Undefined if the id is free. */
  readonly replaced?: ReplacedState | undefined;
}

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  readonly groupCommit: GroupCommit<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
  readonly slices: Pick<SliceStore, 'removeBetween'>;
  readonly samples: SampleStore;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** Called after each write that stored events. */
  readonly onEvent: () => void;
  readonly limits?: WalkLimits;
}

export type ResponseStore = ReturnType<typeof createResponseStore>;

/**
 * Stores responses. Each write stores a response with its events. Writes run in write windows: time spans in which
 * caches expect changes of responses. Corrections also delete slices: stored counts of a time range.
 */
export function createResponseStore(dependencies: Dependencies) {
  const { collection, groupCommit, windows, slices, samples, random, onEvent, limits } = dependencies;

  /** @param filter a filter that the responses must still match. Default: none */
  async function findByIds(tenantId: TenantId, ids: readonly string[], filter?: ResponseFilter) {
    const pending = new Set(ids);
    const found: SealedResponse[] = [];
    let bytes = 0;
    const condition = { ...(filter === undefined ? IS_RESPONSE : toCondition(filter)), _id: { $in: [...pending] } };
    for await (const document of tenantCollection(collection, tenantId).find(condition, { hint: '_id_' })) {
      bytes += BSON.calculateObjectSize(document);
      if (found.length > 0 && bytes > MAX_FOUND_BYTES) return { found, postponed: [...pending] };
      found.push(fromDocument(document));
      pending.delete(document._id);
    }
    return { found, postponed: [] };
  }

  return {
    /**
     * Stores a response, unless `recheck` rejects.
     *
     * @returns false if the document to replace has changed, or the id is taken
     */
    async put({ response, events, replaced, recheck }: ResponseWrite): Promise<boolean> {
      const document = toDocument(response, events, randomSamplingKey(random));
      const isStored = await windows.runInWindow([response], async () => {
        if (replaced === undefined) return (await groupCommit.add(document, recheck)) === 'inserted';
        await recheck();
        return replaceDocument(collection, document, replaced);
      });
      onEvent();
      return isStored;
    },

    /**
     * Inserts a batch in one write. Returns outcomes in the given order.
     *
     * @param ledgerEntryId id of the ledger entry, if the responses take seats
     */
    async insertAll(responses: readonly NewResponse[], ledgerEntryId?: string): Promise<readonly StoreOutcome[]> {
      const writes = responses.map(({ response, events, replaced }) => {
        const document = toDocument(response, events, randomSamplingKey(random));
        return {
          document: ledgerEntryId === undefined ? document : { ...document, ledger_entries: [ledgerEntryId] },
          replaced,
        };
      });
      const fresh = writes.flatMap(({ document, replaced }) => (replaced === undefined ? document : []));
      const outcomes = await windows.runInWindow(
        responses.map(({ response }) => response),
        async () => {
          const inserted = (await insertWithEvents(collection, fresh)).values();
          const written = writes.map(async ({ document, replaced }): Promise<StoreOutcome> => {
            if (replaced === undefined) return toOutcome(inserted.next().value);
            return (await replaceDocument(collection, document, replaced)) ? 'inserted' : 'duplicate';
          });
          return Promise.all(written);
        },
      );
      onEvent();
      return outcomes;
    },

    async find(tenantId: TenantId, id: string): Promise<SealedResponse | undefined> {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id, ...IS_RESPONSE });
      return document === null ? undefined : fromDocument(document);
    },

    /** Finds responses by id, up to some megabytes. If more follow, `postponed` contains the other ids. */
    findByIds: (tenantId: TenantId, ids: readonly string[]) => findByIds(tenantId, ids),

    /** Finds the last corrections of a response, oldest first. */
    async findCorrections(tenantId: TenantId, id: string) {
      type Found = Pick<ResponseDocument, 'survey_id' | 'corrections'>;
      const document = await tenantCollection(collection, tenantId).findOne<Found>(
        { _id: id, ...IS_RESPONSE },
        { projection: { survey_id: 1, corrections: 1 } },
      );
      if (document === null) return undefined;
      const { survey_id: surveyId, corrections = [] } = document;
      return { surveyId, corrections: corrections.map(fromCorrectionDocument) };
    },

    /** Whether the survey has responses of earlier releases with the external id. */
    async hasPlaintext({ tenantId, surveyId }: SurveyRef, externalId: string): Promise<boolean> {
      const condition = { survey_id: surveyId, external_id: externalId };
      const options = { projection: { _id: 1 }, hint: PLAINTEXT_EXTERNAL_IDS.name };
      return (await tenantCollection(collection, tenantId).findOne(condition, options)) !== null;
    },

    findStates: (ids: readonly string[]) => findStates(collection, ids),

    /** Lists responses by their time of creation. */
    async list(tenantId: TenantId, filter: ResponseFilter, page: PageQuery): Promise<Page<SealedResponse>> {
      const { collection: responses, filter: condition, within } = toWalk(collection, tenantId, filter);
      const { items, ...rest } = await findPage(responses, condition, page, { within, limits });
      return { items: items.map(fromDocument), ...rest };
    },

    /** The cursor of the page that begins after a response of the list. */
    cursorAfter(
      tenantId: TenantId,
      filter: ResponseFilter,
      page: Pick<PageQuery, 'order' | 'selection'>,
      { createdAt: time, id }: Pick<SealedResponse, 'createdAt' | 'id'>,
    ): string {
      return cursorAfter(tenantCollection(collection, tenantId), toCondition(filter), page, { time, id });
    },

    /**
     * Returns a uniform random sample without replacement, or all responses if fewer match. A slow sample continues on
     * the next page. Throws `VALIDATION_FAILED` if a page exceeds 16 MiB.
     */
    async sample(
      tenantId: TenantId,
      filter: ResponseFilter,
      { limit, cursor }: PageQuery,
    ): Promise<Page<SealedResponse>> {
      const responses = tenantCollection(collection, tenantId);
      const { ids: drawn, ...rest } = await samples.drawIds(tenantId, filter, limit, cursor);
      // Repeat the condition, because a response may have changed since it was drawn.
      const stillMatching = { ...toCondition(filter), _id: { $in: drawn } };
      const documents = await readAll(responses.find(stillMatching, { hint: '_id_' }));
      const byId = new Map(documents.map((document) => [document._id, document]));
      return { items: drawn.flatMap((id) => byId.get(id) ?? []).map(fromDocument), ...rest };
    },

    /** Yields the matching responses in random order, some at a time. */
    async *shuffle(tenantId: TenantId, filter: ResponseFilter): AsyncGenerator<readonly SealedResponse[]> {
      for await (const ids of samples.shuffleIds(tenantId, filter)) {
        for (let rest = ids; rest.length > 0; ) {
          const { found, postponed } = await findByIds(tenantId, rest, filter);
          yield found;
          rest = postponed;
        }
      }
    },

    /**
     * Counts the matching responses. If they are too many for one read, counts slices of the index.
     *
     * @param onSlice called after each slice except the last. Counting ends with the error that it throws
     */
    async count(tenantId: TenantId, filter: ResponseFilter, onSlice?: () => void): Promise<number> {
      const walk = toWalk(collection, tenantId, filter);
      const count = (condition: TenantFilter<ResponseDocument>, timeLimit: TimeLimit) =>
        walk.collection.countDocuments(condition, { ...hintFor(filter), ...timeLimit });
      let total = 0;
      for await (const { result, end } of readSlices(walk, undefined, count, limits ?? SCAN_LIMITS)) {
        total += result;
        if (end !== undefined) onSlice?.();
      }
      return total;
    },

    /** Replaces a response. Returns false if its revision is not that of `before`. */
    async replace(
      before: ResponseFields,
      after: SealedResponse,
      events: readonly OutboxEvent[],
      { ledgerEntryId, correction }: ReplacementRecords = {},
    ): Promise<boolean> {
      const { matchedCount } = await windows.runInWindow([before], () =>
        tenantCollection(collection, before.tenantId).updateOne(
          { _id: before.id, revision: before.revision },
          {
            $set: toFields(after),
            $push: {
              outbox: { $each: [...events] },
              ...(ledgerEntryId && { ledger_entries: ledgerEntryId }),
              ...(correction && {
                corrections: { $each: [toCorrectionDocument(correction)], $slice: -MAX_CORRECTIONS },
              }),
            },
            ...SET_CHANGED,
          },
        ),
      );
      onEvent();
      // Delete the stored counts that include the former answers.
      if (correction !== undefined) await slices.removeBetween(before, before.createdAt, before.createdAt);
      return matchedCount === 1;
    },
  };
}

function toOutcome(inserted: InsertOutcome | undefined): StoreOutcome {
  return inserted === undefined || inserted.kind === 'failed' ? 'rejected' : inserted.kind;
}

/** Throws `VALIDATION_FAILED` if the documents are too large, because a truncated sample would not be uniform. */
async function readAll(found: AsyncIterable<ResponseDocument>): Promise<readonly ResponseDocument[]> {
  const documents: ResponseDocument[] = [];
  let bytes = 0;
  for await (const document of found) {
    bytes += BSON.calculateObjectSize(document);
    if (bytes > MAX_PAGE_BYTES) throw new AppError('VALIDATION_FAILED', { errors: [SAMPLE_TOO_LARGE] });
    documents.push(document);
  }
  return documents;
}

export const SAMPLE_TOO_LARGE = {
  path: '/limit',
  code: 'TOO_LARGE',
  detail: 'the sample exceeds 16 MiB: use a smaller limit',
};

/** Limits of a carrier. The relay loads 500 documents at a time, and so up to 10,000 events. */
const CARRIER = { maxItems: 20, maxSize: 10_000_000, sizeOf: ({ value }: OutboxEvent) => value.length() };

/**
 * Like `insertBatch`, but cheaper for many documents with events. Stores the events in separate documents (carriers),
 * twenty in each, so the relay has fewer documents to update. All is one transaction. If it fails because of one
 * document, `insertBatch` stores the other documents.
 */
export async function insertWithEvents<D extends TenantDocument & OutboxDocument>(
  collection: Collection<D>,
  documents: readonly D[],
): Promise<readonly InsertOutcome[]> {
  const events = documents.flatMap(({ outbox = [] }) => outbox);
  // For few events, a transaction costs more than it saves.
  if (events.length < CARRIER.maxItems) return insertBatch(collection, documents);
  const stored = [...documents.map((document) => ({ ...document, outbox: [] })), ...toCarriers(events)];
  try {
    await inTransaction(collection.db.client, (session) =>
      // The type of the collection does not include carriers.
      collection.insertMany(stored as readonly unknown[] as readonly OptionalUnlessRequiredId<D>[], { session }),
    );
    return documents.map(() => ({ kind: 'inserted' }));
  } catch (error) {
    if (documentErrorsOf(error).length === 0) throw error;
    return insertBatch(collection, documents);
  }
}

/** With the flag `tombstone`, the relay deletes a document after it has published its events. */
function toCarriers(events: readonly OutboxEvent[]): readonly OutboxDocument[] {
  return toBatches(events, CARRIER).map((outbox) => ({ _id: randomUUID(), tombstone: true, outbox }));
}
