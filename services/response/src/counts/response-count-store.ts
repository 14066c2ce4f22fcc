import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { ResponseStatus } from '../responses/response.ts';
import { type ResponseDocument, SCAN_OPTIONS } from '../responses/response-store.ts';
import type { CountedGroup } from './response-counts.ts';

/** Counts the responses to a survey by status and link. Reads one index key for each response. */
export interface ResponseCountStore {
  count(tenantId: TenantId, surveyId: string): Promise<readonly CountedGroup[]>;
}

interface Found {
  readonly _id: { readonly status: ResponseStatus; readonly link: string | null };
  readonly count: number;
  readonly lastAt: Date;
}

export function createResponseCountStore(collection: Collection<ResponseDocument>): ResponseCountStore {
  return {
    async count(tenantId, surveyId) {
      const stages = [
        { $match: { survey_id: surveyId } },
        {
          $group: {
            _id: { status: '$status', link: '$link_id' },
            count: { $sum: 1 },
            lastAt: { $max: '$created_at' },
          },
        },
      ];
      const found = await tenantCollection(collection, tenantId).aggregate<Found>(stages, SCAN_OPTIONS).toArray();
      return found.map(({ _id, count, lastAt }) => ({
        status: _id.status,
        linkId: _id.link ?? undefined,
        count,
        lastAt,
      }));
    },
  };
}
