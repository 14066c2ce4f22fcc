import { errorCodes } from '@survey/runtime/errors/error-codes';
import { FIELD_CODES } from '@survey/runtime/errors/field-codes';

const fieldCodes = [
  'A stable code. Definitions, answers and some operations have codes of their own. The general codes are:',
  ...Object.entries(FIELD_CODES).map(([code, { meaning, advice }]) => `\`${code}\`: ${meaning} ${advice}`),
].join('\n\n');
const text = { type: 'string' } as const;

/** Schemas of errors by name. */
export const problemSchemas = {
  ErrorCode: { ...text, description: 'A stable code of an error.', enum: Object.keys(errorCodes) },
  Problem: {
    type: 'object',
    description: 'An error (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    properties: {
      type: { ...text, format: 'uri-reference', description: 'Address of the page about the code, at the gateway.' },
      title: { ...text, description: 'The code as words.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { ...text, description: 'A description of the error, for people.' },
      code: { $ref: '#/components/schemas/ErrorCode' },
      request_id: { ...text, description: 'Identifies the request in the logs of the platform.' },
      response_id: {
        ...text,
        description: 'The response in progress, for `RESPONSE_IN_PROGRESS`. Absent if it cannot be continued here.',
      },
      policy: { ...text, description: 'The exceeded limit, of `TOO_MANY_REQUESTS`.' },
      errors: {
        type: 'array',
        description: 'The invalid fields.',
        items: { $ref: '#/components/schemas/FieldProblem' },
      },
    },
  },
  FieldProblem: {
    type: 'object',
    description: 'An invalid field.',
    required: ['path', 'code', 'detail'],
    properties: {
      path: {
        ...text,
        description:
          'Where the problem is: a JSON pointer (RFC 6901) into the body, `?name` for a parameter of the query, ' +
          '`?name/member` inside a parameter in JSON, `{name}` for one of the path.',
      },
      code: { ...text, description: fieldCodes },
      detail: { ...text, description: 'A description of the error, for people.' },
      question_id: { ...text, description: 'The question of the survey definition with the error.' },
    },
  },
} as const;
