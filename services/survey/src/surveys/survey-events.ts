import type { JsonObject } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import type { Actor } from '@survey/runtime/auth/actor';
import { auditEvent } from '@survey/runtime/kafka/audit-event';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { type Survey, titleOf } from './survey.ts';
import type { DeletedSurvey } from './survey-purge.ts';
import type { SurveySettings } from './survey-settings.ts';

type SurveyEventType = 'survey.created' | 'survey.updated' | 'survey.published' | 'survey.closed' | 'survey.deleted';

/** What is done to surveys, each with the event that tells the other parts; what waits as a draft is none of theirs. */
const eventOf = {
  'survey.created': 'survey.created',
  'survey.updated': 'survey.updated',
  'survey.published': 'survey.published',
  'survey.closed': 'survey.closed',
  'survey.deleted': 'survey.deleted',
  'survey.restored': 'survey.updated',
  'survey.draft_saved': undefined,
  'survey.draft_discarded': undefined,
} as const satisfies Record<string, SurveyEventType | undefined>;

export type SurveyAction = keyof typeof eventOf;

/** The events of a change: one for whoever follows surveys, where it concerns them, and one for the audit. */
export function surveyEvents(
  by: Actor,
  action: SurveyAction,
  before: Survey | undefined,
  after: Survey,
): readonly OutboxEvent[] {
  const type = eventOf[action];
  const audit = auditEvent({
    by,
    action,
    resourceType: 'survey',
    resourceId: after.id,
    revision: after.revision,
    time: after.updatedAt,
    before: before === undefined ? {} : toAudited(before),
    after: toAudited(after),
  });
  return type === undefined ? [audit] : [surveyEvent(type, after, by.traceparent), audit];
}

/** The event of a change, from the survey as it is after it. */
export function surveyEvent(type: SurveyEventType, survey: Survey, traceparent: string): OutboxEvent {
  const { id, tenantId, revision, updatedAt, version } = survey;
  return makeEvent({
    topic: topics.survey,
    recordId: id,
    revision,
    type,
    source: '/surveys',
    tenantId,
    time: updatedAt,
    data: {
      survey_id: id,
      title: titleOf(survey),
      version,
      status: type === 'survey.deleted' ? 'deleted' : survey.status,
    },
    traceparent,
  });
}

/** Tells the audit that a survey was purged. The others were told when it was deleted. */
export function purgedEvent(by: Actor, survey: DeletedSurvey, time: Date): OutboxEvent {
  const { id, version, status, revision, deletedAt } = survey;
  return auditEvent({
    by,
    action: 'survey.purged',
    resourceType: 'survey',
    resourceId: id,
    revision: revision + 1,
    time,
    before: { version, status, deleted_at: deletedAt.toISOString() },
    after: {},
  });
}

function toAudited({ definition, schemaVersion, version, status, projectId, settings, draft, ...survey }: Survey) {
  const audited: JsonObject = {
    definition,
    schema_version: schemaVersion,
    version,
    status,
    settings: toAuditedSettings(settings),
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(survey.deletedAt === undefined ? {} : { deleted_at: survey.deletedAt.toISOString() }),
  };
  if (draft === undefined) return audited;
  const { basedOn, ...waiting } = draft;
  return {
    ...audited,
    draft: { definition: waiting.definition, schema_version: waiting.schemaVersion, based_on: basedOn },
  };
}

function toAuditedSettings(settings: SurveySettings): JsonObject {
  const { opensAt, closesAt, responseLimit, access, languages, retentionDays } = settings;
  return {
    ...(opensAt === undefined ? {} : { opens_at: opensAt.toISOString() }),
    ...(closesAt === undefined ? {} : { closes_at: closesAt.toISOString() }),
    ...(responseLimit === undefined ? {} : { response_limit: responseLimit }),
    access,
    languages: [...languages],
    ...(retentionDays === undefined ? {} : { retention_days: retentionDays }),
  };
}
