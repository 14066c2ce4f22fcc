/** Part of all private texts in tests. It must not occur in any log. */
export const PRIVATE = 'private-5d41f0c2';

/** A survey payload with the features that most tests need. */
export const lunchSurvey = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: `Lunch ${PRIVATE}`,
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          {
            id: 'came',
            type: 'single_choice',
            title: 'Did you come?',
            required: true,
            options: [
              { id: 'yes', text: 'Yes' },
              { id: 'no', text: 'No' },
            ],
          },
          { id: 'taste', type: 'rating', title: 'How was it?', required: true },
          { id: 'dishes', type: 'multiple_choice', title: 'What did you have?', options: ['Soup', 'Rice', 'Cake'] },
          { id: 'comment', type: 'textarea', title: 'Anything else?' },
        ],
      },
    ],
    logic: [
      {
        question_id: 'taste',
        conditions: [{ source_question: 'came', operator: 'equals', value: 'yes', action: 'show' }],
      },
    ],
  },
};

/** Complete answers to it. */
export const lunchAnswers = { came: 'yes', taste: 4, comment: `Zoë 😀 日本語 ${PRIVATE}` };
