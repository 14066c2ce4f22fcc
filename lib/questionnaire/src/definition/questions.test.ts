import { describe, expect, it } from 'vitest';
import { questionsOf } from '../index.ts';

const EN_DE = ['en', 'de'];

/** The only question of a survey, without the members that all types have. */
function read(question: object, language?: string) {
  const definition = { title: 't', supported_languages: EN_DE, pages: [{ questions: [{ id: 'q', ...question }] }] };
  const [first] = questionsOf(definition, language);
  const { id: _id, page: _page, type: _type, title: _title, description: _description, ...rest } = first ?? {};
  return rest;
}

describe('a question', () => {
  const definition = {
    supported_languages: EN_DE,
    pages: [
      { questions: [{ id: 'a', type: 'date', title: { de: 'Wann?', en: 'When?' }, description: { en: 'A day' } }] },
      { questions: [{ id: 'b', type: 'time', title: 'At', min: '11:30' }, { id: 'new', type: 'hologram' }, 1] },
      { questions: [{ id: 'a', type: 'text', title: 'the same id again' }] },
    ],
  };

  it.each([
    [undefined, 'When?'],
    ['de', 'Wann?'],
    ['DE', 'Wann?'],
    ['fr', 'When?'],
  ])('has its texts in the language %s', (language, title) => {
    expect(questionsOf(definition, language)).toEqual([
      { id: 'a', type: 'date', page: 0, title, description: 'A day', required: false, min: undefined, max: undefined },
      { id: 'b', type: 'time', page: 1, title: 'At', description: '', required: false, min: '11:30', max: undefined },
    ]);
  });

  it('of anything else is none', () => {
    expect([questionsOf({}), questionsOf({ pages: [1, { questions: [null] }] }, 'en')]).toEqual([[], []]);
  });
});

describe('options', () => {
  it.each([
    ['a text', 'Soup', { id: 'Soup', text: 'Soup', exclusive: false }],
    ['the text other', 'other', { id: 'other_option', text: 'other', exclusive: false }],
    ['only an id', { id: 's' }, { id: 's', text: 's', exclusive: false }],
    ['only translations', { text: { de: 'Suppe', en: 'Soup' } }, { id: 'Suppe', text: 'Soup', exclusive: false }],
    ['an exclusive option', { id: 'n', text: 'None', exclusive: true }, { id: 'n', text: 'None', exclusive: true }],
  ])('are read from %s', (_case, option, expected) => {
    expect(read({ type: 'single_choice', options: [option, 1, option] })).toEqual({
      required: false,
      options: [expected],
      allowOther: false,
    });
  });

  it('that are no longer offered are left out, unless asked for', () => {
    const definition = {
      pages: [{ questions: [{ id: 'q', type: 'single_choice', options: ['a', { id: 'b', inactive: true }] }] }],
    };
    const idsOf = (inactive: boolean) =>
      questionsOf(definition, undefined, { inactive }).map((one) =>
        ('options' in one ? one.options : []).map(({ id }) => id),
      );
    expect([questionsOf(definition)[0], idsOf(false), idsOf(true)]).toMatchObject([
      { options: [{ id: 'a' }] },
      [['a']],
      [['a', 'b']],
    ]);
  });

  it('of multiple choice have limits', () => {
    const type = 'multiple_choice';
    expect(read({ type, options: ['a'], allow_other: true })).toMatchObject({
      allowOther: true,
      minSelections: 0,
      maxSelections: undefined,
    });
    expect(read({ type, options: ['a', 'b'], min_selections: 1, max_selections: 2 })).toMatchObject({
      minSelections: 1,
      maxSelections: 2,
    });
  });
});

describe('a scale', () => {
  it.each([
    ['the default', {}, { min: 1, max: 5, step: 1, values: [1, 2, 3, 4, 5] }],
    ['NPS', { min: 0, max: 2 }, { min: 0, max: 2, step: 1, values: [0, 1, 2] }],
    ['steps', { min: 0, max: 0.3, step: 0.1 }, { min: 0, max: 0.3, step: 0.1, values: [0, 0.1, 0.2, 0.3] }],
    [
      'steps with rounding errors',
      { min: 8, max: 8.2, step: 0.1 },
      { min: 8, max: 8.2, step: 0.1, values: [8, 8.1, 8.2] },
    ],
    ['a range', { options: '2-3' }, { min: 2, max: 3, step: 1, values: [2, 3] }],
    ['many steps', { min: 0, max: 100_000 }, { min: 0, max: 100_000, step: 1, values: undefined }],
    ['a wrong order', { min: 2, max: 1 }, { min: 2, max: 1, step: 1, values: [] }],
  ])('is read: %s', (_case, scale, expected) => {
    expect(read({ type: 'rating', ...scale })).toEqual({ required: false, labels: new Map(), ...expected });
  });

  it.each([
    ['by value', { labels: { 1: { en: 'Poor', de: 'Schlecht' }, 5: 'Gut', x: 'y' } }],
    ['by position', { labels: [{ en: 'Poor', de: 'Schlecht' }, null, null, null, 'Gut'] }],
    ['of options', { options: [{ id: 1, text: { en: 'Poor', de: 'Schlecht' } }, 2, { id: '5', text: 'Gut' }] }],
  ])('has labels %s', (_case, members) => {
    expect(read({ type: 'rating', ...members }, 'de')).toMatchObject({
      max: 5,
      labels: new Map([
        [1, 'Schlecht'],
        [5, 'Gut'],
      ]),
    });
  });
});

describe('other members', () => {
  it.each([
    ['likert without rows', { type: 'likert', options: ['a'] }, { rows: [], requiredRows: 0 }],
    [
      'likert',
      { type: 'likert', options: ['a'], rows: [{ id: 'r', text: { de: 'Reihe' } }, 's'], required_rows: 1 },
      {
        rows: [
          { id: 'r', text: 'Reihe' },
          { id: 's', text: 's' },
        ],
        requiredRows: 1,
      },
    ],
    [
      'matrix',
      { type: 'matrix', rows: ['r'], columns: ['c'], multiple: true },
      { rows: [{ id: 'r', text: 'r' }], columns: [{ id: 'c', text: 'c' }], multiple: true, requiredRows: 1 },
    ],
    ['text', { type: 'text', format: 'email', pattern: 'a' }, { maxLength: 1_000, format: 'email', pattern: 'a' }],
    ['textarea', { type: 'textarea', min_length: 2 }, { minLength: 2, maxLength: 20_000 }],
    ['file_upload', { type: 'file_upload', accept: 'Image/*, .PDF' }, { maxFiles: 100, accept: ['image/*', '.pdf'] }],
  ])('of %s have defaults', (_type, question, expected) => {
    expect(read(question)).toMatchObject(expected);
  });
});
