import { topics } from '@survey/proto/catalog';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import type { Import } from './import.ts';
import { toReportJson } from './import-mapper.ts';
import type { Report } from './report.ts';

/** The event of an import's end. */
export function endEvent({ id, tenantId }: Import, report: Report, time: Date, traceparent: string) {
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
