import { describe, expect, it } from 'vitest';
import testVectors from '../test-vectors.json' with { type: 'json' };
import { compile } from './compile.ts';
import {
  isDisqualified,
  localize,
  requiredQuestions,
  validateAnswers,
  visiblePages,
  visibleQuestions,
} from './index.ts';

const { vectors } = testVectors;
const branching = vectors.find(({ title }) => title === 'a question that is hidden')?.definition ?? {};

describe.each(vectors)('$title', ({ definition, answers, options, visible, required, disqualified, validation }) => {
  it('is the same for pages of respondents', () => {
    expect(visibleQuestions(definition, answers)).toEqual(visible);
    expect(requiredQuestions(definition, answers)).toEqual(required);
    expect(isDisqualified(definition, answers)).toBe(disqualified);
    expect(validateAnswers(definition, answers, options)).toEqual(validation);
  });

  it('is the same for the server', () => {
    const survey = compile({ schema_version: '1.0', version: 1, survey: definition });
    expect(survey.applyTo(answers)).toEqual({ visible, required, disqualified });
    expect(survey.validate(answers, options)).toEqual(validation);
  });
});

describe('the pages of a survey', () => {
  it('are shown if a question is visible, or if they have no questions', () => {
    expect(visiblePages(branching, { ate: 'no' })).toEqual([
      { index: 0, questions: ['ate'] },
      { index: 2, questions: [] },
      { index: 3, questions: ['age'] },
    ]);
    expect(visiblePages(branching, { ate: 'yes', taste: 2 })[1]).toEqual({ index: 1, questions: ['taste', 'why'] });
  });

  it('of anything else are none', () => {
    expect([visiblePages({}, {}), visiblePages({ pages: 1 }, {})]).toEqual([[], []]);
  });
});

describe('a text', () => {
  const text = { en: 'Lunch', de: 'Mittagessen', fr: '' };

  it.each([
    ['de', 'Mittagessen'],
    ['DE', 'Mittagessen'],
    ['fr', 'Lunch'],
    ['it', 'Lunch'],
  ])('is in the language %s, or the first declared one', (language, expected) => {
    expect(localize(branching, text, language)).toBe(expected);
  });

  it('can be the same in all languages, or absent', () => {
    expect([localize(branching, 'Lunch', 'de'), localize({}, undefined, 'de')]).toEqual(['Lunch', '']);
  });
});
