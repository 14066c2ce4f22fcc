import { topics } from '@survey/proto/catalog';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { ResponseHead } from './response.ts';

/** The first revision of a response. */
const SUBMITTED = 1;

/** Tells of a new response that is complete; ids, states and times, never answers. None tells of a disqualified one. */
export function submittedEvent(response: ResponseHead, traceparent: string): OutboxEvent | undefined {
  if (response.status !== 'completed') return undefined;
  const { id, tenantId, surveyId, surveyVersion, status, createdAt, startedAt, completedAt } = response;
  return makeEvent({
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
}
