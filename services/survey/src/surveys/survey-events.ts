import { topics } from '@survey/proto/catalog';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import { type Survey, titleOf } from './survey.ts';

export type SurveyEventType = 'survey.created' | 'survey.published' | 'survey.closed' | 'survey.deleted';

/** The event of a change, from the survey as it is after it. */
export function surveyEvent(type: SurveyEventType, survey: Survey, traceparent: string) {
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
