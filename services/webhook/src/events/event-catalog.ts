import type { JsonObject } from '@bufbuild/protobuf';
import { count, type EventType, eventType, objectSchema, oneOf, text, uuid } from './event-type.ts';
import { responseEventTypes } from './response-event-types.ts';
import { surveyEventTypes } from './survey-event-types.ts';

export const DISABLED_EVENT = 'webhook.disabled';
export const TEST_EVENT = 'webhook.test';
export const TEST_MESSAGE = 'This is a test of your webhook.';

const EXAMPLE_WEBHOOK_ID = '0198c0de-5a1e-7000-8000-000000000004';

const webhookEventTypes: readonly EventType[] = [
  eventType({
    name: DISABLED_EVENT,
    description: 'The platform disabled a webhook. The other webhooks of the tenant get this event.',
    properties: {
      webhook_id: uuid('Id of the webhook.'),
      reason: oneOf(
        ['gone', 'failing'],
        '`gone`: the receiver replied with 410. `failing`: all deliveries failed for days.',
      ),
    },
    example: { webhook_id: EXAMPLE_WEBHOOK_ID, reason: 'failing' },
  }),
  eventType({
    name: TEST_EVENT,
    description:
      'A user tests a webhook. Only this webhook gets the event, whatever its event types are. A test changes no data.',
    properties: { webhook_id: uuid('Id of the webhook.'), message: text('Always the same text.') },
    example: { webhook_id: EXAMPLE_WEBHOOK_ID, message: TEST_MESSAGE },
  }),
];

const warning = objectSchema({
  path: text('Location in the imported file: a JSON pointer, empty for the whole file.'),
  code: text('Code of the problem, for programs.'),
  detail: text('Description of the problem, for people.'),
});

const failure = objectSchema(
  {
    index: count('Index of the response in the file, from 0.'),
    id: text('Id of the response in the file.'),
    row: count('Row of a table, or line of NDJSON, from 1.'),
    column: text('Column of a table, or the question.'),
    code: text('Code of the problem, for programs.'),
    detail: text('Description of the problem, for people.'),
  },
  ['row', 'column'],
);

const omission = objectSchema({
  column: text('Column of a table, or the question.'),
  code: text('Code of the reason, for programs.'),
  detail: text('Description of the reason, for people.'),
  action: oneOf(['kept', 'dropped', 'missing'], 'Whether the values are in the metadata, lost, or not in the file.'),
  count: count('Number of responses.'),
  examples: {
    type: 'array',
    items: objectSchema(
      {
        index: count('Index of the response in the file, from 0.'),
        row: count('Row of a table, or line of NDJSON, from 1.'),
      },
      ['row'],
    ),
    description: 'The first positions, at most 5.',
  },
});

const importProperties: JsonObject = {
  id: uuid('Id of the import.'),
  source: text('The tool that made the file.'),
  format: text('The format of the file.'),
  status: oneOf(['completed', 'failed', 'cancelled'], 'Status of the import.'),
  total: count('Number of responses in the file.'),
  imported: count('Number of responses that were stored.'),
  imported_in_part: count(
    'Number of responses that were stored without some of their values, or with some only as metadata.',
  ),
  skipped: count('Number of responses that already existed.'),
  left_out: count('Number of responses that the options of the import leave out.'),
  failed: count('Number of responses that could not be stored.'),
  questions: count('Number of questions of the survey.'),
  warnings: {
    type: 'array',
    items: warning,
    description: 'The first 100 warnings: parts of the file that were left out or changed.',
  },
  errors: { type: 'array', items: failure, description: 'The first 100 responses that could not be stored.' },
  omissions: {
    type: 'array',
    items: omission,
    description:
      'Values of the file that are not stored as answers, and values that it lacks, by column and reason, the first 100.',
  },
};

function importEventType(name: string, description: string, example: JsonObject): EventType {
  return eventType({ name, description, properties: importProperties, example });
}

const importExample: JsonObject = {
  id: '0198c0de-5a1e-7000-8000-000000000003',
  source: 'custom',
  format: 'csv',
  status: 'completed',
  total: 3,
  imported: 2,
  imported_in_part: 0,
  skipped: 1,
  left_out: 0,
  failed: 0,
  questions: 5,
  warnings: [],
  errors: [],
  omissions: [],
};

const detail = 'Answers are invalid';

const importEventTypes: readonly EventType[] = [
  importEventType(
    'import.completed',
    'An import read its file to the end, and not all of its responses were rejected.',
    importExample,
  ),
  importEventType('import.failed', 'An import ended without storing data, was cancelled, or its file was incomplete.', {
    ...importExample,
    status: 'failed',
    total: 1,
    imported: 0,
    skipped: 0,
    failed: 1,
    errors: [{ index: 0, id: 'R_1', row: 2, column: 'satisfaction', code: 'INVALID_ANSWERS', detail }],
  }),
];

/** All event types that webhooks can subscribe to. */
export const eventTypes: readonly EventType[] = [
  ...responseEventTypes,
  ...surveyEventTypes,
  ...importEventTypes,
  ...webhookEventTypes,
];

const ALL = '*';
const patterns = new Set<string>(eventTypes.flatMap(({ name }) => patternsOf(name)));

/** The patterns that match an event type: its name, one like `survey.*`, and `*`. */
export function patternsOf(type: string): readonly string[] {
  return [type, `${type.split('.', 1)[0]}.*`, ALL];
}

export function isEventName(name: string): boolean {
  return eventTypes.some((type) => type.name === name);
}

/** Whether this is a name of the catalog or a pattern that matches one. */
export function isEventPattern(pattern: string): boolean {
  return patterns.has(pattern);
}
