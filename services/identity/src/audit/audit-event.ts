import type { JsonValue } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';

/** A change of a record, by somebody. */
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

/** One member that changed. A value that is undefined was or is not there; null is a value. */
export interface AuditChange {
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Which changes are asked for: those that fit everything that is given. */
export interface AuditQuery extends PageQuery {
  readonly actor: string | undefined;
  readonly action: string | undefined;
  readonly resourceType: string | undefined;
  readonly resourceId: string | undefined;
  readonly since: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
}

/** Where changes are kept, for good. */
export interface AuditEventStore {
  /** Resolves when all are stored durably; those that are there already stay as they are. */
  insertNew(events: readonly AuditEvent[]): Promise<void>;
  /** Newest first. */
  list(tenantId: TenantId, query: AuditQuery): Promise<Page<AuditEvent>>;
}
