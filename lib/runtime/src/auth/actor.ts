import type { TenantId } from './tenant-id.ts';

/** Who changes something, for whom, and because of which request. */
export interface Actor {
  readonly tenantId: TenantId;
  /** The user that acts, or the service where none does. */
  readonly actor: string;
  readonly requestId: string;
  /** W3C trace context, empty when the call came without. */
  readonly traceparent: string;
}
