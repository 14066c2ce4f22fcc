import { topics } from '@survey/proto/catalog';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import { makeEvent, type OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { IMPORT_REVISION, type Import } from './import.ts';
import { toReportJson } from './import-mapper.ts';
import type { Report } from './report.ts';

/** The events of an ended import: one for subscribers, one for the audit. Dry runs have none. */
export function endEvents(ended: Import, report: Report, time: Date): readonly OutboxEvent[] {
  return ended.dryRun ? [] : [endEvent(ended, report, time), endAuditEvent(ended, report, time)];
}

function endEvent({ id, tenantId, traceparent }: Import, report: Report, time: Date): OutboxEvent {
  return makeEvent({
    topic: topics.import,
    recordId: id,
    revision: IMPORT_REVISION.ended,
    // A cancelled import has the event `import.failed`. Its report has the status `cancelled`.
    type: report.status === 'completed' ? 'import.completed' : 'import.failed',
    source: '/imports',
    tenantId,
    time,
    data: toReportJson(report),
    traceparent,
  });
}

/** The audit event of a new job. An import within a call ends soon, so only its end has an audit event. */
export function beginEvents(begun: Import): readonly OutboxEvent[] {
  const { id, tenantId, size, actor, requestId, traceparent, createdAt: time } = begun;
  if (begun.dryRun) return [];
  return [
    auditEvent({
      context: { tenantId, actor, requestId, traceparent },
      action: 'import.started',
      resourceType: 'import',
      resourceId: id,
      revision: IMPORT_REVISION.begun,
      time,
      before: {},
      after: { ...toAuditedImport(begun), status: 'running', bytes: size },
    }),
  ];
}

/** The actor is the user who cancelled the import, if known, else the user who began it. */
function endAuditEvent(ended: Import, report: Report, time: Date): OutboxEvent {
  const { id, tenantId, traceparent } = ended;
  const { actor, requestId } = (report.status === 'cancelled' ? ended.cancelledBy : undefined) ?? ended;
  return auditEvent({
    context: { tenantId, actor, requestId, traceparent },
    action: `import.${report.status}`,
    resourceType: 'import',
    resourceId: id,
    revision: IMPORT_REVISION.ended,
    time,
    before: {},
    after: { ...toAuditedImport(ended), ...toAuditedReport(report) },
  });
}

const toAuditedImport = createProjection<Omit<Import, CommonMember>>({
  surveyId: true,
  source: true,
  format: true,
  // Added by the callers: `status` by both, `size` at the start, `report` at the end.
  status: false,
  size: false,
  report: false,
  // Not relevant for the audit.
  dryRun: false,
  finishedAt: false,
  progress: false,
  questions: false,
  deaths: false,
  failingSince: false,
  job: false,
  // Recorded as the author of the event.
  actor: false,
  requestId: false,
  traceparent: false,
  cancelledBy: false,
});

const toAuditedReport = createProjection<Omit<Report, CommonMember>>({
  status: true,
  total: true,
  imported: true,
  importedInPart: true,
  skipped: true,
  failed: true,
  leftOut: true,
  // The same as in the import.
  source: false,
  format: false,
  // Not relevant for the audit.
  questions: false,
  warnings: false,
  errors: false,
  omissions: false,
});
