import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { TenantFilter } from '@survey/runtime/mongo/tenant-collection';
import { readSlices, type TimeLimit, WALK_LIMITS, type WalkLimits } from '@survey/runtime/mongo/walk';
import type { Collection } from 'mongodb';
import type { ResponseStatus } from '../responses/response.ts';
import { NEWEST_FIRST_HINT, type ResponseDocument, toWalk } from '../responses/response-document-store.ts';
import type { CountedGroup } from './response-count-service.ts';

/**
 * Counts the responses to a survey by status and link. Reads one index key for each response. Very many are counted in
 * several slices, whose groups the caller adds.
 */
export interface ResponseCountStore {
  count(tenantId: TenantId, surveyId: string): AsyncIterator<CountedSlice, void>;
}

interface CountedSlice {
  readonly groups: readonly CountedGroup[];
  readonly isLast: boolean;
}

interface Found {
  readonly _id: { readonly status: ResponseStatus; readonly link: string | null };
  readonly count: number;
  readonly lastAt: Date;
}

export function createResponseCountStore(
  collection: Collection<ResponseDocument>,
  limits: WalkLimits = WALK_LIMITS,
): ResponseCountStore {
  return {
    async *count(tenantId, surveyId) {
      const walk = toWalk(collection, tenantId, { surveyId });
      const group = {
        _id: { status: '$status', link: '$link_id' },
        count: { $sum: 1 },
        lastAt: { $max: '$created_at' },
      };
      const read = (condition: TenantFilter<ResponseDocument>, timeLimit: TimeLimit) =>
        walk.collection
          .aggregate<Found>([{ $match: condition }, { $group: group }], {
            ...NEWEST_FIRST_HINT,
            ...timeLimit,
          })
          .toArray();
      for await (const { result, end } of readSlices(walk, undefined, read, limits)) {
        const groups = result.map(({ _id: { status, link }, count, lastAt }) => {
          return { status, linkId: link ?? undefined, count, lastAt };
        });
        yield { groups, isLast: end === undefined };
      }
    },
  };
}
