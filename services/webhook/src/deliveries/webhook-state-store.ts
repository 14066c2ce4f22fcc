import { randomUUID } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createBatcher } from '@survey/runtime/flow/batcher';
import { maxEntries } from '@survey/runtime/flow/memoize';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { LRUCache } from 'lru-cache';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { Webhook } from '../webhooks/webhook.ts';
import { fromDocument, type StoredBreaker, type WebhookDocument } from '../webhooks/webhook-store.ts';
import type { TestLimit } from './delivery-service.ts';
import type { Breaker, BreakerStore, FailureStore } from './receiver-health.ts';

/** The parts of a webhook that change often, as attempts succeed or fail. All processes share them. */
export interface WebhookState {
  readonly id: string;
  readonly revision: number;
  /** Undefined if the breaker is closed, or was opened for an earlier revision. */
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
  /** Finds webhooks of these tenants that subscribe to one of these event patterns. Includes disabled webhooks. */
  findSubscribed(tenantIds: Iterable<TenantId>, patterns: Iterable<string>): Promise<readonly Webhook[]>;
}

export interface WebhookReader {
  /** Returns the webhook as stored after the call began. Undefined if it does not exist. */
  find(tenantId: TenantId, id: string): Promise<Webhook | undefined>;
}

const MAX_WRITES = 500;

type StateDocument = Pick<WebhookDocument, '_id' | 'revision' | 'breaker' | 'failing'>;

interface Write {
  readonly webhook: Parameters<BreakerStore['write']>[0];
  readonly breaker: Breaker | undefined;
}

/** A request to send one delivery while the breaker is open. Only one process may send it. */
interface Probe {
  readonly webhook: Parameters<BreakerStore['takeProbe']>[0];
  readonly seen: Breaker;
  readonly next: Breaker;
}

type Probed = Awaited<ReturnType<BreakerStore['takeProbe']>>;

/** Reads and writes the state of webhooks for deliveries. Writes do not change the revision. */
export function createWebhookStateStore(
  collection: Collection<WebhookDocument>,
): WebhookBatches & Subscribers & BreakerStore & FailureStore & TestLimit {
  const all = systemScope(collection);

  // In an outage, breakers of many webhooks open and are probed at about the same time, so batch these writes.
  const breakerWrites = createBatcher({
    batch: { maxItems: MAX_WRITES },
    concurrency: 2,
    async flush(writes: readonly Write[]) {
      await all.bulkWrite(writes.map(toWrite), { ordered: false });
      return writes.map(() => undefined);
    },
  });

  const probes = createBatcher({
    batch: { maxItems: MAX_WRITES },
    concurrency: 2,
    async flush(wanted: readonly Probe[]) {
      const ids = wanted.map(() => randomUUID());
      await all.bulkWrite(
        wanted.map((probe, index) => toProbe(probe, ids[index] ?? '')),
        { ordered: false },
      );
      const documents = await findDocuments(wanted.map(({ webhook }) => webhook.webhookId));
      const found = new Map(documents.map((document) => [document._id, document]));
      return wanted.map(({ webhook }, index): Probed => {
        const document = found.get(webhook.webhookId);
        if (document?.breaker?.probe === ids[index]) return { kind: 'mine' };
        return { kind: 'theirs', breaker: document === undefined ? undefined : toState(document).breaker };
      });
    },
  });
  // A tombstone has no revision.
  const among = (ids: readonly string[]) => ({ _id: { $in: [...ids] }, revision: { $exists: true } });

  function findDocuments(ids: readonly string[]): Promise<readonly StateDocument[]> {
    const projection = { revision: 1, breaker: 1, failing: 1 };
    return all.find<StateDocument>(among(ids), { projection, maxTimeMS: 10_000 }).toArray();
  }

  return {
    findStates: async (ids) => (await findDocuments(ids)).map(toState),

    async findAll(ids) {
      return (await all.find(among(ids), { maxTimeMS: 10_000 }).toArray()).map(fromDocument);
    },

    async findSubscribed(tenantIds, patterns) {
      const filter = { tenant_id: { $in: [...tenantIds] }, event_types: { $in: [...patterns] } };
      return (await all.find(filter, { maxTimeMS: 10_000 }).toArray()).map(fromDocument);
    },

    write: (webhook, breaker) => breakerWrites.add({ webhook, breaker }),
    takeProbe: (webhook, seen, next) => probes.add({ webhook, seen, next }),

    async admitTest({ tenantId, id }, testId, { max, perMs }) {
      const isRecent = { $gt: ['$$this.at', { $subtract: ['$$NOW', perMs] }] };
      const recent = { $filter: { input: { $ifNull: ['$recent_tests', []] }, cond: isRecent } };
      const withTest = { $concatArrays: ['$recent_tests', [{ id: testId, at: '$$NOW' }]] };
      const isBelowLimit = { $lt: [{ $size: '$recent_tests' }, max] };
      // Use one update, so that concurrent tests cannot exceed the limit.
      const document = await tenantCollection(collection, tenantId).findOneAndUpdate(
        { _id: id, revision: { $exists: true } },
        [
          { $set: { recent_tests: recent } },
          { $set: { recent_tests: { $cond: [isBelowLimit, withTest, '$recent_tests'] } } },
        ],
      );
      const tests = document?.recent_tests ?? [];
      if (document === null || tests.some((test) => test.id === testId)) return undefined;
      return tests[0]?.at;
    },

    async noteFailure({ tenantId, id, revision }, now) {
      const isCurrent = { $eq: ['$failing.revision', '$revision'] };
      const failing = { $cond: [isCurrent, '$failing', { since: now, revision: '$revision' }] };
      const webhooks = tenantCollection(collection, tenantId);
      const document = await webhooks.findOneAndUpdate({ _id: id, revision }, [{ $set: { failing } }]);
      return document?.failing?.since;
    },

    async noteSuccess({ tenantId, id }) {
      const failing = { _id: id, failing: { $exists: true } };
      await tenantCollection(collection, tenantId).updateOne(failing, { $unset: { failing: '' } });
    },
  };
}

