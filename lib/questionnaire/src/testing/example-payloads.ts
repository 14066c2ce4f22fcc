import type { JsonObject } from '../json.ts';

/** A payload that creates a survey; `survey` overrides its members. */
export function surveyPayload(survey: JsonObject = {}): JsonObject {
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
export const translated = surveyPayload({
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
