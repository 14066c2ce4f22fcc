import { ACTIONS } from '../logic/normalise-logic.ts';
import { OPERATOR_NAMES } from '../logic/operators.ts';
import { anyValue, list, mustBe, mustBeOneOf, object, oneOf, string } from './schema.ts';
import { freeMembers } from './texts.ts';

const anObject = mustBe('WRONG_TYPE', 'an object', 'storing');
const anArray = mustBe('WRONG_TYPE', 'an array', 'storing');
function reference(description: string) {
  return string({ fault: mustBe('WRONG_TYPE', 'a string'), description });
}
function action(description: string) {
  return oneOf(ACTIONS, { fault: mustBeOneOf('BAD_ACTION', ACTIONS), description });
}

const condition = object({
  title: 'LogicCondition',
  noun: 'a condition',
  description: 'Tests the answer to one question.',
  fault: anObject,
  members: {
    source_question: reference('The question whose answer is tested.'),
    operator: oneOf(OPERATOR_NAMES, {
      fault: mustBeOneOf('BAD_OPERATOR', OPERATOR_NAMES),
      description: 'The comparison. The type of the question determines the allowed ones.',
    }),
    value: anyValue({
      description:
        'The value to compare the answer with. Options are given by id, or by their exact text in any language, if only ' +
        'one option has it.',
    }),
    action: action('Used instead of the action of the entry.'),
    target_question: reference('Used instead of the target of the entry.'),
    question_id: reference(
      'Another name for `source_question`, in the short form. Not the affected question, as in an entry.',
    ),
    ...freeMembers,
  },
});

export const logicEntry = object({
  title: 'LogicEntry',
  noun: 'a logic entry',
  description: 'Conditions, and what happens if they are true.',
  examples: [
    { question_id: 'taste', conditions: [{ source_question: 'ate', operator: 'equals', value: 'yes' }] },
    { conditions: [{ question_id: 'ate', operator: 'equals', value: 'yes', target_question: 'taste' }] },
  ],
  fault: anObject,
  members: {
    question_id: reference('The question, or section, that the entry affects. For `skip_to`: where the skip starts.'),
    conditions: list(condition, {
      fault: anArray,
      description: 'Without one, the entry has no effect (`MISSING_CONDITIONS`).',
    }),
    match: oneOf(['all', 'any'], {
      fault: mustBeOneOf('WRONG_TYPE', ['all', 'any']),
      default: 'all',
      description: '`all`: every condition must be true. `any`: one is enough.',
    }),
    action: { ...action('The effect.'), default: 'show' },
    target_question: reference(
      'For `skip_to`: the question, or section, to continue with. For other actions: the affected question, ' +
        'in place of `question_id`.',
    ),
    ...freeMembers,
  },
});
