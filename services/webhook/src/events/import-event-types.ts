import type { JsonObject } from '@bufbuild/protobuf';
import { count, type EventType, eventType, objectSchema, oneOf, text, uuid } from './event-type.ts';

const warning = objectSchema({
  path: text('Where in what was imported: a JSON pointer, empty for all of it.'),
  code: text('What is wrong, for programs.'),
  detail: text('What is wrong, for people.'),
});

const failure = objectSchema({
  index: count('Which of the responses, counted from 0.'),
  id: text('The id that it has in the file.'),
  code: text('What is wrong, for programs.'),
  detail: text('What is wrong, for people.'),
});

const properties: JsonObject = {
  id: uuid('Id of the import.'),
  source: text('The tool that the file is from.'),
  format: text('The format of the file.'),
  status: oneOf(['completed', 'failed', 'cancelled'], 'How it ended.'),
  total: count('How many responses there were.'),
  imported: count('How many of them are stored now.'),
  skipped: count('How many were there already.'),
  failed: count('How many could not be stored.'),
  questions: count('How many questions the survey has.'),
  warnings: { type: 'array', items: warning, description: 'What was left out or changed, the first 100.' },
  errors: { type: 'array', items: failure, description: 'Responses that could not be stored, the first 100.' },
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
  skipped: 1,
  failed: 0,
  questions: 5,
  warnings: [],
  errors: [],
};

const detail = 'Answers are invalid';

export const importEventTypes: readonly EventType[] = [
  importType('import.completed', 'An import is over, and stored something.', example),
  importType('import.failed', 'An import is over that stored nothing, whose file broke off, or that was cancelled.', {
    ...example,
    status: 'failed',
    total: 1,
    imported: 0,
    skipped: 0,
    failed: 1,
    errors: [{ index: 0, id: 'R_1', code: 'INVALID_ANSWERS', detail }],
  }),
];
