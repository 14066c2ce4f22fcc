import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { entombment } from '@survey/runtime/kafka/entomb';
import type { OutboxDocument, OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { Collection } from 'mongodb';
import type { StoredHead } from './response.ts';
import { NEWEST_FIRST, type ResponseDocument } from './response-store.ts';
import type { ResponsesOf, WriteWindows } from './write-window-store.ts';

type Events = readonly [OutboxEvent, ...OutboxEvent[]];

/** What is left of a deleted response. It has no survey, so nothing that reads responses finds it. */
interface Remains extends OutboxDocument {
  readonly created_at: Date;
  /** There when the response came through a link: it goes with the tenant, and not before. */
  readonly tenant_id?: TenantId | null;
}

/**
 * Deletes responses. Of one that a request with a key made the id stays taken, so that the request cannot make it anew:
 * while the key is remembered, and for good where the key may be the token of a single-use link.
 */
export interface DeletedResponseStore {
  /** Deletes a response with all that it holds. False when it is not at this revision. */
  remove(response: StoredHead, events: Events): Promise<boolean>;
  /**
   * Deletes some responses to a survey by one write; those that are not at their revision stay. Gives how many it was.
   *
   * @param ids whether an id stays taken as above, or goes too: of a survey to which nothing can be submitted any more
   */
  removeAll(survey: ResponsesOf, removals: readonly Removal[], ids: 'stay' | 'go'): Promise<number>;
  /** Whether this is the id of a deleted response that is not forgotten yet. */
  has(id: string): Promise<boolean>;
  /** Forgets some ids of responses that were stored before a time and whose events are out. False when there were none. */
  forgetSome(before: Date): Promise<boolean>;
}

interface Removal {
  readonly response: StoredHead;
  readonly events: Events;
}

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'announce'>;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

/** Every response has a survey. */
const NO_RESPONSE = { survey_id: null };
/** In the index those of no tenant stand together. */
const NOBODYS = { tenant_id: null, ...NO_RESPONSE };
const BATCH = 1_000;

export function createDeletedResponseStore({ collection, windows, onEvent }: Dependencies): DeletedResponseStore {
  // They lie beside the responses, and have nothing of one but these fields.
  const remains = systemScope(collection as unknown as Collection<Remains>);

  return {
    async remove(response, events) {
      const { filter, update } = removalOf({ response, events }, 'stay');
      const removed = await windows.announce([response], () => systemScope(collection).updateOne(filter, update));
      onEvent();
      return removed.matchedCount === 1;
    },

    async removeAll(survey, removals, ids) {
      const writes = removals.map((removal) => ({ updateOne: removalOf(removal, ids) }));
      const write = () => systemScope(collection).bulkWrite(writes, { ordered: false });
      const { matchedCount } = await windows.announce([survey], write);
      onEvent();
      return matchedCount;
    },

    has: async (id) => (await remains.findOne({ _id: id, ...NO_RESPONSE }, { maxTimeMS: 10_000 })) !== null,

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

/** What takes a response away. */
function removalOf({ response: { tenantId, id, revision, requestHash }, events }: Removal, ids: 'stay' | 'go') {
  const filter = { _id: id, tenant_id: tenantId, revision };
  const update = requestHash === undefined || ids === 'go' ? entombment(events) : toRemains(events);
  return { filter, update: [...update] };
}

/** A link of which it is not known here whether it gave tokens, or will, is taken for one that did. */
const TENANT_OF_LINKED = { $cond: [{ $eq: ['$link_id', null] }, '$$REMOVE', '$tenant_id'] };

function toRemains(events: Events) {
  const outbox = { $concatArrays: ['$outbox', { $literal: events }] };
  return [{ $replaceWith: { _id: '$_id', created_at: '$created_at', outbox, tenant_id: TENANT_OF_LINKED } }];
}
