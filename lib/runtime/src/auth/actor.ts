import type { TenantId } from './tenant-id.ts';

/** The author of a change, its tenant, and the request that caused it. */
export interface Actor {
  readonly tenantId: TenantId;
  /** The id of the user, or the name of the service if no user acts. */
  readonly actor: string;
  readonly requestId: string;
  /** W3C trace context; empty if the call has none. */
  readonly traceparent: string;
}

/** Returns the actor for a change that a service makes on its own, without a request. */
export function toServiceActor(service: string, tenantId: TenantId): Actor {
  return { tenantId, actor: service, requestId: '', traceparent: '' };
}

/** The caller, as verified from its internal token. */
export interface Caller {
  /** The calling process: `gateway`, `import`, … */
  readonly service: string;
  /** Undefined on public routes. */
  readonly tenantId: TenantId | undefined;
  /** The id of the user; undefined on public routes. */
  readonly subject: string | undefined;
  readonly permissions: ReadonlySet<string>;
  /** The id of the API key with which the user is authenticated; undefined for a signed-in user. */
  readonly apiKeyId?: string | undefined;
}