function toWrite({ webhook, breaker }: Write): AnyBulkWriteOperation<WebhookDocument> {
  const { webhookId, tenantId, revision } = webhook;
  const update = breaker === undefined ? { $unset: { breaker: '' as const } } : toUpdate(breaker, { revision });
  return { updateOne: { filter: { _id: webhookId, tenant_id: tenantId, revision }, update } };
}

/** Changes the breaker only if it equals `seen`. Keeps the revision that the breaker has stored. */
function toProbe({ webhook, seen, next }: Probe, id: string): AnyBulkWriteOperation<WebhookDocument> {
  const filter = { _id: webhook.webhookId, tenant_id: webhook.tenantId, 'breaker.until': new Date(seen.until) };
  return { updateOne: { filter, update: toUpdate(next, { probe: id }) } };
}

function toUpdate({ until, pauseMs }: Breaker, more: { readonly probe: string } | { readonly revision: number }) {
  const fields = { until: new Date(until), pause_ms: pauseMs, ...more };
  return [{ $set: { breaker: fields } }];
}

function toState(document: StateDocument): WebhookState {
  const { _id, revision, breaker, failing } = document;
  return {
    id: _id,
    revision,
    breaker: breaker?.revision === revision ? toBreaker(breaker) : undefined,
    failingSince: failing?.revision === revision ? failing.since : undefined,
  };
}

function toBreaker({ until, pause_ms }: StoredBreaker): Breaker {
  return { until: until.getTime(), pauseMs: pause_ms };
}

interface Dependencies {
  readonly batches: WebhookBatches;
  readonly onState: (state: WebhookState) => void;
}

const MAX_CACHED = 10_000;

/** Reads webhooks in batches. Compares the revision of a cached webhook each time, so it returns no stale webhook. */
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

  const loads = createBatcher({ flush: load, batch: { maxItems: 1_000 }, concurrency: 2 });
  return {
    async find(tenantId, id) {
      const webhook = await loads.add(id);
      return webhook?.tenantId === tenantId ? webhook : undefined;
    },
  };
}
