import { MAX_PAGE_BYTES } from '@survey/runtime/mongo/page';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { BSON, type ClientSession, type Collection, Timestamp } from 'mongodb';
import {
  CHANGE_INDEX,
  DELETION_INDEX,
  type Deletion,
  fromDocument,
  type ResponseDocument,
} from '../responses/response-document-store.ts';
import { WITHOUT_INTERNALS } from '../responses/response-stream-store.ts';
import type { SurveyRef } from '../responses/write-window-store.ts';
import type { ChangeHorizon } from './change-horizon-store.ts';
import { type FeedPoint, type FeedPosition, isAfter, type SealedChange, toTime, UNSTAMPED } from './change-service.ts';

interface ChangePage {
  readonly changes: readonly SealedChange[];
  readonly next: FeedPosition;
}

interface Found extends FeedPoint {
  readonly change: SealedChange;
}

interface Range {
  readonly from: FeedPoint;
  readonly limit: number;
  readonly session: ClientSession;
}

/** A range of stamped changes. A stamp is the cluster time of a write. Responses of earlier releases have none. */
interface StampedRange extends Range {
  readonly to: bigint;
}

/** Responses and deletions in order. `isCut`: more changes follow, but they would make the page too large. */
interface FoundChanges {
  readonly found: readonly Found[];
  readonly isCut: boolean;
}

const IN_ORDER = { changed: 1, _id: 1 } as const;

export type ChangeStore = ReturnType<typeof createChangeStore>;

/**
 * Reads the changes of responses in the order of their stamps, up to a horizon. A horizon is a cluster time: all writes
 * with earlier stamps have ended.
 */
export function createChangeStore(collection: Collection<ResponseDocument>) {
  // Tombstones are in the same collection as responses.
  const tombstones = collection as unknown as Collection<Deletion>;

  async function readResponses(
    { tenantId, surveyId }: SurveyRef,
    condition: object,
    { limit, session }: Range,
  ): Promise<FoundChanges> {
    // Both conditions are on fields of the index.
    const filter = { survey_id: surveyId, ...condition } as TenantFilter<ResponseDocument>;
    const options = { sort: IN_ORDER, hint: CHANGE_INDEX, limit, projection: WITHOUT_INTERNALS, session };
    const found: Found[] = [];
    let bytes = 0;
    for await (const document of tenantCollection(collection, tenantId).find(filter, options)) {
      bytes += BSON.calculateObjectSize(document);
      if (found.length > 0 && bytes > MAX_PAGE_BYTES) return { found, isCut: true };
      found.push(toFound(document));
    }
    return { found, isCut: false };
  }

  function readUnstamped(survey: SurveyRef, range: Range): Promise<FoundChanges> {
    return readResponses(survey, { changed: null, _id: { $gt: range.from.id } }, range);
  }

  async function readDeletions({ tenantId, surveyId }: SurveyRef, range: StampedRange): Promise<readonly Found[]> {
    // Both conditions are on fields of the index.
    const filter = { deleted_from: surveyId, ...between(range) } as TenantFilter<Deletion>;
    const { limit, session } = range;
    const projection = { revision: 1, changed: 1 } as const;
    const options = { sort: IN_ORDER, hint: DELETION_INDEX, limit, projection, session };
    return (await tenantCollection(tombstones, tenantId).find(filter, options).toArray()).map(toFoundDeletion);
  }

  async function readStamped(survey: SurveyRef, firstHorizon: bigint, range: StampedRange): Promise<FoundChanges> {
    const { found, isCut } = await readResponses(survey, between(range), range);
    const last = found.at(-1);
    const hasMore = isCut || found.length === range.limit;
    // A reader never got the responses that were deleted before the horizon of its first page.
    const start = { stamp: firstHorizon, id: '' };
    const from = isAfter(start, range.from) ? start : range.from;
    const deletions = await readDeletions(survey, { ...range, from });
    // Deletions after the last response belong to the next page.
    const inPage = deletions.filter((deletion) => !hasMore || last === undefined || isAfter(last, deletion));
    const all = [...found, ...inPage];
    return { found: all.toSorted((one, other) => (isAfter(one, other) ? 1 : -1)).slice(0, range.limit), isCut };
  }

  return {
    /**
     * Reads the changes between a position and the horizon, up to `limit` and 16 MiB. Without a position, starts with
     * all responses. A response appears once, at its last change.
     */
    async read(
      survey: SurveyRef,
      position: FeedPosition | undefined,
      { at, startSession }: ChangeHorizon,
      limit: number,
    ): Promise<ChangePage> {
      const { firstHorizon, ...from } = position ?? { firstHorizon: at, stamp: UNSTAMPED, id: '' };
      // The position comes from a process with a later horizon. This process has nothing to read yet.
      if (from.stamp >= at) return { changes: [], next: { firstHorizon, ...from } };
      const session = startSession();
      try {
        const range = { from, to: at, limit, session };
        // Responses without a stamp come first, on separate pages, in the order of their ids.
        const isUnstamped = from.stamp === UNSTAMPED;
        const unstamped = isUnstamped ? await readUnstamped(survey, range) : undefined;
        const isUnstampedPage = unstamped?.found[0] !== undefined;
        const { found, isCut } = isUnstampedPage ? unstamped : await readStamped(survey, firstHorizon, range);
        // Stamped changes follow the last page of unstamped ones.
        const hasMore = isCut || found.length === limit || isUnstampedPage;
        const { stamp, id } = (hasMore ? found.at(-1) : undefined) ?? { stamp: at, id: '' };
        return { changes: found.map(({ change }) => change), next: { firstHorizon, stamp, id } };
      } finally {
        await session.endSession();
      }
    },
  };
}

/** `$or` would suffice, but `$gte` lets MongoDB seek in the index. */
function between({ from, to }: StampedRange): object {
  const [start, end] = [new Timestamp(from.stamp), new Timestamp(to)];
  return { changed: { $gte: start, $lt: end }, $or: [{ changed: { $gt: start } }, { _id: { $gt: from.id } }] };
}

function toFound(document: ResponseDocument): Found {
  const response = fromDocument(document);
  const { id, revision, updatedAt } = response;
  const stamp = document.changed?.toBigInt() ?? UNSTAMPED;
  const changedAt = stamp === UNSTAMPED ? updatedAt : toTime(stamp);
  return { stamp, id, change: { id, revision, changedAt, response } };
}

function toFoundDeletion({ _id: id, revision, changed }: Deletion): Found {
  const stamp = changed?.toBigInt() ?? UNSTAMPED;
  return { stamp, id, change: { id, revision, changedAt: toTime(stamp), response: undefined } };
}
