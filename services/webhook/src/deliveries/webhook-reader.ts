import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createBatcher } from '@survey/runtime/flow/batcher';
import { LRUCache } from 'lru-cache';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Breaker } from './receiver-health.ts';

/** What changes of a webhook, without the rest. */
export interface WebhookState {
  readonly id: string;
  readonly revision: number;
  /** Undefined when it is closed, or was opened for an earlier revision. */
  readonly breaker: Breaker | undefined;
  /** Since when all deliveries that ended have failed; undefined when one was delivered last, or it was changed since. */
  readonly failingSince: Date | undefined;
}

/** Webhooks of any tenants, many at a time. Those that are not there are left out. */
export interface WebhookBatches {
  findStates(ids: readonly string[]): Promise<readonly WebhookState[]>;
  findAll(ids: readonly string[]): Promise<readonly Webhook[]>;
}

export interface Subscribers {
  /** The webhooks of any of the tenants that ask for one of the patterns and are active, or were until they were disabled. */
  findSubscribed(tenantIds: Iterable<TenantId>, patterns: Iterable<string>): Promise<readonly Webhook[]>;
}

export interface WebhookReader {
  /** The webhook as it is at some moment between the call and the answer; undefined when it is not there. */
  find(tenantId: TenantId, id: string): Promise<Webhook | undefined>;
}

interface Dependencies {
  readonly batches: WebhookBatches;
  readonly onState: (state: WebhookState) => void;
}

const MAX_KEPT = 10_000;

/**
 * Reads the webhooks of many deliveries together: their revisions each time, all of them only when they have changed.
 * So what was changed before the call is never missed, and what was not is neither read nor decrypted again.
 */
export function createWebhookReader({ batches, onState }: Dependencies): WebhookReader {
  const kept = new LRUCache<string, Webhook>({ max: MAX_KEPT });

  async function load(ids: readonly string[]): Promise<readonly (Webhook | undefined)[]> {
    const found = new Map<string, Webhook>();
    const changed: string[] = [];
    for (const state of await batches.findStates([...new Set(ids)])) {
      onState(state);
      const webhook = kept.get(state.id);
      if (webhook?.revision === state.revision) found.set(state.id, webhook);
      else changed.push(state.id);
    }
    for (const webhook of changed.length === 0 ? [] : await batches.findAll(changed)) {
      found.set(webhook.id, webhook);
      kept.set(webhook.id, webhook);
    }
    return ids.map((id) => found.get(id));
  }

  const loads = createBatcher({ flush: load, batch: { items: 1_000 }, concurrency: 2 });
  return {
    async find(tenantId, id) {
      const webhook = await loads.add(id);
      return webhook?.tenantId === tenantId ? webhook : undefined;
    },
  };
}
