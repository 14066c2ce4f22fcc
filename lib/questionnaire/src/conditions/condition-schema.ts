import { OPERATOR_NAMES } from '../logic/operators.ts';
import { type JsonSchemas, toJsonSchema } from '../schema/json-schema.ts';
import {
  anyValue,
  fault,
  list,
  missingMember,
  mustBe,
  mustBeOneOf,
  object,
  oneOf,
  required,
  string,
} from '../schema/schema.ts';

/** Limits of one condition on responses. */
export const CONDITION_LIMITS = {
  /** Length of the conditions as JSON. */
  characters: 32_768,
  conditions: 50,
  /** Values of all conditions together: an array has several. */
  values: 1_000,
  /** Steps for one response with the largest answers: see `AnswerSteps`. */
  steps: 4_000_000,
} as const;

const MATCHES = ['all', 'any'] as const;

/** The sources of conditions besides questions. `metadata.NAME` is a member of the metadata of a response. */
export const SOURCE_NAMES = ['external_id', 'duration', 'language', 'link_id'] as const;
const SOURCE = new RegExp(`^(?:${SOURCE_NAMES.join('|')}|metadata\\..{1,256})$`, 'su');

const sourceFault = mustBe('UNKNOWN_SOURCE', `${SOURCE_NAMES.join(', ')} or metadata.NAME`);

const condition = object({
  title: 'ResponseCondition',
  noun: 'a condition',
  description: 'Tests the answer to one question, or another part of a response: `source_question` or `source`.',
  fault: mustBe('WRONG_TYPE', 'an object'),
  members: {
    source_question: string({
      fault: mustBe('WRONG_TYPE', 'a string'),
      description: 'The question whose answer is tested.',
    }),
    source: string({
      fault: sourceFault,
      pattern: SOURCE,
      malformed: sourceFault,
      description:
        'The part of the response that is tested: `external_id`, `language`, `link_id`, `duration` (seconds from the ' +
        'start to the completion), or `metadata.NAME`.',
    }),
    operator: required(
      oneOf(OPERATOR_NAMES, {
        fault: mustBeOneOf('BAD_OPERATOR', OPERATOR_NAMES),
        description: 'The comparison, as in logic. The type of the source determines the allowed ones.',
      }),
      missingMember,
    ),
    value: anyValue({
      description:
        'The value to compare with. Options are given by id, or by their exact text in any language, if only one option ' +
        'in the published versions has it.',
    }),
  },
});

/** The conditions that select responses: the `where` of requests. */
export const responseConditions = object({
  title: 'ResponseConditions',
  noun: 'the conditions',
  description:
    'Selects responses by their answers and other parts. Hidden questions are unanswered, as in logic: only ' +
    '`is_not_answered` and the operators with `not` are true for them.',
  examples: [
    { match: 'all', conditions: [{ source_question: 'taste', operator: 'less_or_equal', value: 2 }] },
    { conditions: [{ source: 'duration', operator: 'less_than', value: 30 }] },
  ],
  fault: mustBe('WRONG_TYPE', 'an object'),
  members: {
    match: oneOf(MATCHES, {
      fault: mustBeOneOf('WRONG_TYPE', MATCHES),
      default: 'all',
      description: '`all`: every condition must be true. `any`: one is enough.',
    }),
    conditions: required(
      list(condition, {
        fault: mustBe('WRONG_TYPE', 'an array'),
        empty: fault('MISSING_CONDITIONS', 'there are no conditions'),
        maxItems: CONDITION_LIMITS.conditions,
        description: `At most ${CONDITION_LIMITS.conditions}, with at most ${CONDITION_LIMITS.values} values together.`,
      }),
      fault('MISSING_CONDITIONS', 'there are no conditions'),
    ),
  },
});

/** The schemas of OpenAPI for conditions, by name. The first one is `ResponseConditions`. */
export function conditionComponents(): JsonSchemas['named'] {
  return toJsonSchema(responseConditions, 'openapi').named;
}
