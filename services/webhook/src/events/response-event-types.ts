import type { JsonObject } from '@bufbuild/protobuf';
import { type EventType, EXAMPLE_SURVEY_ID, eventType, oneOf, text, time, uuid, version } from './event-type.ts';

const properties: JsonObject = {
  response_id: uuid('Id of the response.'),
  survey_id: uuid('The survey that it answers.'),
  survey_version: version('The version of the survey that it answers.'),
  status: oneOf(['in_progress', 'completed', 'disqualified', 'abandoned'], 'The state that it is in now.'),
  started_at: time('When the respondent began.'),
  completed_at: time('When it was completed or disqualified.'),
  language: text('The language that it was answered in.'),
  link_id: uuid('The link that it came through.'),
};

const optional = ['started_at', 'completed_at', 'language', 'link_id', 'answers'];

/** With `include_answers`. */
const answers: JsonObject = {
  answers: {
    type: ['object', 'null'],
    description:
      'Only for webhooks with include_answers: question id → answer as it was when the webhook was sent first, at this revision or a later one; null when the response was deleted by then.',
  },
};

const example: JsonObject = {
  response_id: '0198c0de-5a1e-7000-8000-000000000002',
  survey_id: EXAMPLE_SURVEY_ID,
  survey_version: 1,
  status: 'completed',
  started_at: '2026-01-31T12:00:00.000Z',
  completed_at: '2026-01-31T12:01:30.000Z',
  language: 'en',
};

function responseType(name: string, description: string, more: JsonObject): EventType {
  return eventType({ name, description, properties: { ...properties, ...more }, optional, example });
}

export const responseEventTypes: readonly EventType[] = [
  responseType('response.submitted', 'A response was completed, or imported complete.', answers),
  responseType('response.updated', 'A user corrected a response.', answers),
  responseType('response.deleted', 'A user deleted a response. Its status is the one that it had.', {}),
];

/** Types whose events carry the answers to those webhooks that ask for them. */
export const typesWithAnswers: ReadonlySet<string> = new Set(['response.submitted', 'response.updated']);
