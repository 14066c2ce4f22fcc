import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { DeliveryStatus } from '../deliveries/delivery.ts';

export type ReplayStatus = 'running' | 'completed' | 'cancelled' | 'failed';
export const replayableStatuses = ['delivered', 'failed'] as const satisfies readonly DeliveryStatus[];

/** Which deliveries to a webhook a replay is about: of those that are over, not of tests. */
export interface ReplayFilter {
  readonly webhookId: string;
  /** Made at this time or later. */
  readonly since: Date | undefined;
  /** Made before this time. */
  readonly until: Date;
  readonly statuses: readonly (typeof replayableStatuses)[number][];
  /** All types when there are none here. */
  readonly eventTypes: readonly string[];
}

/** A job that sends deliveries to a webhook once more. */
export interface Replay {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly filter: ReplayFilter;
  readonly status: ReplayStatus;
  /** How many deliveries fitted the filter when it was made. */
  readonly total: number;
  /** How many it has made due. */
  readonly replayed: number;
  /** What it has gone over. */
  readonly position: ReplayPosition | undefined;
  /** Ids of those that are to be made due next. They are before the position, and not counted yet. */
  readonly batch: readonly string[];
  /** Counts the changes of the record. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}

/** A delivery in the order in which they are replayed. */
export interface ReplayPosition {
  readonly createdAt: Date;
  readonly id: string;
}
