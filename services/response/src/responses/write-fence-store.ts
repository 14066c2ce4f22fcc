import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { SET_CHANGED } from './change-stamp.ts';
import type { Response } from './response.ts';
import type { ResponseDocument } from './response-store.ts';
import { IS_TOMBSTONE, type Tombstone } from './tombstone.ts';
import type { WriteWindows } from './write-window-store.ts';

/** Makes later writes of stalled processes fail, so that the caller can assume that these writes never happen. */
export interface WriteFence {
  /**
   * From now on, no write can store a response with this id if it was planned before. Returns false if there is such a
   * response.
   */
  blockInsert(id: string): Promise<boolean>;
  /** From now on, nobody can change or delete this revision. Returns false if the response has changed. */
  blockChange(response: Pick<Response, 'tenantId' | 'surveyId' | 'id' | 'revision'>): Promise<boolean>;
}

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
  readonly clock: () => Date;
}

export function createWriteFence({ collection, windows, clock }: Dependencies): WriteFence {
  // Not limited to a tenant: void and blocked tombstones have none.
  const tombstones = systemScope(collection as unknown as Collection<Tombstone>);

  return {
    async blockInsert(id) {
      const revision = { $add: [{ $ifNull: ['$revision', -1] }, 1] };
      try {
        await tombstones.updateOne(
          { _id: id, status: { $in: ['void', 'blocked'] } },
          [{ $set: { status: 'blocked', revision, created_at: clock(), outbox: [] } }],
          { upsert: true },
        );
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await tombstones.findOne({ _id: id, ...IS_TOMBSTONE }, { maxTimeMS: 10_000 })) !== null;
      }
    },

    async blockChange(response) {
      const { tenantId, id, revision } = response;
      const responses = tenantCollection(collection, tenantId);
      const { matchedCount } = await windows.runInWindow([response], () =>
        responses.updateOne({ _id: id, revision }, { $inc: { revision: 1 }, ...SET_CHANGED }),
      );
      return matchedCount === 1;
    },
  };
}
