import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { createProjection } from '@survey/runtime/json/projection';
import { type AuditedChange, auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import { makeEvent, type OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { changedQuestionIds, type Response, type ResponseFields, type ResponseStatus } from './response.ts';

/** Replaces answers and metadata in audit events. */
const CHANGED = '(changed)';

const TYPE_OF_STATUS: Readonly<Record<ResponseStatus, string>> = {
  in_progress: 'response.started',
  completed: 'response.submitted',
  disqualified: 'response.disqualified',
  abandoned: 'response.abandoned',
};

/** The event of a response that is new or has a new status. It contains no answers. */
export function statusEvents(response: ResponseFields, traceparent: string): readonly [OutboxEvent] {
  return [responseEvent(TYPE_OF_STATUS[response.status], response, response.updatedAt, traceparent)];
}

/** The events of a correction by a user. The audit event names the questions with changed answers. */
export function updatedEvents(context: ChangeContext, before: Response, after: Response): readonly OutboxEvent[] {
  const change = {
    before: { status: before.status, data: {} },
    after: { status: after.status, ...toChanged(before, after) },
  };
  return [
    responseEvent('response.updated', after, after.updatedAt, context.traceparent),
    audited(context, 'response.updated', after, after.updatedAt, change),
  ];
}

export function deletedEvents(
  context: ChangeContext,
  response: ResponseFields,
  time: Date,
): readonly [OutboxEvent, OutboxEvent] {
  const deleted = { ...response, revision: response.revision + 1 };
  return [
    responseEvent('response.deleted', deleted, time, context.traceparent),
    audited(context, 'response.deleted', deleted, time, { before: toAudited(response), after: {} }),
  ];
}

/** The event of one of many deletions. The audit contains their cause, such as the deletion of the survey. */
export function serviceDeletionEvents(response: ResponseFields, time: Date, traceparent = ''): readonly [OutboxEvent] {
  return [responseEvent('response.deleted', { ...response, revision: response.revision + 1 }, time, traceparent)];
}

export function limitReachedEvent(response: ResponseFields, responseLimit: number): OutboxEvent {
  const { id, surveyId, updatedAt } = response;
  const data = { survey_id: surveyId, response_id: id, response_limit: responseLimit };
  return eventOf(response, 'survey.limit_reached', updatedAt, data, '');
}

/** The audit event of a response that a user submitted on behalf of a respondent. */
export function onBehalfEvent(context: ChangeContext, response: ResponseFields): OutboxEvent {
  const change = { before: {}, after: toAudited(response) };
  return audited(context, 'response.created', response, response.createdAt, change);
}

function audited(
  context: ChangeContext,
  action: string,
  { id, revision }: ResponseFields,
  time: Date,
  change: Pick<AuditedChange, 'before' | 'after'>,
): OutboxEvent {
  return auditEvent({ context, action, resourceType: 'response', resourceId: id, revision, time, ...change });
}

function responseEvent(type: string, response: ResponseFields, time: Date, traceparent: string): OutboxEvent {
  return eventOf(response, type, time, { response_id: response.id, ...toEventData(response) }, traceparent);
}

function eventOf(
  { id: recordId, revision, tenantId }: ResponseFields,
  type: string,
  time: Date,
  data: JsonObject,
  traceparent: string,
): OutboxEvent {
  const { response: topic } = topics;
  return makeEvent({ topic, recordId, revision, type, source: '/responses', tenantId, time, data, traceparent });
}

const toEventData = createProjection<Omit<ResponseFields, CommonMember>>({
  surveyId: true,
  surveyVersion: true,
  status: true,
  startedAt: true,
  completedAt: true,
  language: true,
  linkId: true,
  invitationId: true,
});

const toAudited = createProjection<Omit<ResponseFields, CommonMember>>({
  surveyId: true,
  surveyVersion: true,
  status: true,
  // Not set by users, or may identify the respondent.
  startedAt: false,
  completedAt: false,
  language: false,
  linkId: false,
  invitationId: false,
});

/** Names the changed answers without their content. */
function toChanged(before: Response, after: Response): JsonObject {
  const isMetadataChanged = !isDeepStrictEqual(before.metadata, after.metadata);
  return {
    data: Object.fromEntries(changedQuestionIds(before, after).map((id) => [id, CHANGED])),
    ...(isMetadataChanged ? { metadata: CHANGED } : {}),
  };
}
