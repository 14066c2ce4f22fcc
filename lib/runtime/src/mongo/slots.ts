import { randomInt } from 'node:crypto';
import type { IndexSpecs } from './ensure-indexes.ts';
import { isDuplicateKey } from './mongo-errors.ts';
import type { TenantCollection, TenantDocument, TenantFilter } from './tenant-collection.ts';

/** A document that occupies a slot. The number of slots limits the documents of a group. */
export interface SlotDocument extends TenantDocument {
  /** From 0 to the limit minus one, unique in the group. */
  readonly slot?: number;
}

interface SlotRequest<D extends SlotDocument> {
  readonly collection: TenantCollection<D>;
  /** Values of the fields in `slotIndex` that define the group, in addition to the tenant. */
  readonly group?: TenantFilter<D>;
  readonly max: number;
  /** Id of the document to write. If it already has a slot, it keeps that slot. */
  readonly id: string;
}

/**
 * The unique index that enforces a limit under concurrent inserts.
 *
 * @param group fields that define a group, in addition to the tenant
 */
export function slotIndex(...group: readonly string[]): IndexSpecs[string][number] {
  return {
    name: 'slot',
    key: { tenant_id: 1, ...Object.fromEntries(group.map((field) => [field, 1 as const])), slot: 1 },
    unique: true,
    partialFilterExpression: { slot: { $exists: true } },
  };
}

/**
 * Writes a document with a free slot of its group, so that at most `max` documents have a slot. To free the slot,
 * delete the document or unset the field. Returns undefined, without writing, if all slots are taken.
 *
 * @param write stores the document with this slot; called again with another slot if another document has taken it
 */
export async function withSlot<D extends SlotDocument, T>(
  limit: SlotRequest<D>,
  write: (slot: number) => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    const slot = await findFreeSlot(limit);
    if (slot === undefined) return undefined;
    try {
      return await write(slot);
    } catch (error) {
      // Another document took this slot: try another one. The loop ends at the latest when all slots are taken.
      if (!isDuplicateKey(error, 'slot')) throw error;
    }
  }
}

export function countSlots<D extends SlotDocument>({
  collection,
  group,
  max,
}: Omit<SlotRequest<D>, 'id'>): Promise<number> {
  return collection.countDocuments(inSlots(group), { limit: max });
}

async function findFreeSlot<D extends SlotDocument>({ collection, group, max, id }: SlotRequest<D>) {
  const taken = await collection
    .find<Required<Pick<SlotDocument, '_id' | 'slot'>>>(inSlots(group), { projection: { slot: 1 } })
    .toArray();
  const existing = taken.find(({ _id }) => _id === id);
  if (existing !== undefined) return existing.slot;
  // There can be more than `max` if an earlier release had a higher limit.
  if (taken.length >= max) return undefined;
  const slots = new Set(taken.map(({ slot }) => slot));
  const free = Array.from({ length: max }, (_, slot) => slot).filter((slot) => !slots.has(slot));
  // A random slot makes collisions of concurrent inserts rare.
  return free[randomInt(free.length)];
}

function inSlots<D extends SlotDocument>(group: TenantFilter<D> | undefined): TenantFilter<D> {
  // The cast is safe: every `SlotDocument` can have a `slot`.
  return { ...group, slot: { $exists: true } } as TenantFilter<D>;
}
