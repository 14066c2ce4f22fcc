import type { JsonValue } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { createProjection } from '@survey/runtime/json/projection';
import { auditEvent, type CommonMember } from '@survey/runtime/kafka/audit-event';
import { makeEvent, type OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { type Survey, type SurveyDraft, titleOf } from './survey.ts';
import type { DeletedSurvey } from './survey-purge-store.ts';
import type { SurveySettings } from './survey-settings.ts';

type SurveyEventType = 'survey.created' | 'survey.updated' | 'survey.published' | 'survey.closed' | 'survey.deleted';

/** The event type of each action. Changes of drafts have only audit events. */
const eventTypeOf = {
  'survey.created': 'survey.created',
  'survey.updated': 'survey.updated',
  'survey.published': 'survey.published',
  'survey.closed': 'survey.closed',
  'survey.deleted': 'survey.deleted',
  'survey.restored': 'survey.updated',
  'survey.draft_saved': undefined,
  'survey.draft_discarded': undefined,
} as const satisfies Record<string, SurveyEventType | undefined>;

export type SurveyAction = keyof typeof eventTypeOf;

/** The events of a change: one for the audit and, except for drafts, one for consumers. */
export function surveyEvents(
  context: ChangeContext,
  action: SurveyAction,
  before: Survey | undefined,
  after: Survey,
): readonly OutboxEvent[] {
  const type = eventTypeOf[action];
  const audit = auditEvent({
    context,
    action,
    resourceType: 'survey',
    resourceId: after.id,
    revision: after.revision,
    time: after.updatedAt,
    before: before === undefined ? {} : toAudited(before),
    after: toAudited(after),
  });
  return type === undefined ? [audit] : [consumerEvent(type, after, context.traceparent), audit];
}

/** The event of a change, with the new state of the survey. */
export function consumerEvent(type: SurveyEventType, survey: Survey, traceparent: string): OutboxEvent {
  const { id, tenantId, revision, updatedAt } = survey;
  return makeEvent({
    topic: topics.survey,
    recordId: id,
    revision,
    type,
    source: '/surveys',
    tenantId,
    time: updatedAt,
    data: { survey_id: id, ...toEventData(survey), ...(type === 'survey.deleted' ? { status: 'deleted' } : {}) },
    traceparent,
  });
}

/** The audit event of a purge. Consumers got their event when the survey was deleted. */
export function purgedEvent(context: ChangeContext, survey: DeletedSurvey, time: Date): OutboxEvent {
  const { id, revision } = survey;
  return auditEvent({
    context,
    action: 'survey.purged',
    resourceType: 'survey',
    resourceId: id,
    revision: revision + 1,
    time,
    before: toAuditedPurge(survey),
    after: {},
  });
}

const toEventData = createProjection<Omit<Survey, CommonMember>>({
  definition: ['title', (definition) => titleOf({ definition })],
  version: true,
  status: true,
  // Services that need more fields request the survey.
  schemaVersion: false,
  publishedVersion: false,
  projectId: false,
  settings: false,
  draft: false,
  publishedAt: false,
  deletedAt: false,
  deletedBy: false,
});

function toAuditedFields(fields: SurveySettings['metadataFields']): JsonValue {
  return fields.map((field) => ({ ...field, from: [...field.from] }));
}

const toAuditedSettings = createProjection<SurveySettings>({
  opensAt: true,
  closesAt: true,
  responseLimit: true,
  access: true,
  languages: true,
  retentionDays: true,
  resumeAcrossDevices: true,
  metadataFields: toAuditedFields,
});

const toAuditedDraft = createProjection<Omit<SurveyDraft, CommonMember>>({
  definition: true,
  schemaVersion: true,
  basedOn: true,
});

const toAudited = createProjection<Omit<Survey, CommonMember>>({
  definition: true,
  schemaVersion: true,
  version: true,
  status: true,
  settings: toAuditedSettings,
  projectId: true,
  deletedAt: true,
  draft: (draft) => draft && toAuditedDraft(draft),
  // Follow from the change of the version and the status.
  publishedVersion: false,
  publishedAt: false,
  // The same as the actor of the event.
  deletedBy: false,
});

const toAuditedPurge = createProjection<Omit<DeletedSurvey, CommonMember>>({
  version: true,
  status: true,
  deletedAt: true,
});
