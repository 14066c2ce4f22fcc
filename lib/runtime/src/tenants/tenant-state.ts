import type { TenantId } from '../auth/tenant-id.ts';
import type { EventMessage } from '../kafka/event-message.ts';
import { readEvent } from '../kafka/read-event.ts';

const statuses = ['active', 'suspended', 'deleted'] as const;

/** What a tenant may do: everything, nothing for now, or nothing ever again. */
export type TenantStatus = (typeof statuses)[number];

/** What an event of the topic `tenant.events` says. */
export interface TenantState {
  readonly tenantId: TenantId;
  readonly status: TenantStatus;
  /** Counts the changes of the tenant: of two states the one with the higher revision is the later one. */
  readonly revision: number;
  /** When it came to be so. */
  readonly time: Date;
}

/** The state that an event tells: the members `status` and `revision` of its data. Throws when it has none. */
export function readTenantState(message: Pick<EventMessage, 'value' | 'headers'>): TenantState {
  const { tenantId, time, data } = readEvent(message);
  const { status, revision } = data;
  const known = statuses.find((one) => one === status);
  if (known === undefined) throw new Error('the event tells no status of a tenant');
  if (typeof revision !== 'number' || !Number.isInteger(revision)) throw new Error('the event tells no revision');
  return { tenantId, status: known, revision, time };
}
