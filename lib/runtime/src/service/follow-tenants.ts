import { topics } from '@survey/proto/catalog';
import { LRUCache } from 'lru-cache';
import type { TenantId } from '../auth/tenant-id.ts';
import type { Worker } from '../flow/loop.ts';
import { maxEntries } from '../flow/memoize.ts';
import type { MessageHandler } from '../kafka/batch-handler.ts';
import { deadLetterTopic } from '../kafka/topics.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import { LEASES } from '../mongo/lease.ts';
import { systemScope } from '../mongo/system-scope.ts';
import { createTenantEraser, destroyTenantData, measureTenantErasures } from '../tenants/tenant-eraser.ts';
import { readTenantState, type TenantState, type TenantStatus } from '../tenants/tenant-state.ts';
import { createTenantStateStore, type TenantStateDocument, tenantStateIndexes } from '../tenants/tenant-state-store.ts';
import type { ServiceRuntime } from './service-runtime.ts';

/** Tenant states, and the parts of a service that follow them and erase deleted tenants. */
export interface FollowedTenants {
  /**
   * The status, at most a second old, or the last known one if the database is unreachable. `active` for unknown
   * tenants: the event of a new tenant may not have arrived.
   */
  statusOf(tenantId: TenantId): Promise<TenantStatus>;
  readonly indexes: IndexSpecs;
  readonly topics: readonly string[];
  readonly stoppedFirst: readonly Worker[];
  readonly stoppedLast: readonly Worker[];
}

interface Options {
  readonly config: { readonly tenantErasureSettleSeconds: number };
  /** Destroys the tenant's data keys, so that its encrypted data is unreadable. */
  readonly destroyDataKeys: (tenantId: TenantId) => Promise<void>;
  /** Called before each pass of an erasure, to keep data that must outlive the tenant. Must be safe to repeat. */
  readonly beforeEachPass?: (tenantId: TenantId) => Promise<void>;
  /** Collections that the erasure skips. Also list collections without data of tenants, to save the scan. */
  readonly keptCollections?: readonly string[];
}

const COLLECTION = 'tenant_states';

/** Copies tenant states from Kafka to `tenant_states`, and erases data of deleted tenants (`createTenantEraser`). */
export function followTenants(
  runtime: ServiceRuntime,
  { config, destroyDataKeys, beforeEachPass, keptCollections = [] }: Options,
): FollowedTenants {
  const { service, mongo, log, clock } = runtime;
  const collection = runtime.collection<TenantStateDocument>(COLLECTION);
  const states = createTenantStateStore(collection);
  // Publishes the reports of finished erasures.
  const relay = runtime.relay(systemScope(collection));
  const consumer = runtime.consumer({
    name: 'tenants',
    topics: [topics.tenant],
    handler: createTenantIntake(async (state) => {
      await states.save(state);
      if (state.status === 'deleted') eraser.wake();
    }),
  });
  const eraser = createTenantEraser({
    service,
    states,
    destroyDataKeys,
    async destroyData(tenantId, mayContinue) {
      await beforeEachPass?.(tenantId);
      const kept = [...keptCollections, COLLECTION, LEASES];
      return destroyTenantData(mongo.db, tenantId, { keptCollections: kept, mayContinue });
    },
    betweenPassesMs: config.tenantErasureSettleSeconds * 1_000,
    clock,
    lease: runtime.lease('tenant erasure'),
    onEvent: relay.wake,
    log,
  });
  measureTenantErasures({ states, clock, ...runtime.reporting });
  return {
    statusOf: cacheStatuses(states.statusOf),
    indexes: { [COLLECTION]: tenantStateIndexes },
    // The identity service owns some of these topics. The service that starts first creates them.
    topics: [topics.tenant, deadLetterTopic(topics.tenant), topics.audit],
    stoppedFirst: [consumer, eraser],
    stoppedLast: [relay],
  };
}

function createTenantIntake(save: (state: TenantState) => Promise<void>): MessageHandler<TenantState> {
  return {
    decode: readTenantState,
    async handle(states) {
      for (const state of states) await save(state);
    },
  };
}

const TTL_MS = 1_000;
const MAX_TENANTS = 10_000;

type StatusOf = (tenantId: TenantId) => Promise<TenantStatus>;

/**
 * Caches statuses of tenants. If loading fails, returns the cached status of any age, or throws the error if there is
 * none.
 *
 * @param now milliseconds that never decrease
 */
export function cacheStatuses(load: StatusOf, now = () => performance.now()): StatusOf {
  const cache = new LRUCache<TenantId, TenantStatus>({
    ...maxEntries(MAX_TENANTS),
    ttl: TTL_MS,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: load,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
  });
  // Without a cached status, the cache returns undefined and hides the error, so load again.
  return async (tenantId) => (await cache.fetch(tenantId)) ?? load(tenantId);
}
