import { entomb } from '@survey/runtime/kafka/entomb';
import type { OutboxDocument, OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { Collection } from 'mongodb';
import type { SealedResponse } from './response.ts';
import { NEWEST_FIRST, type ResponseDocument } from './response-store.ts';

type Events = readonly [OutboxEvent, ...OutboxEvent[]];

/** What is left of a deleted response. It has no tenant, so no query of a tenant finds it. */
interface Remains extends OutboxDocument {
  readonly created_at: Date;
}

/** Deletes responses. Of one that a request with a key made the id stays taken, so that the request cannot make it anew. */
export interface DeletedResponseStore {
  /** Deletes a response with all that it holds. False when it is not at this revision. */
  remove(response: SealedResponse, events: Events): Promise<boolean>;
  /** Whether this is the id of a deleted response that is not forgotten yet. */
  has(id: string): Promise<boolean>;
  /** Forgets some ids of responses that were stored before a time and whose events are out. False when there were none. */
  forgetSome(before: Date): Promise<boolean>;
}

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

/** In the index those of no tenant stand together. */
const NOBODYS = { tenant_id: null, survey_id: null };
const BATCH = 1_000;

export function createDeletedResponseStore({ collection, onEvent }: Dependencies): DeletedResponseStore {
  // They lie beside the responses, and have nothing of one but these fields.
  const remains = systemScope(collection as unknown as Collection<Remains>);

  async function removeAllButId({ tenantId, id, revision }: SealedResponse, events: Events): Promise<boolean> {
    const outbox = { $concatArrays: ['$outbox', { $literal: events }] };
    const left = { _id: '$_id', created_at: '$created_at', outbox };
    const asItWas = { _id: id, tenant_id: tenantId, revision };
    const { matchedCount } = await systemScope(collection).updateOne(asItWas, [{ $replaceWith: left }]);
    return matchedCount === 1;
  }

  return {
    async remove(response, events) {
      const { tenantId, id, revision, requestHash } = response;
      const isRemoved =
        requestHash === undefined
          ? await entomb(collection, tenantId, { _id: id, revision }, events)
          : await removeAllButId(response, events);
      onEvent();
      return isRemoved;
    },

    has: async (id) => (await remains.findOne({ _id: id, ...NOBODYS }, { maxTimeMS: 10_000 })) !== null,

    async forgetSome(before) {
      const over = { ...NOBODYS, created_at: { $lt: before }, 'outbox.at': { $exists: false } };
      const found = await remains
        .find(over, { hint: NEWEST_FIRST, limit: BATCH, projection: { _id: 1 }, maxTimeMS: 10_000 })
        .toArray();
      if (found.length === 0) return false;
      await remains.deleteMany({ ...over, _id: { $in: found.map(({ _id }) => _id) } });
      return true;
    },
  };
}
