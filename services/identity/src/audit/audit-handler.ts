import { AuditService } from '@survey/proto/survey/identity/v1/audit_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { AuditEventStore } from './audit-event.ts';
import { fromListMessage, toAuditEventMessage } from './audit-mapper.ts';

export function createAuditHandler(events: Pick<AuditEventStore, 'list'>) {
  return implement(AuditService, {
    async listAuditEvents(request, context) {
      const { items, nextCursor } = await events.list(tenantCallOf(context).tenantId, fromListMessage(request));
      return { auditEvents: items.map(toAuditEventMessage), nextCursor: nextCursor ?? '' };
    },
  });
}
