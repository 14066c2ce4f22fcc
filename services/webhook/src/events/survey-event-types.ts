import type { JsonObject } from '@bufbuild/protobuf';
import { count, type EventType, EXAMPLE_SURVEY_ID, eventType, oneOf, text, uuid, version } from './event-type.ts';

const statuses = ['draft', 'active', 'closed', 'deleted'] as const;

const properties: JsonObject = {
  survey_id: uuid('Id of the survey.'),
  title: text('Title of the survey, in its first language.'),
  version: version('Newest version of its definition.'),
  status: oneOf(statuses, 'Status of the survey.'),
};

function surveyType(name: string, description: string, status: (typeof statuses)[number]): EventType {
  const example = { survey_id: EXAMPLE_SURVEY_ID, title: 'Lunch', version: 1, status };
  return eventType({ name, description, properties, example });
}

const limitReached = eventType({
  name: 'survey.limit_reached',
  description: 'A submitted, imported or corrected response took the last seat of a survey with a response limit.',
  properties: {
    survey_id: uuid('Id of the survey.'),
    response_id: uuid(
      'Id of the response that took the last seat. The `revision` of the event is the revision of this response.',
    ),
    response_limit: count('Number of completed responses that the survey accepts.'),
  },
  example: {
    survey_id: EXAMPLE_SURVEY_ID,
    response_id: '0198c0de-5a1e-7000-8000-000000000002',
    response_limit: 500,
  },
});

export const surveyEventTypes: readonly EventType[] = [
  surveyType('survey.created', 'A survey was created.', 'draft'),
  surveyType('survey.updated', 'A survey was changed or restored.', 'draft'),
  surveyType('survey.published', 'A survey, or a new version of it, was published and accepts responses.', 'active'),
  surveyType('survey.closed', 'A survey was closed and accepts no more responses.', 'closed'),
  surveyType('survey.deleted', 'A survey was deleted.', 'deleted'),
  limitReached,
];
