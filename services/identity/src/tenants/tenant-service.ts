import type { JsonObject } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import { makeEvent, type OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { changeLatest, type IfMatch } from '@survey/runtime/rpc/if-match';
import {
  activate,
  isDeletedOrDeleting,
  newTenant,
  recordErasure,
  remove,
  removeUnfinished,
  rename,
  resume,
  setLimits,
  suspend,
  type Tenant,
  type TenantLimits,
} from './tenant.ts';
import type { TenantStore } from './tenant-store.ts';

const DEFAULT_PAGE_SIZE = 100;

/** An operator, who acts on any tenant. */
export type Operator = Omit<ChangeContext, 'tenantId'>;

/** A report that a service has destroyed all data of a deleted tenant. */
export interface Erasure {
  readonly tenantId: TenantId;
  readonly service: string;
}

interface Dependencies {
  readonly tenants: Omit<TenantStore, 'findUnfinished'>;
  readonly users: {
    /** Adds the owner of a new tenant. */
    addOwner(context: ChangeContext, email: string): Promise<{ readonly id: string }>;
  };
  /** Names of all services with data of tenants. */
  readonly services: readonly string[];
  readonly clock: () => Date;
  readonly newId: () => string;
}

export type TenantService = ReturnType<typeof createTenantService>;

/** Manages tenants. A deleted tenant is `deleting` until all services have reported the erasure of its data. */
export function createTenantService({ tenants, users, services, clock, newId }: Dependencies) {
  async function get(id: TenantId): Promise<Tenant> {
    const tenant = await tenants.find(id);
    if (tenant === undefined) throw new AppError('TENANT_NOT_FOUND');
    return tenant;
  }

  /** @param apply returns the changed tenant, or the same object if nothing changes */
  function write(
    { tenantId, ifMatch }: { readonly tenantId: TenantId; readonly ifMatch?: IfMatch | undefined },
    apply: (tenant: Tenant, time: Date) => Tenant,
    eventsOf: (before: Tenant, after: Tenant) => readonly OutboxEvent[],
  ): Promise<Tenant> {
    return changeLatest(
      { ifMatch },
      {
        read: () => get(tenantId),
        async write(before) {
          const after = apply(before, clock());
          if (after === before) return before;
          return (await tenants.replace(before, after, eventsOf(before, after))) ? after : undefined;
        },
      },
    );
  }

  const changeBy = (
    context: ChangeContext,
    action: TenantAction,
    apply: Parameters<typeof write>[1],
    ifMatch?: IfMatch,
  ) =>
    write({ tenantId: context.tenantId, ifMatch }, apply, (before, after) =>
      tenantEvents(context, action, before, after),
    );

  return {
    /** Creates a tenant with its owner, then activates it. After a crash, `createTenantSweeper` removes the tenant. */
    async create(operator: Operator, { name, ownerEmail }: { name: string; ownerEmail: string }) {
      const context = { ...operator, tenantId: toTenantId(newId()) };
      await tenants.insert(newTenant(context.tenantId, name, clock()));
      const owner = await users.addOwner(context, ownerEmail);
      await changeBy(context, 'tenant.created', activate);
      return { tenantId: context.tenantId, userId: owner.id };
    },

    get,

    /** Returns a page of all tenants, oldest first, and whether more follow. */
    async list({
      limit = DEFAULT_PAGE_SIZE,
      after,
    }: {
      readonly limit?: number | undefined;
      readonly after?: TenantId;
    }) {
      const found = await tenants.list({ limit: limit + 1, after });
      return { tenants: found.slice(0, limit), hasMore: found.length > limit };
    },

    /** Renames the tenant of the calling user. */
    change: (
      context: ChangeContext,
      { name }: { readonly name?: string },
      ifMatch: IfMatch | undefined,
    ): Promise<Tenant> =>
      changeBy(context, 'tenant.updated', (tenant, time) => rename(tenant, name ?? tenant.name, time), ifMatch),
    setLimits: (context: ChangeContext, limits: TenantLimits): Promise<Tenant> =>
      changeBy(context, 'tenant.limits_changed', (tenant, time) => setLimits(tenant, limits, time)),
    suspend: (context: ChangeContext): Promise<Tenant> => changeBy(context, 'tenant.suspended', suspend),
    resume: (context: ChangeContext): Promise<Tenant> => changeBy(context, 'tenant.resumed', resume),
    remove: (context: ChangeContext): Promise<Tenant> =>
      changeBy(context, 'tenant.deleted', (tenant, time) => remove(tenant, context.actor, time)),
    removeUnfinished: (context: ChangeContext): Promise<Tenant> =>
      changeBy(context, 'tenant.deleted', (tenant, time) => removeUnfinished(tenant, context.actor, time)),

    /** Does nothing for repeated reports and unknown tenants. */
    async recordErasure({ tenantId, service }: Erasure): Promise<void> {
      if ((await tenants.find(tenantId)) === undefined) return;
      await write(
        { tenantId },
        (tenant, time) => recordErasure(tenant, service, services, time),
        () => [],
      );
    },
  };
}

/** The type of the event for other services, by the action in the audit. */
const eventTypeOf = {
  'tenant.created': 'tenant.created',
  'tenant.updated': 'tenant.updated',
  'tenant.limits_changed': 'tenant.updated',
  'tenant.suspended': 'tenant.suspended',
  'tenant.resumed': 'tenant.resumed',
  'tenant.deleted': 'tenant.deleted',
} as const satisfies Record<string, string>;

type TenantAction = keyof typeof eventTypeOf;

/** The events of a change: one for other services and, unless the tenant is deleted, one for the audit. */
export function tenantEvents(
  context: ChangeContext,
  action: TenantAction,
  before: Tenant,
  after: Tenant,
): readonly OutboxEvent[] {
  const event = tenantEvent(eventTypeOf[action], after, context.traceparent);
  return isDeletedOrDeleting(after) ? [event] : [event, tenantAudit(context, action, before, after)];
}

/** Keep `status` and `revision` compatible with `readTenantState` in lib/runtime, which reads them. */
function tenantEvent(type: string, tenant: Tenant, traceparent: string): OutboxEvent {
  const { id, status, revision, updatedAt } = tenant;
  return makeEvent({
    topic: topics.tenant,
    recordId: id,
    revision,
    type,
    source: '/tenants',
    tenantId: id,
    time: updatedAt,
    // For other services, a tenant is deleted as soon as its deletion begins.
    data: { status: isDeletedOrDeleting(tenant) ? 'deleted' : status },
    traceparent,
  });
}

function tenantAudit(context: ChangeContext, action: TenantAction, before: Tenant, after: Tenant): OutboxEvent {
  return auditEvent({
    context,
    action,
    resourceType: 'tenant',
    resourceId: after.id,
    revision: after.revision,
    time: after.updatedAt,
    before: toAudited(before),
    after: toAudited(after),
  });
}

/** Returns nothing for a tenant in creation, so that the audit of its creation lists every setting as new. */
function toAudited(tenant: Tenant): JsonObject {
  return tenant.status === 'creating' ? {} : toAuditedMembers(tenant);
}

const toLimits = createProjection<TenantLimits>({ requestsPerMinute: true, concurrentRequests: true });

const toAuditedMembers = createProjection<Omit<Tenant, CommonMember>>({
  name: true,
  status: true,
  limits: toLimits,
  // Set only in deleted tenants, which have no audit.
  deletedAt: false,
  deletedBy: false,
  erasedBy: false,
});
