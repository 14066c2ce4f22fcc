/** The survey of the demo, as payload of its creation. */
export const demoSurvey = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'How was your visit?',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          {
            id: 'satisfaction',
            type: 'single_choice',
            title: 'How satisfied are you?',
            required: true,
            options: [
              { id: 'happy', text: 'Happy' },
              { id: 'neutral', text: 'Neutral' },
              { id: 'unhappy', text: 'Unhappy' },
            ],
          },
          { id: 'comment', type: 'text', title: 'What should we know?', required: false },
        ],
      },
    ],
  },
} as const;

export const demoResponse = { status: 'completed', data: { satisfaction: 'happy', comment: 'Nice coffee.' } } as const;

/** Responses that a demo tenant begins with. */
export const demoResponses = [
  demoResponse,
  { status: 'completed', data: { satisfaction: 'happy' } },
  { status: 'completed', data: { satisfaction: 'neutral', comment: 'The queue was long.' } },
  { status: 'completed', data: { satisfaction: 'unhappy', comment: 'The music was too loud.' } },
  { status: 'completed', data: { satisfaction: 'happy', comment: 'We will come back.' } },
] as const;
