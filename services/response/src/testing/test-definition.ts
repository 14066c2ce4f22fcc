import type { JsonObject } from '@bufbuild/protobuf';
import type { SurveySettings } from '../surveys/definition.ts';

export const openSettings: SurveySettings = {
  opensAt: undefined,
  closesAt: undefined,
  responseLimit: undefined,
  access: 'open',
  languages: [],
  retentionDays: undefined,
  resumeAcrossDevices: true,
};

export const testDefinition: JsonObject = {
  title: 'Lunch',
  supported_languages: ['en', 'de'],
  pages: [
    {
      questions: [
        { id: 'ate', type: 'single_choice', title: 'Did you eat?', required: true, options: ['yes', 'no'] },
        { id: 'taste', type: 'rating', title: 'How was it?', required: true },
        { id: 'comment', type: 'textarea', title: 'Anything else?' },
        { id: 'age', type: 'text', format: 'integer', title: 'How old are you?' },
      ],
    },
  ],
  logic: [
    {
      question_id: 'taste',
      conditions: [{ source_question: 'ate', operator: 'equals', value: 'yes', action: 'show' }],
    },
    {
      question_id: 'comment',
      action: 'disqualify',
      conditions: [{ source_question: 'comment', operator: 'equals', value: 'spam', action: 'disqualify' }],
    },
  ],
};
