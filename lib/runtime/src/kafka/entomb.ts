import type { ClientSession, Collection, Document, Filter } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import type { TenantDocument, TenantFilter } from '../mongo/tenant-collection.ts';
import { checkFilter } from '../mongo/tenant-guard.ts';
import type { OutboxDocument, OutboxEvent } from './outbox-event.ts';

/**
 * Deletes a document of a tenant that tells so by events: it stays as an emptied tombstone, that no query of a tenant
 * finds, until the relay has brought them out. False when there is none that fits the filter. Unique indexes of its
 * collection have to be sparse, so that tombstones, which lack their fields, do not collide.
 *
 * @param events at least one: a tombstone without would stay for ever
 */
export async function entomb<D extends TenantDocument & OutboxDocument>(
  collection: Collection<D>,
  tenantId: TenantId,
  filter: TenantFilter<D>,
  events: readonly [OutboxEvent, ...OutboxEvent[]],
  session?: ClientSession,
): Promise<boolean> {
  checkFilter(filter);
  const { matchedCount } = await collection.updateOne(
    // The tenant is the one field that the type of the filter took away.
    { ...filter, tenant_id: tenantId } as Filter<D>,
    [...entombment(events)],
    session === undefined ? {} : { session },
  );
  return matchedCount === 1;
}

/**
 * The update that `entomb` makes, for a write of many: whoever uses it names tenant and document in the filter.
 *
 * @param events at least one
 */
export function entombment(events: readonly [OutboxEvent, ...OutboxEvent[]]): readonly Document[] {
  const outbox = { $concatArrays: [{ $ifNull: ['$outbox', []] }, { $literal: events }] };
  return [{ $replaceWith: { _id: '$_id', tombstone: true, outbox } }];
}
