import type { TenantId } from '../auth/tenant-id.ts';
import { type EventMessage, readEvent } from '../kafka/event-message.ts';

const statuses = ['active', 'suspended', 'deleted'] as const;

/** `active`: can do everything. `suspended`: can do nothing for now. `deleted`: can never do anything again. */
export type TenantStatus = (typeof statuses)[number];

/** The content of an event of the topic `tenant.events`. */
export interface TenantState {
  readonly tenantId: TenantId;
  readonly status: TenantStatus;
  /** Counts the changes of the tenant: a state with a higher revision is newer. */
  readonly revision: number;
  readonly time: Date;
}

/** Reads the members `status` and `revision` of the event's data. Throws if they are missing or invalid. */
export function readTenantState(message: Pick<EventMessage, 'value' | 'headers'>): TenantState {
  const { tenantId, time, data } = readEvent(message);
  const { status, revision } = data;
  const known = statuses.find((one) => one === status);
  if (known === undefined) throw new Error('the event has no status of a tenant');
  if (typeof revision !== 'number' || !Number.isInteger(revision)) throw new Error('the event has no revision');
  return { tenantId, status: known, revision, time };
}
