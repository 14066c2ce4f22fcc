import type { TenantId } from './tenant-id.ts';

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
