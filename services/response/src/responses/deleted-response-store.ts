import { entombment } from '@survey/runtime/kafka/entomb';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { Collection, Document } from 'mongodb';
import type { StoredHead } from './response.ts';
import { NEWEST_FIRST, type ResponseDocument } from './response-store.ts';
import { IS_TOMBSTONE, type Tombstone, toTombstone } from './tombstone.ts';
import type { ResponsesOf, WriteWindows } from './write-window-store.ts';

type Events = readonly [OutboxEvent, ...OutboxEvent[]];

/**
 * Deletes responses. A deleted response leaves a tombstone, so that no repeated request, late write or resumed import
 * brings it back. The tombstone of a response that came through a link stays: the link may give out tokens.
 */
export interface DeletedResponseStore {
  /**
   * Deletes a response with all that it holds. False when it is not at this revision.
   *
   * @param entry of the ledger, when the response gives a seat back
   */
  remove(response: StoredHead, events: Events, entry?: string): Promise<boolean>;
  /**
   * Deletes some responses to a survey by one write; those that are not at their revision stay. Gives how many it was.
   *
   * @param entry of the ledger, when the responses give seats back
   */
  removeAll(survey: ResponsesOf, removals: readonly Removal[], entry?: string): Promise<number>;
  /** The same, without tombstones: for a survey to which nothing can be submitted any more. */
  purgeAll(survey: ResponsesOf, removals: readonly Removal[]): Promise<number>;
  /** Whether this is the id of a deleted response whose tombstone is still there. */
  has(id: string): Promise<boolean>;
  /** Deletes some tombstones that were made before a time and whose events are out. False when there were none. */
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

/** The index has tombstones without a tenant in one range. */
const PASSING = { tenant_id: null, ...IS_TOMBSTONE };
const BATCH = 1_000;

export function createDeletedResponseStore({ collection, windows, onEvent }: Dependencies): DeletedResponseStore {
  const responses = systemScope(collection);
  // Tombstones lie among the responses.
  const tombstones = systemScope(collection as unknown as Collection<Tombstone>);

  async function write(survey: ResponsesOf, removals: readonly Removal[], updateOf: (events: Events) => Document[]) {
    const writes = removals.map(({ response: { tenantId, id, revision }, events }) => ({
      updateOne: { filter: { _id: id, tenant_id: tenantId, revision }, update: updateOf(events) },
    }));
    const { matchedCount } = await windows.announce([survey], () => responses.bulkWrite(writes, { ordered: false }));
    onEvent();
    return matchedCount;
  }

  return {
    async remove(response, events, entry) {
      const removed = await write(response, [{ response, events }], (told) => toTombstone(told, entry));
      return removed === 1;
    },

    removeAll: (survey, removals, entry) => write(survey, removals, (events) => toTombstone(events, entry)),

    purgeAll: (survey, removals) => write(survey, removals, (events) => [...entombment(events)]),

    async has(id) {
      const deleted = { _id: id, ...IS_TOMBSTONE, status: { $ne: 'void' as const } };
      return (await tombstones.findOne(deleted, { maxTimeMS: 10_000 })) !== null;
    },

    async forgetSome(before) {
      const over = { ...PASSING, created_at: { $lt: before }, 'outbox.at': { $exists: false } };
      const found = await tombstones
        .find(over, { hint: NEWEST_FIRST, limit: BATCH, projection: { _id: 1 }, maxTimeMS: 10_000 })
        .toArray();
      if (found.length === 0) return false;
      await tombstones.deleteMany({ ...over, _id: { $in: found.map(({ _id }) => _id) } });
      return true;
    },
  };
}
