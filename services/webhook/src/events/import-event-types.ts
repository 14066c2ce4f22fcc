import type { JsonObject } from '@bufbuild/protobuf';
import { count, type EventType, eventType, objectSchema, oneOf, text, uuid } from './event-type.ts';

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

const properties: JsonObject = {
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
    description: 'Values of the file that are not stored as answers, by column and reason, the first 100.',
  },
};

function importType(name: string, description: string, example: JsonObject): EventType {
  return eventType({ name, description, properties, example });
}

const example: JsonObject = {
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

export const importEventTypes: readonly EventType[] = [
  importType(
    'import.completed',
    'An import read its file to the end, and not all of its responses were rejected.',
    example,
  ),
  importType('import.failed', 'An import ended without storing data, was cancelled, or its file was incomplete.', {
    ...example,
    status: 'failed',
    total: 1,
    imported: 0,
    skipped: 0,
    failed: 1,
    errors: [{ index: 0, id: 'R_1', row: 2, column: 'satisfaction', code: 'INVALID_ANSWERS', detail }],
  }),
];
