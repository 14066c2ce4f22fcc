import type { TenantId } from './tenant-id.ts';

/** Who stands behind a call, as the internal token tells. */
export interface Caller {
  /** The process that calls: `gateway`, `import`, … */
  readonly service: string;
  /** The tenant that the call is for; absent on public routes. */
  readonly tenantId: TenantId | undefined;
  /** The user; absent on public routes. */
  readonly subject: string | undefined;
  readonly permissions: ReadonlySet<string>;
}
