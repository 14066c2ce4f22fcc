import { topics } from '@survey/proto/catalog';
import { auditEvent } from '@survey/runtime/kafka/audit-event';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Actor } from '@survey/runtime/rpc/call-context';
import type { Import } from './import.ts';
import { toReportJson } from './import-mapper.ts';
import type { Report } from './report.ts';

/** When an import ended, and because of which request; both texts are empty where its process was lost. */
export interface End extends Pick<Actor, 'requestId' | 'traceparent'> {
  readonly time: Date;
}

/** What an import's end tells: others that it is over, and the audit who brought in what. */
export function endEvents(ended: Import, report: Report, end: End): readonly OutboxEvent[] {
  return [endEvent(ended, report, end), auditedEnd(ended, report, end)];
}

function endEvent({ id, tenantId }: Import, report: Report, { time, traceparent }: End): OutboxEvent {
  return makeEvent({
    topic: topics.import,
    recordId: id,
    revision: 1,
    type: `import.${report.status}`,
    source: '/imports',
    tenantId,
    time,
    data: toReportJson(report),
    traceparent,
  });
}

function auditedEnd(ended: Import, report: Report, { time, requestId, traceparent }: End): OutboxEvent {
  const { id, tenantId, surveyId, source, format, startedBy: actor } = ended;
  const { status, total, imported, skipped, failed } = report;
  return auditEvent({
    by: { tenantId, actor, requestId, traceparent },
    action: `import.${status}`,
    resourceType: 'import',
    resourceId: id,
    revision: 1,
    time,
    before: {},
    after: { survey_id: surveyId, source, format, status, total, imported, skipped, failed },
  });
}
