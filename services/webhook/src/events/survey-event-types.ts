import type { JsonObject } from '@bufbuild/protobuf';
import { count, type EventType, EXAMPLE_SURVEY_ID, eventType, oneOf, text, uuid, version } from './event-type.ts';

const statuses = ['draft', 'active', 'closed', 'deleted'] as const;

const properties: JsonObject = {
  survey_id: uuid('Id of the survey.'),
  title: text('Its title, in its first language.'),
  version: version('The version of its definition that is the newest one.'),
  status: oneOf(statuses, 'The state that it is in now.'),
};

function surveyType(name: string, description: string, status: (typeof statuses)[number]): EventType {
  const example = { survey_id: EXAMPLE_SURVEY_ID, title: 'Lunch', version: 1, status };
  return eventType({ name, description, properties, example });
}

const limitReached = eventType({
  name: 'survey.limit_reached',
  description: 'A submission has taken the last seat of a survey with a response limit.',
  properties: {
    survey_id: uuid('Id of the survey.'),
    response_id: uuid('The response that took the last seat. The revision is its revision.'),
    response_limit: count('How many completed responses the survey takes.'),
  },
  example: {
    survey_id: EXAMPLE_SURVEY_ID,
    response_id: '0198c0de-5a1e-7000-8000-000000000002',
    response_limit: 500,
  },
});

export const surveyEventTypes: readonly EventType[] = [
  surveyType('survey.created', 'A survey was made.', 'draft'),
  surveyType('survey.updated', 'A survey was changed, or restored.', 'draft'),
  surveyType('survey.published', 'A survey takes answers from now on, or a new version of it.', 'active'),
  surveyType('survey.closed', 'A survey takes no answers any more.', 'closed'),
  surveyType('survey.deleted', 'A survey was deleted.', 'deleted'),
  limitReached,
];
