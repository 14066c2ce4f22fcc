import type { JsonObject } from '../json.ts';

/** A payload that creates a survey; `survey` overrides its members. */
export function payload(survey: JsonObject = {}): JsonObject {
  return {
    schema_version: '1.0',
    version: 1,
    survey: {
      title: 'Customer satisfaction',
      supported_languages: ['en'],
      pages: [
        {
          questions: [
            {
              id: 'q1',
              type: 'single_choice',
              title: 'Did you buy from us?',
              required: true,
              options: [
                { id: 'yes', text: 'Yes' },
                { id: 'no', text: 'No' },
              ],
            },
            { id: 'q2', type: 'rating', title: 'How was it?', required: true, options: ['1', '2', '3', '4', '5'] },
            { id: 'q3', type: 'textarea', title: 'Tell us more', required: false, options: [] },
          ],
        },
      ],
      ...survey,
    },
  };
}

function both(en: string, de: string) {
  return { en, de };
}

/** A survey with translated texts and plain strings. */
export const translated = payload({
  title: both('Lunch', 'Mittagessen'),
  description: 'Food 食べ物',
  supported_languages: ['en', 'de'],
  welcome_screen: { title: both('Hi', 'Hallo'), description: both('Go on', 'Weiter') },
  pages: [
    {
      title: both('Page', 'Seite'),
      questions: [
        {
          id: 'm',
          type: 'matrix',
          title: both('Rate', 'Bewerten'),
          rows: [{ id: 'r', text: both('Soup', 'Suppe') }],
          columns: [{ id: 'c', text: both('Good', 'Gut') }, 'OK'],
        },
        { id: 'r', type: 'rating', title: 'R', labels: { 1: both('bad', 'schlecht'), 5: 'super' } },
      ],
    },
  ],
  sections: [{ id: 's', title: both('Food', 'Essen'), question_ids: ['m'] }],
});

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
