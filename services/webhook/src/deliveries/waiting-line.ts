import { createCounts } from './counts.ts';
import type { WebhookKey } from './lane.ts';

/** What waits in memory for a place. Tenants take turns, and so do the webhooks of a tenant. */
export interface WaitingLine<T extends WebhookKey> {
  push(item: T): void;
  /** The next one that `begin` takes, which it has then; undefined when it took none of those that it was shown. */
  next(begin: (item: T) => boolean): T | undefined;
  /** Takes out all that fit. */
  removeWhere(fits: (item: T) => boolean): readonly T[];
  size(): number;
  sizeOf(webhookId: string): number;
  sizeOfTenant(tenantId: string): number;
}

/** How many webhooks of a tenant are looked at for one that can go on, at the most; the others come first next time. */
const LOOK_AT = 32;

export function createWaitingLine<T extends WebhookKey>(): WaitingLine<T> {
  /** Who had a turn is moved to the end, of the tenants as of the webhooks of one. */
  const tenants = new Map<string, Map<string, T[]>>();
  const sizes = createCounts();
  let size = 0;

  function count({ tenantId, webhookId }: T, by: 1 | -1): void {
    size += by;
    sizes.add(`tenant ${tenantId}`, by);
    sizes.add(`webhook ${webhookId}`, by);
  }

  function store(tenantId: string, webhookId: string, items: T[]): void {
    const webhooks = tenants.get(tenantId) ?? new Map<string, T[]>();
    webhooks.delete(webhookId);
    if (items.length > 0) webhooks.set(webhookId, items);
    if (webhooks.size === 0) tenants.delete(tenantId);
    else tenants.set(tenantId, webhooks);
  }

  function nextOf(tenantId: string, webhooks: ReadonlyMap<string, T[]>, begin: (item: T) => boolean): T | undefined {
    let left = Math.min(LOOK_AT, webhooks.size);
    for (const [webhookId, items] of webhooks) {
      if (left === 0) return undefined;
      left -= 1;
      const [item] = items;
      const isTaken = item !== undefined && begin(item);
      store(tenantId, webhookId, isTaken ? items.slice(1) : items);
      if (isTaken) return item;
    }
    return undefined;
  }

  function remove(items: readonly T[]): readonly T[] {
    for (const item of items) count(item, -1);
    return items;
  }

  return {
    push(item) {
      const items = tenants.get(item.tenantId)?.get(item.webhookId);
      if (items === undefined) store(item.tenantId, item.webhookId, [item]);
      else items.push(item);
      count(item, 1);
    },

    next(begin) {
      for (const [tenantId, webhooks] of tenants) {
        const item = nextOf(tenantId, webhooks, begin);
        if (item === undefined) continue;
        const left = tenants.get(tenantId);
        tenants.delete(tenantId);
        if (left !== undefined) tenants.set(tenantId, left);
        count(item, -1);
        return item;
      }
      return undefined;
    },

    removeWhere(fits) {
      const removed: T[] = [];
      for (const [tenantId, webhooks] of [...tenants]) {
        for (const [webhookId, items] of [...webhooks]) {
          const [out, left] = [items.filter(fits), items.filter((item) => !fits(item))];
          if (out.length === 0) continue;
          removed.push(...out);
          store(tenantId, webhookId, left);
        }
      }
      return remove(removed);
    },

    size: () => size,
    sizeOf: (webhookId) => sizes.of(`webhook ${webhookId}`),
    sizeOfTenant: (tenantId) => sizes.of(`tenant ${tenantId}`),
  };
}
