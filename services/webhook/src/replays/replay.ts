import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Position } from '@survey/runtime/mongo/walk';
import type { DeliveryStatus } from '../deliveries/delivery.ts';

export type ReplayStatus = 'running' | 'completed' | 'cancelled' | 'failed';
export const replayableStatuses = ['delivered', 'failed'] as const satisfies readonly DeliveryStatus[];

/** Matches finished deliveries; tests only if `eventTypes` has their type. */
export interface ReplayFilter {
  readonly webhookId: string;
  /** Inclusive. */
  readonly since: Date | undefined;
  /** Exclusive. */
  readonly until: Date;
  readonly statuses: readonly (typeof replayableStatuses)[number][];
  /** If empty, all types. */
  readonly eventTypes: readonly string[];
}

/** A job that sends deliveries of a webhook again. */
export interface Replay {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly filter: ReplayFilter;
  readonly status: ReplayStatus;
  /** Number of deliveries that matched the filter at the start, as far as they are counted. */
  readonly total: number;
  /** Where counting continues. Undefined once all are counted; sending starts then. */
  readonly counting: Position | undefined;
  /** Number of deliveries that were made due. */
  readonly replayed: number;
  /** The last delivery of the batches so far. */
  readonly position: Position | undefined;
  /** Ids of deliveries to make due next; `position` is the last of them. They are not counted in `replayed` yet. */
  readonly batch: readonly string[];
  /** Increases with each change that the tenant can see. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}
