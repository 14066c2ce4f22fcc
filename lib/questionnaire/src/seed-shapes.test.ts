import { describe, expect, it } from 'vitest';
import { checkShape } from './check-shape.ts';
import { compile } from './compile.ts';
import { completeDefinition } from './complete-definition.ts';
import type { JsonObject } from './json.ts';

const noNewId = (): string => {
  throw new Error('every question has an id already');
};

/** Asserts that a definition can be stored and published, and comes back as it is. */
const accepted = (definition: JsonObject) => {
  const before = JSON.stringify(definition);
  expect(checkShape(definition)).toEqual([]);
  const compiled = compile(definition);
  expect(compiled.lint).toEqual({ errors: [], warnings: [] });
  expect(completeDefinition(definition, noNewId)).toEqual(JSON.parse(before));
  expect(JSON.stringify(definition)).toBe(before);
  return compiled;
};

const payload = (survey: JsonObject = {}): JsonObject => ({
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
});

describe('the payload that creates a survey', () => {
  it('is accepted and given back equal', () => {
    const { validate } = accepted(payload());
    expect(validate({ q1: 'yes', q2: 4 })).toEqual({ data: { q1: 'yes', q2: 4 }, errors: [], disqualified: false });
  });

  it('is accepted with all that is optional, with screens, and with members that nobody knows', () => {
    accepted({
      ...payload({
        description: 'Five minutes',
        welcome_screen: { title: 'Welcome', description: 'Hello', image: { url: 'https://example.org/a.png' } },
        thank_you_screen: { title: 'Thank you', description: '' },
        theme: { colors: ['#fff', null, 1.5, { deep: [[]] }] },
      }),
      source_data: { origin: 'elsewhere', raw: [true, null] },
    });
  });

  it.each(['1.0', '2.13', '10.0'])('is accepted with the schema_version %s', (schema_version) => {
    accepted({ ...payload(), schema_version });
  });

  it('gets nothing but ids where a question has none', () => {
    const pages = [
      {
        questions: [
          { type: 'text', title: 'Name' },
          { id: 'mine', type: 'text', title: 'Town' },
        ],
      },
    ];
    const given = payload({ pages });
    expect(completeDefinition(given, () => 'made')).toEqual(
      payload({ pages: [{ questions: [{ ...pages[0]?.questions[0], id: 'made' }, pages[0]?.questions[1]] }] }),
    );
  });
});

describe('translations', () => {
  it('are accepted for every text, as strings or by language', () => {
    const both = (en: string, de: string) => ({ en, de });
    accepted(
      payload({
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
      }),
    );
  });
});

describe('logic as imports bring it', () => {
  const condition = { operator: 'equals', value: 'yes' };
  const long = { question_id: 'q2', conditions: [{ source_question: 'q1', ...condition, action: 'show' }] };
  const short = { question_id: 'q2', conditions: [{ question_id: 'q1', ...condition, action: 'show' }] };
  const FORMS: Readonly<Record<string, readonly JsonObject[]>> = {
    'the long form': [long],
    'the long form with the text of an option': [
      { question_id: 'q2', conditions: [{ source_question: 'q1', operator: 'equals', value: 'Yes', action: 'show' }] },
    ],
    'the short form': [short],
    'the short form with a target on the condition': [
      { question_id: 'q1', conditions: [{ question_id: 'q1', ...condition, action: 'show', target_question: 'q2' }] },
    ],
    'the short form with nothing but a target': [
      { conditions: [{ question_id: 'q1', ...condition, target_question: 'q2' }] },
    ],
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
  const sections = [{ id: 'bought', title: 'Bought', question_ids: ['q2'] }];

  it.each(Object.entries(FORMS))('is accepted in %s, kept in it, and means the same', (_, logic) => {
    const { validate } = accepted(payload({ logic, sections }));
    expect(validate({ q1: 'yes', q2: 4 }).data).toEqual({ q1: 'yes', q2: 4 });
    expect(validate({ q1: 'yes' }).errors).toMatchObject([{ code: 'REQUIRED', question_id: 'q2' }]);
    expect(validate({ q1: 'no', q2: 4 })).toEqual({ data: { q1: 'no' }, errors: [], disqualified: false });
  });
});

describe('sections', () => {
  it.each(['question_ids', 'questions'])('are accepted with their questions under %s', (name) => {
    const logic = [
      { question_id: 's', conditions: [{ source_question: 'q1', operator: 'equals', value: 'yes', action: 'show' }] },
    ];
    const { validate } = accepted(payload({ sections: [{ id: 's', title: 'More', [name]: ['q2', 'q3'] }], logic }));
    expect(validate({ q1: 'no', q2: 4, q3: 'x' }).data).toEqual({ q1: 'no' });
  });
});
