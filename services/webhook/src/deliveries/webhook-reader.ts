import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createBatcher } from '@survey/runtime/flow/batcher';
import { maxEntries } from '@survey/runtime/flow/memoize';
import { LRUCache } from 'lru-cache';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Breaker } from './receiver-health.ts';

/** The parts of a webhook that change often. */
export interface WebhookState {
  readonly id: string;
  readonly revision: number;
  /** Undefined if it is closed, or was opened for an earlier revision. */
  readonly breaker: Breaker | undefined;
  /** Since this time, every delivery that ended has failed. Undefined after a success or a change of the webhook. */
  readonly failingSince: Date | undefined;
}

/** Reads webhooks of any tenants in batches. Missing webhooks are left out. */
export interface WebhookBatches {
  findStates(ids: readonly string[]): Promise<readonly WebhookState[]>;
  findAll(ids: readonly string[]): Promise<readonly Webhook[]>;
}

export interface Subscribers {
  /** Finds webhooks of these tenants that subscribe to one of these patterns of event types, also disabled ones. */
  findSubscribed(tenantIds: Iterable<TenantId>, patterns: Iterable<string>): Promise<readonly Webhook[]>;
}

export interface WebhookReader {
  /** Returns the webhook as stored after the call began. Undefined if it does not exist. */
  find(tenantId: TenantId, id: string): Promise<Webhook | undefined>;
}

interface Dependencies {
  readonly batches: WebhookBatches;
  readonly onState: (state: WebhookState) => void;
}

const MAX_CACHED = 10_000;

/**
 * Reads webhooks in batches, with a cache. It reads the revisions each time, and the webhooks only if their revision
 * has changed. So it never returns a stale webhook.
 */
export function createWebhookReader({ batches, onState }: Dependencies): WebhookReader {
  const cached = new LRUCache<string, Webhook>(maxEntries(MAX_CACHED));

  async function load(ids: readonly string[]): Promise<readonly (Webhook | undefined)[]> {
    const found = new Map<string, Webhook>();
    const changed: string[] = [];
    for (const state of await batches.findStates([...new Set(ids)])) {
      onState(state);
      const webhook = cached.get(state.id);
      if (webhook?.revision === state.revision) found.set(state.id, webhook);
      else changed.push(state.id);
    }
    for (const webhook of changed.length === 0 ? [] : await batches.findAll(changed)) {
      found.set(webhook.id, webhook);
      cached.set(webhook.id, webhook);
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
