import type { WebhookKey } from './stage.ts';

/** A queue in memory: round robin by tenant, then by webhook, then first in, first out. */
export interface FairQueue<T extends WebhookKey> {
  push(item: T): void;
  /** Removes and returns the first item that `tryStart` accepts. Undefined if it accepts none. */
  next(tryStart: (item: T) => boolean): T | undefined;
  removeWhere(matches: (item: T) => boolean): readonly T[];
  size(): number;
  sizeOf(webhook: WebhookKey): number;
  sizeOfTenant(tenantId: string): number;
}

interface TenantQueue<T> {
  size: number;
  readonly webhooks: Map<string, T[]>;
}

/** One search tries at most this number of webhooks of a tenant. The next search continues after them. */
const MAX_TRIED = 32;

export function createFairQueue<T extends WebhookKey>(): FairQueue<T> {
  /** Maps keep the order of service: a webhook that was tried, and a tenant that was served, move to the end. */
  const tenants = new Map<string, TenantQueue<T>>();
  let size = 0;

  function resize(tenantId: string, tenant: TenantQueue<T>, by: number): void {
    tenant.size += by;
    size += by;
    if (tenant.size === 0) tenants.delete(tenantId);
  }

  function nextOf({ webhooks }: TenantQueue<T>, tryStart: (item: T) => boolean): T | undefined {
    let left = Math.min(MAX_TRIED, webhooks.size);
    for (const [webhookId, items] of webhooks) {
      if (left === 0) return undefined;
      left -= 1;
      const [item] = items;
      const isStarted = item !== undefined && tryStart(item);
      if (isStarted) items.shift();
      webhooks.delete(webhookId);
      if (items.length > 0) webhooks.set(webhookId, items);
      if (isStarted) return item;
    }
    return undefined;
  }

  return {
    push(item) {
      const tenant = tenants.get(item.tenantId) ?? { size: 0, webhooks: new Map<string, T[]>() };
      const items = tenant.webhooks.get(item.webhookId) ?? [];
      items.push(item);
      tenant.webhooks.set(item.webhookId, items);
      tenants.set(item.tenantId, tenant);
      resize(item.tenantId, tenant, 1);
    },

    next(tryStart) {
      for (const [tenantId, tenant] of tenants) {
        const item = nextOf(tenant, tryStart);
        if (item === undefined) continue;
        tenants.delete(tenantId);
        tenants.set(tenantId, tenant);
        resize(tenantId, tenant, -1);
        return item;
      }
      return undefined;
    },

    removeWhere(matches) {
      const removed: T[] = [];
      for (const [tenantId, tenant] of [...tenants]) {
        for (const [webhookId, items] of [...tenant.webhooks]) {
          const { removed: ofWebhook = [], kept } = Object.groupBy(items, (item) =>
            matches(item) ? 'removed' : 'kept',
          );
          removed.push(...ofWebhook);
          if (kept === undefined) tenant.webhooks.delete(webhookId);
          else tenant.webhooks.set(webhookId, kept);
          resize(tenantId, tenant, -ofWebhook.length);
        }
      }
      return removed;
    },

    size: () => size,
    sizeOf: ({ tenantId, webhookId }) => tenants.get(tenantId)?.webhooks.get(webhookId)?.length ?? 0,
    sizeOfTenant: (tenantId) => tenants.get(tenantId)?.size ?? 0,
  };
}
