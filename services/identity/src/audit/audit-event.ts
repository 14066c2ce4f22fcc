import type { JsonValue } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { PageQuery } from '@survey/runtime/mongo/page';

/** A change of a record and its actor. */
export interface AuditEvent {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly action: string;
  readonly actor: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly changes: readonly AuditChange[];
  readonly requestId: string;
  readonly createdAt: Date;
}

/** A changed member of the record. `before` or `after` is absent if the member was; null is a value. */
export interface AuditChange {
  /** JSON pointer, such as `/settings/access`. */
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Filters of audit events; all must match. */
export interface AuditQuery extends PageQuery {
  readonly actor: string | undefined;
  readonly action: string | undefined;
  readonly resourceType: string | undefined;
  readonly resourceId: string | undefined;
  /** Inclusive. */
  readonly since: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
}
