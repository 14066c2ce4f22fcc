import { topics } from '@survey/proto/catalog';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { TenantService } from '../tenants/tenant-service.ts';
import { type AuditEventDocument, auditEventIndexes, createAuditEventStore } from './audit-event-store.ts';
import { createAuditHandler } from './audit-handler.ts';
import { createAuditIntake } from './audit-intake.ts';

interface Dependencies {
  readonly followedTenants: Pick<FollowedTenants, 'statusOf'>;
  /** Services report erasures of tenants in the audit topic. */
  readonly recordErasure: TenantService['recordErasure'];
}

export function createAuditModule(
  runtime: ServiceRuntime,
  { followedTenants, recordErasure }: Dependencies,
): ServiceModule {
  const events = createAuditEventStore(runtime.collection<AuditEventDocument>('audit_events'));
  const consumer = runtime.consumer({
    name: 'audit',
    topics: [topics.audit],
    handler: createAuditIntake({
      events,
      // The audit events of a deleted tenant are erased, and must not come back.
      isDeleted: async (tenantId) => (await followedTenants.statusOf(tenantId)) === 'deleted',
      recordErasure,
    }),
  });
  return {
    handlers: [createAuditHandler(events)],
    indexes: { audit_events: auditEventIndexes },
    topics: [topics.audit, deadLetterTopic(topics.audit)],
    stoppedFirst: [consumer],
  };
}
