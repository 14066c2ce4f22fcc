import type { PublicSurvey } from '@survey/client';
import { describe, expect, it } from 'vitest';
import { createIsRequired, errorsIn, shownPage, stepAt, withAnswer } from './flow.ts';

const definition = {
  pages: [
    { questions: [{ id: 'ate', type: 'single_choice', title: 't', options: ['yes', 'no'], required: true }] },
    { questions: [{ id: 'taste', type: 'rating', title: 't' }] },
    { questions: [{ id: 'comment', type: 'text', title: 't', max_length: 3 }] },
  ],
  logic: [
    {
      question_id: 'taste',
      conditions: [{ source_question: 'ate', operator: 'equals', value: 'yes', action: 'show' }],
    },
    {
      action: 'require',
      question_id: 'comment',
      conditions: [{ source_question: 'ate', operator: 'equals', value: 'no' }],
    },
  ],
};

describe('a step', () => {
  it.each([
    [{}, 0, { number: 1, count: 2, previous: undefined, next: 2 }],
    [{ ate: 'yes' }, 1, { number: 2, count: 3, previous: 0, next: 2 }],
    [{ ate: 'yes' }, 2, { number: 3, count: 3, previous: 1, next: undefined }],
  ])('with the answers %j on page %i has its neighbours', (answers, page, expected) => {
    expect(stepAt(definition, answers, page)).toMatchObject(expected);
  });

  it('on a page that became hidden is the one before it', () => {
    expect(stepAt(definition, { ate: 'no' }, 1)).toMatchObject({ page: { index: 0 }, next: 2 });
  });

  it('does not exist without pages', () => {
    expect(stepAt({ pages: [] }, {}, 0)).toBeUndefined();
  });
});

describe('a page that is shown', () => {
  const progress = {
    survey: { id: 's', version: 1, survey_version: 1, definition, languages: ['en'] } as unknown as PublicSurvey,
    answers: { taste: 2 },
    page: 0,
    language: 'en',
    fileNames: {},
    startedAt: '2030-01-01T00:00:00Z',
  };

  it('takes its answers from the address, once', () => {
    const prefill = { ate: 'yes', taste: 5, comment: 'Hi' };
    expect(shownPage({ ...progress, prefill }, -1)).toEqual({ page: -1 });
    const answers = { ate: 'yes', taste: 2 };
    const first = shownPage({ ...progress, prefill }, 0);
    expect(first).toEqual({ page: 0, answers, prefill: { taste: 5, comment: 'Hi' } });
    expect(shownPage({ ...progress, ...first }, 1)).toEqual({ page: 1, answers, prefill: { comment: 'Hi' } });
    const last = { page: 2, answers: { ...answers, comment: 'Hi' }, prefill: { taste: 5 } };
    expect(shownPage({ ...progress, ...first }, 2)).toEqual(last);
  });

  it('leaves out a page that logic hides', () => {
    expect(shownPage({ ...progress, answers: { ate: 'no' }, prefill: { ate: 'yes', taste: 5 } }, 1)).toEqual({
      page: 1,
      answers: { ate: 'no' },
      prefill: { taste: 5 },
    });
  });
});

it('errors are those of the questions', () => {
  const answers = { comment: 'long' };
  expect(errorsIn(definition, answers, ['ate'])).toEqual(new Map([['ate', 'REQUIRED']]));
  expect(errorsIn(definition, answers, ['taste', 'comment'])).toEqual(new Map([['comment', 'TOO_LONG']]));
});

it('logic makes questions required', () => {
  expect(['ate', 'comment'].map(createIsRequired(definition, {}))).toEqual([true, false]);
  expect(['ate', 'comment'].map(createIsRequired(definition, { ate: 'no' }))).toEqual([true, true]);
});

it('an answer is replaced or removed', () => {
  expect(withAnswer({ a: 1 }, 'a', 2)).toEqual({ a: 2 });
  expect(withAnswer({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
});
