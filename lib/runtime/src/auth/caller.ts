import type { TenantId } from './tenant-id.ts';

/** The calling process and the user that it acts for, from the internal token. */
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

/** The author of a change, its tenant, and the request that caused it. The audit event of the change contains them. */
export interface ChangeContext {
  readonly tenantId: TenantId;
  /** The author: the id of the user, or the name of the service if no user acts. */
  readonly actor: string;
  readonly requestId: string;
  /** W3C trace context; empty if the call has none. */
  readonly traceparent: string;
}

/** Returns the context of a change that a service makes on its own, without a request. */
export function toServiceContext(service: string, tenantId: TenantId): ChangeContext {
  return { tenantId, actor: service, requestId: '', traceparent: '' };
}
