import { FIELD_CODES } from '@survey/runtime/errors/field-codes';
import { reasons } from '@survey/runtime/errors/reasons';

const fieldCodes = [
  'A stable code. Besides the codes of definitions, answers and single operations these are:',
  ...Object.entries(FIELD_CODES).map(([code, meaning]) => `\`${code}\`: ${meaning}`),
].join('\n\n');
const text = { type: 'string' } as const;

/** RFC 9457, with our members. */
export const problemSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { ...text, description: 'A URN of the code.' },
    title: { ...text, description: 'The code as words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { ...text, description: 'What went wrong, for people.' },
    code: { ...text, description: 'A stable code.', enum: Object.keys(reasons) },
    request_id: { ...text, description: 'Names the request in our logs.' },
    errors: {
      type: 'array',
      description: 'The fields at fault.',
      items: {
        type: 'object',
        required: ['path', 'code', 'detail'],
        properties: {
          path: { ...text, description: 'A JSON pointer (RFC 6901).' },
          code: { ...text, description: fieldCodes },
          detail: { ...text, description: 'What is wrong, for people.' },
          question_id: { ...text, description: 'The question of a survey definition that it is about.' },
        },
      },
    },
  },
};
