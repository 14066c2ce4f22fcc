import type { JsonObject } from '../json.ts';

const condition = { operator: 'equals', value: 'yes' };
const long = { question_id: 'q2', conditions: [{ source_question: 'q1', ...condition, action: 'show' }] };
const short = { question_id: 'q2', conditions: [{ question_id: 'q1', ...condition, action: 'show' }] };

/** The rule "show `q2` if `q1` is `yes`" in each form that imports can contain. */
export const logicForms: Readonly<Record<string, readonly JsonObject[]>> = {
  'the long form': [long],
  'the long form with the text of an option': [
    { question_id: 'q2', conditions: [{ source_question: 'q1', operator: 'equals', value: 'Yes', action: 'show' }] },
  ],
  'the short form': [short],
  'the short form with a target on the condition': [
    { question_id: 'q1', conditions: [{ question_id: 'q1', ...condition, action: 'show', target_question: 'q2' }] },
  ],
  'the short form with only a target': [{ conditions: [{ question_id: 'q1', ...condition, target_question: 'q2' }] }],
  'both forms in one survey': [long, short],
  'both forms in one entry': [
    { question_id: 'q2', conditions: [...long.conditions, { question_id: 'q1', operator: 'is_answered' }] },
  ],
  'match any': [
    {
      question_id: 'q2',
      match: 'any',
      conditions: [
        { source_question: 'q1', ...condition },
        { source_question: 'q1', operator: 'in', value: ['yes'] },
      ],
    },
  ],
  'the action on the entry': [
    {
      question_id: 'q2',
      action: 'hide',
      conditions: [{ source_question: 'q1', operator: 'not_equals', value: 'yes' }],
    },
  ],
  'a section as target': [{ ...long, question_id: 'bought' }],
};

/** The sections that `logicForms` refer to. */
export const sections = [{ id: 'bought', title: 'Bought', question_ids: ['q2'] }];
