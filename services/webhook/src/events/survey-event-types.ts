import type { JsonObject } from '@bufbuild/protobuf';
import { type EventType, EXAMPLE_SURVEY_ID, objectSchema, oneOf, text, toSchema, uuid, version } from './event-type.ts';

const statuses = ['draft', 'active', 'closed', 'deleted'] as const;

const properties: JsonObject = {
  survey_id: uuid('Id of the survey.'),
  title: text('Its title, in its first language.'),
  version: version('The version of its definition that is the newest one.'),
  status: oneOf(statuses, 'The state that it is in now.'),
};

function surveyType(name: string, description: string, status: (typeof statuses)[number]): EventType {
  const example = { survey_id: EXAMPLE_SURVEY_ID, title: 'Lunch', version: 1, status };
  return { name, description, schema: toSchema(name, objectSchema(properties)), example };
}

export const surveyEventTypes: readonly EventType[] = [
  surveyType('survey.created', 'A survey was made.', 'draft'),
  surveyType('survey.updated', 'A survey was changed, or restored.', 'draft'),
  surveyType('survey.published', 'A survey takes answers from now on, or a new version of it.', 'active'),
  surveyType('survey.closed', 'A survey takes no answers any more.', 'closed'),
  surveyType('survey.deleted', 'A survey was deleted.', 'deleted'),
];
