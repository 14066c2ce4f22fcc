import type { JsonValue } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { parseUnchecked } from '@survey/runtime/json/parse-json';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { findPage, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';

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

/** A changed member of a record. An added member has no `before`, a removed member has no `after`. Null is a value. */
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

export interface AuditEventDocument {
  /** Id of the event, so a repeated insert does nothing. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly action: string;
  readonly actor: string;
  readonly resource_type: string;
  readonly resource_id: string;
  /** As JSON text, because BSON changes some objects in survey definitions, such as `{"$ref": …, "$id": …}`. */
  readonly changes: string;
  readonly request_id: string;
  readonly created_at: Date;
}

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;

/**
 * One index per filter. If a query has several filters, MongoDB uses the index of one filter, and checks the other
 * filters on the documents that it finds.
 */
export const auditEventIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, ...NEWEST_FIRST } },
  { name: 'by_actor', key: { tenant_id: 1, actor: 1, ...NEWEST_FIRST } },
  { name: 'by_action', key: { tenant_id: 1, action: 1, ...NEWEST_FIRST } },
  { name: 'by_resource_type', key: { tenant_id: 1, resource_type: 1, ...NEWEST_FIRST } },
  { name: 'by_resource', key: { tenant_id: 1, resource_id: 1, ...NEWEST_FIRST } },
];

export type AuditEventStore = ReturnType<typeof createAuditEventStore>;

/** Stores the audit log of tenants: the changes that users and services made. */
export function createAuditEventStore(collection: Collection<AuditEventDocument>) {
  return {
    /** Stores events that are not stored yet: the consumer repeats events after a crash. */
    async insertNew(events: readonly AuditEvent[]): Promise<void> {
      if (events.length === 0) return;
      const outcomes = await insertBatch(collection, events.map(toDocument));
      const failure = outcomes.find((outcome) => outcome.kind === 'failed');
      if (failure !== undefined) throw new Error('cannot store audit events', { cause: failure.error });
    },

    /** Newest first. */
    async list(tenantId: TenantId, query: AuditQuery): Promise<Page<AuditEvent>> {
      const { since, until } = query;
      // The part of the filter that every index serves.
      const within = toFilter({ since, until });
      const { items, ...rest } = await findPage(tenantCollection(collection, tenantId), toFilter(query), query, {
        within,
      });
      return { items: items.map(fromDocument), ...rest };
    },
  };
}

function toFilter({ actor, action, resourceType, resourceId, since, until }: Partial<AuditQuery>) {
  const time = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  return {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(resourceType !== undefined && { resource_type: resourceType }),
    ...(resourceId !== undefined && { resource_id: resourceId }),
    ...((since ?? until) && { created_at: time }),
  } satisfies TenantFilter<AuditEventDocument>;
}

function toDocument(event: AuditEvent): AuditEventDocument {
  return {
    _id: event.id,
    tenant_id: event.tenantId,
    action: event.action,
    actor: event.actor,
    resource_type: event.resourceType,
    resource_id: event.resourceId,
    changes: JSON.stringify(event.changes),
    request_id: event.requestId,
    created_at: event.createdAt,
  };
}

function fromDocument(document: AuditEventDocument): AuditEvent {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    action: document.action,
    actor: document.actor,
    resourceType: document.resource_type,
    resourceId: document.resource_id,
    // The cast is safe, because toDocument wrote this text from the changes of an event.
    changes: parseUnchecked(document.changes) as unknown as AuditEvent['changes'],
    requestId: document.request_id,
    createdAt: document.created_at,
  };
}
