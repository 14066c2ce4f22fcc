import type { JsonObject } from '@bufbuild/protobuf';
import { type EventType, EXAMPLE_SURVEY_ID, eventType, oneOf, text, time, uuid, version } from './event-type.ts';

export const RESPONSE_DELETED = 'response.deleted';

const properties: JsonObject = {
  response_id: uuid('Id of the response.'),
  survey_id: uuid('Id of the survey.'),
  survey_version: version('Version of the survey that the respondent answered.'),
  status: oneOf(['in_progress', 'completed', 'disqualified', 'abandoned'], 'Status of the response.'),
  started_at: time('The time when the respondent started.'),
  completed_at: time('The time when the response was completed or disqualified.'),
  language: text('Language in which the respondent answered.'),
  link_id: uuid('Id of the link through which the response was submitted.'),
  invitation_id: uuid('Id of the invitation, if the link is single-use: one of its `invitation_ids`.'),
};

const optional = ['started_at', 'completed_at', 'language', 'link_id', 'invitation_id', 'answers', 'metadata'];

const answers: JsonObject = {
  answers: {
    type: ['object', 'null'],
    description:
      'Only for webhooks with include_answers: answers by question id. They are read just before the first attempt, so they can be newer than the event. Null if the response had been deleted.',
  },
  metadata: {
    type: 'object',
    description:
      'Only for webhooks with include_answers: values of the metadata fields that the survey declares. Absent if it declares none, or the response had been deleted.',
  },
};

const example: JsonObject = {
  response_id: '0198c0de-5a1e-7000-8000-000000000002',
  survey_id: EXAMPLE_SURVEY_ID,
  survey_version: 1,
  started_at: '2026-01-31T12:00:00.000Z',
  completed_at: '2026-01-31T12:01:30.000Z',
  language: 'en',
};

/** @param status the status in the example */
function responseType(name: string, description: string, status: string, more: JsonObject = {}): EventType {
  const { completed_at: completedAt, ...open } = example;
  const isOver = status === 'completed' || status === 'disqualified';
  const shown = { ...open, status, ...(isOver ? { completed_at: completedAt } : {}) };
  return eventType({ name, description, properties: { ...properties, ...more }, optional, example: shown });
}

export const responseEventTypes: readonly EventType[] = [
  responseType('response.started', 'A respondent saved a new response that is still in progress.', 'in_progress'),
  responseType(
    'response.submitted',
    'A response was completed, or a completed response was imported.',
    'completed',
    answers,
  ),
  responseType(
    'response.disqualified',
    'A respondent was disqualified, or such a response was imported.',
    'disqualified',
  ),
  responseType('response.abandoned', 'A response in progress was not saved for too long.', 'abandoned'),
  responseType('response.updated', 'A user corrected a response.', 'completed', answers),
  responseType(
    RESPONSE_DELETED,
    'A user deleted a response, or its retention ended. `status` is its last status.',
    'completed',
  ),
];

/** Event types with `answers`, for webhooks with `include_answers`. */
export const typesWithAnswers: ReadonlySet<string> = new Set(['response.submitted', 'response.updated']);
