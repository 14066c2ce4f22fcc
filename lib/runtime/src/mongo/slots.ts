import { randomInt } from 'node:crypto';
import type { IndexSpecs } from './ensure-indexes.ts';
import { isDuplicateKey } from './mongo-errors.ts';
import type { TenantCollection, TenantDocument, TenantFilter } from './tenant-collection.ts';

/** A document that counts towards a limit while it has a slot. */
export interface SlotDocument extends TenantDocument {
  /** From 0 to one less than the limit; two documents of a group never have the same. */
  readonly slot?: number;
}

interface Limit<D extends SlotDocument> {
  readonly collection: TenantCollection<D>;
  /** Fields that documents of the same group have in common, beside their tenant: those of `slotIndex`. */
  readonly group?: TenantFilter<D>;
  /** How many documents of the group may have a slot. */
  readonly max: number;
  /** Id of the document that is to be written: it keeps the slot that it has. */
  readonly id: string;
}

/**
 * The index that enforces a limit, however many processes insert at the same time.
 *
 * @param group fields that documents of one group have in common, beside their tenant
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
 * Writes a document with a free slot of its group, so that a group never has more than `max` documents with one. The
 * slot is part of the document: it is free once the document is deleted or the field is unset. Gives undefined, and
 * writes nothing, when all slots are taken.
 *
 * @param write stores the document with this slot; called again when another document took the slot first
 */
export async function withSlot<D extends SlotDocument, T>(
  limit: Limit<D>,
  write: (slot: number) => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    const slot = await findFreeSlot(limit);
    if (slot === undefined) return undefined;
    try {
      return await write(slot);
    } catch (error) {
      // Each collision means that another document was stored, so this ends.
      if (!isDuplicateKey(error, 'slot')) throw error;
    }
  }
}

/** How many documents of the group have a slot. */
export function countSlots<D extends SlotDocument>({ collection, group, max }: Omit<Limit<D>, 'id'>): Promise<number> {
  return collection.countDocuments(inSlots(group), { limit: max });
}

async function findFreeSlot<D extends SlotDocument>({ collection, group, max, id }: Limit<D>) {
  const taken = await collection
    .find<Required<Pick<SlotDocument, '_id' | 'slot'>>>(inSlots(group), { projection: { slot: 1 }, limit: max })
    .toArray();
  const own = taken.find(({ _id }) => _id === id);
  if (own !== undefined) return own.slot;
  const slots = new Set(taken.map(({ slot }) => slot));
  const free = Array.from({ length: max }, (_, slot) => slot).filter((slot) => !slots.has(slot));
  // A random one: documents that are inserted at the same time seldom choose the same.
  return free.length === 0 ? undefined : free[randomInt(free.length)];
}

function inSlots<D extends SlotDocument>(group: TenantFilter<D> | undefined): TenantFilter<D> {
  // Every document here may have the field.
  return { ...group, slot: { $exists: true } } as TenantFilter<D>;
}
