import { topics } from '@survey/proto/catalog';
import { auditEvent } from '@survey/runtime/kafka/audit-event';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Actor } from '@survey/runtime/rpc/call-context';
import type { ResponseHead } from './response.ts';

/** The first revision of a response. */
const SUBMITTED = 1;

/** What others are told of a new response, when it is complete: ids, states and times, never answers. */
export function submittedEvents(response: ResponseHead, traceparent: string): readonly OutboxEvent[] {
  if (response.status !== 'completed') return [];
  const { id, tenantId, surveyId, surveyVersion, status, createdAt, startedAt, completedAt } = response;
  const event = makeEvent({
    topic: topics.response,
    recordId: id,
    revision: SUBMITTED,
    type: 'response.submitted',
    source: '/responses',
    tenantId,
    time: createdAt,
    data: {
      response_id: id,
      survey_id: surveyId,
      survey_version: surveyVersion,
      status,
      ...(startedAt === undefined ? {} : { started_at: startedAt.toISOString() }),
      completed_at: completedAt.toISOString(),
    },
    traceparent,
  });
  return [event];
}

/** Tells the audit who submitted a response on behalf of a respondent. */
export function createdOnBehalf(
  by: Actor,
  { id, surveyId, surveyVersion, status, createdAt }: ResponseHead,
): OutboxEvent {
  return auditEvent({
    by,
    action: 'response.created',
    resourceType: 'response',
    resourceId: id,
    revision: SUBMITTED,
    time: createdAt,
    before: {},
    after: { survey_id: surveyId, survey_version: surveyVersion, status },
  });
}
