import type { ClientSession, Collection, Document, Filter } from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import type { TenantDocument, TenantFilter } from '../mongo/tenant-collection.ts';
import { checkFilter } from '../mongo/tenant-guard.ts';
import type { OutboxDocument, OutboxEvent } from './outbox-event.ts';

/**
 * Deletes a document of a tenant, and stores the events of the deletion. An empty tombstone stays until the relay has
 * published the events; queries of tenants do not find it. Returns false if no document matches. Unique indexes of the
 * collection must be sparse, because tombstones lack all fields.
 *
 * @param events at least one: a tombstone without events would stay forever
 */
export async function replaceWithTombstone<D extends TenantDocument & OutboxDocument>(
  collection: Collection<D>,
  tenantId: TenantId,
  filter: TenantFilter<D>,
  events: readonly [OutboxEvent, ...OutboxEvent[]],
  session?: ClientSession,
): Promise<boolean> {
  checkFilter(filter);
  const { matchedCount } = await collection.updateOne(
    // Apart from the tenant, a `TenantFilter` is a `Filter`.
    { ...filter, tenant_id: tenantId } as Filter<D>,
    [...tombstoneUpdate(events)],
    session === undefined ? {} : { session },
  );
  return matchedCount === 1;
}

/**
 * The update of `replaceWithTombstone`, for bulk writes. The filter must name the tenant and the document.
 *
 * @param events at least one
 */
export function tombstoneUpdate(events: readonly [OutboxEvent, ...OutboxEvent[]]): readonly Document[] {
  const outbox = { $concatArrays: [{ $ifNull: ['$outbox', []] }, { $literal: events }] };
  return [{ $replaceWith: { _id: '$_id', tombstone: true, outbox } }];
}
