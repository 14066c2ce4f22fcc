import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import type { Actor } from '@survey/runtime/auth/actor';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
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

/** The event of a response that is new, or has a new status: ids, states and times, never answers. */
export function statusEvents(response: ResponseFields, traceparent: string): readonly [OutboxEvent] {
  return [responseEvent(TYPE_OF_STATUS[response.status], response, response.updatedAt, traceparent)];
}

/** The events of a correction by a user. The audit event names the changed answers. */
export function updatedEvents(caller: Actor, before: Response, after: Response): readonly OutboxEvent[] {
  const { id, revision, updatedAt: time } = after;
  const audited = auditEvent({
    caller,
    action: 'response.updated',
    resourceType: 'response',
    resourceId: id,
    revision,
    time,
    before: { status: before.status, data: {} },
    after: { status: after.status, ...toChanged(before, after) },
  });
  return [responseEvent('response.updated', after, time, caller.traceparent), audited];
}

export function deletedEvents(
  caller: Actor,
  response: ResponseFields,
  time: Date,
): readonly [OutboxEvent, OutboxEvent] {
  const revision = response.revision + 1;
  const audited = auditEvent({
    caller,
    action: 'response.deleted',
    resourceType: 'response',
    resourceId: response.id,
    revision,
    time,
    before: toAudited(response),
    after: {},
  });
  return [responseEvent('response.deleted', { ...response, revision }, time, caller.traceparent), audited];
}

/**
 * The event of a deletion by the service. There is no audit event: the audit has the cause, such as a changed setting.
 */
export function serviceDeletionEvents(response: ResponseFields, time: Date): readonly [OutboxEvent] {
  return [responseEvent('response.deleted', { ...response, revision: response.revision + 1 }, time, '')];
}

/** The event of a response that takes the last seat of its survey. */
export function limitReachedEvent(response: ResponseFields, responseLimit: number): OutboxEvent {
  const { id, revision, tenantId, surveyId, updatedAt } = response;
  return makeEvent({
    topic: topics.response,
    recordId: id,
    revision,
    type: 'survey.limit_reached',
    source: '/responses',
    tenantId,
    time: updatedAt,
    data: { survey_id: surveyId, response_id: id, response_limit: responseLimit },
    traceparent: '',
  });
}

/** The audit event of a response that a user submitted on behalf of a respondent. */
export function onBehalfEvent(caller: Actor, response: ResponseFields): OutboxEvent {
  return auditEvent({
    caller,
    action: 'response.created',
    resourceType: 'response',
    resourceId: response.id,
    revision: response.revision,
    time: response.createdAt,
    before: {},
    after: toAudited(response),
  });
}

function responseEvent(type: string, response: ResponseFields, time: Date, traceparent: string): OutboxEvent {
  const { id, revision, tenantId } = response;
  return makeEvent({
    topic: topics.response,
    recordId: id,
    revision,
    type,
    source: '/responses',
    tenantId,
    time,
    data: { response_id: id, ...toEventData(response) },
    traceparent,
  });
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
  // May identify the respondent.
  externalId: false,
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
  externalId: false,
});

/** Names the answers that differ, without their content. */
function toChanged(before: Response, after: Response): JsonObject {
  const isMetadataChanged = !isDeepStrictEqual(before.metadata, after.metadata);
  return {
    data: Object.fromEntries(changedQuestionIds(before, after).map((id) => [id, CHANGED])),
    ...(isMetadataChanged ? { metadata: CHANGED } : {}),
  };
}
