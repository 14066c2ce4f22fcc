import { describe, expect, it } from 'vitest';
import { questionsOf } from '../index.ts';
import { OPERATOR_NAMES, OPERATORS } from '../logic/operators.ts';
import { surveyOf } from '../testing/survey-of.ts';
import {
  type Condition,
  canonicalForm,
  describeConditions,
  findSource,
  isNegative,
  operatorsOf,
  questionSources,
  responseSources,
  toSentence,
  valueCountOf,
} from './condition-sources.ts';
import { readVersion, resolveConditions } from './response-conditions.ts';

const options = [
  { id: 'a', text: 'Apple' },
  { id: 'b', text: 'Pear' },
];
const questions = [
  { id: 'one', type: 'single_choice', options, allow_other: true },
  { id: 'many', type: 'multiple_choice', title: 'Fruits', options },
  { id: 'line', type: 'text', title: '' },
  { id: 'number', type: 'text', format: 'integer' },
  { id: 'lines', type: 'textarea' },
  { id: 'stars', type: 'rating', title: 'Stars', min: 1, max: 3, labels: { 1: 'Bad' } },
  { id: 'scale', type: 'rating', min: 0, max: 500 },
  { id: 'agree', type: 'likert', options },
  { id: 'rows', type: 'likert', options, rows: ['r'] },
  { id: 'table', type: 'matrix', rows: ['r'], columns: options },
  { id: 'day', type: 'date', title: 'Day', min: '2026-01-01' },
  { id: 'hour', type: 'time' },
  { id: 'file', type: 'file_upload' },
];
const definition = surveyOf(questions);
const sources = questionSources(questionsOf(definition['survey'] as object, 'en'));
const sourceOf = (id: string) => findSource({ source_question: id, operator: 'equals' }, sources);

describe('sources of conditions', () => {
  it.each(questions.map(({ id }) => id))('offers the operators that the type of %s has', (id) => {
    const operand = readVersion(definition)(id)?.operand;
    if (operand === undefined) throw new Error('no such question');
    const supported = OPERATOR_NAMES.filter((name) => OPERATORS[name].build(operand, undefined) !== undefined);
    expect(operatorsOf(sourceOf(id)?.kind ?? 'presence').toSorted()).toEqual(supported.toSorted());
  });

  it.each(questions.map(({ id }) => id))('offers valid values for %s', (id) => {
    const source = sourceOf(id);
    if (source === undefined) throw new Error('no such source');
    const values = source.choices.map(({ value }) => value);
    const conditions = operatorsOf(source.kind).flatMap((operator): readonly Condition[] => {
      const count = valueCountOf(source.kind, operator);
      if (count === 'none') return [{ ...source.member, operator }];
      if (values.length === 0) return [];
      return count === 'several'
        ? [{ ...source.member, operator, value: values }]
        : values.map((value) => ({ ...source.member, operator, value }));
    });
    const { problems } = resolveConditions({ conditions }, [readVersion(definition)]);
    expect(problems).toEqual([]);
  });

  it('have choices with texts, and bounds of typed values', () => {
    expect(sourceOf('one')?.choices.at(-1)).toEqual({ value: 'other', text: 'Other' });
    expect(sourceOf('stars')?.choices.map(({ text }) => text)).toEqual(['1 (Bad)', '2', '3']);
    expect(sourceOf('scale')).toMatchObject({ choices: [], min: 0, max: 500, step: 1 });
    expect(sourceOf('day')).toMatchObject({ min: '2026-01-01', choices: [] });
    expect(sourceOf('line')).toMatchObject({ label: 'line', maxLength: 1_000 });
  });
});

it('knows the operators that hold for unanswered questions', () => {
  const negative = OPERATOR_NAMES.filter((name) => OPERATORS[name].whenUnanswered && name !== 'is_not_answered');
  expect(OPERATOR_NAMES.filter(isNegative)).toEqual(negative);
});

it('have a form that is equal in any order', () => {
  const one: Condition = { source_question: 'stars', operator: 'less_than', value: 2 };
  const other: Condition = { source: 'language', operator: 'is_answered', value: 'ignored' };
  const form = canonicalForm({ conditions: [one, other] });
  expect(canonicalForm({ match: 'all', conditions: [{ ...other, value: 1 }, one, one] })).toBe(form);
  expect(canonicalForm({ match: 'any', conditions: [one, other] })).not.toBe(form);
});

describe('sentences', () => {
  const day = { source_question: 'day', operator: 'less_than', value: '2026-03-01' } as const;
  const fruits = { source_question: 'many', operator: 'not_in', value: ['a', 'gone'] } as const;

  it('have the texts of the survey', () => {
    expect(toSentence({ source_question: 'stars', operator: 'less_or_equal', value: 1 }, sources)).toEqual({
      label: 'Stars',
      words: 'is at most',
      values: ['1 (Bad)'],
      orUnanswered: false,
    });
    expect(describeConditions({ match: 'any', conditions: [day, fruits] }, sources)).toBe(
      'Day is before “2026-03-01” or Fruits includes none of “Apple”, “gone” (or not answered)',
    );
  });

  it('say that unanswered questions match, unless another condition excludes them', () => {
    const isAnswered = { source_question: 'many', operator: 'is_answered' } as const;
    const all = { conditions: [fruits, isAnswered] };
    expect(describeConditions(all, sources)).toBe('Fruits includes none of “Apple”, “gone” and Fruits is answered');
    expect(toSentence(fruits, sources, { ...all, match: 'any' }).orUnanswered).toBe(true);
  });

  it('have ids of sources that are not known', () => {
    const conditions = [
      { source_question: 'old', operator: 'equals', value: 4 },
      { source: 'metadata.branch', operator: 'is_not_answered', value: 'x' },
    ] as const;
    expect(describeConditions({ conditions }, sources)).toBe('old is “4” and Metadata branch is not answered');
  });

  it('have the names of other parts of a response', () => {
    const parts = responseSources({
      languages: ['en', 'de'],
      links: [{ id: '0199a1f4-71aa-7e19-b6c3-4d5e6f708192', slug: 'flyer' }],
      metadataFields: [
        { name: 'branch', type: 'string' },
        { name: 'member', type: 'boolean' },
        { name: 'points', type: 'number' },
        { name: 'joined', type: 'date' },
      ],
    });
    const conditions = [
      { source: 'link_id', operator: 'equals', value: '0199a1f4-71aa-7e19-b6c3-4d5e6f708192' },
      { source: 'duration', operator: 'less_than', value: 30 },
    ] as const;
    expect(describeConditions({ conditions }, parts)).toBe('Link is “flyer” and Duration in seconds is less than 30');
    expect(parts.map(({ kind }) => kind)).toEqual([
      'choice',
      'choice',
      'number',
      'text',
      'text',
      'choice',
      'number',
      'date',
    ]);
    const { problems } = resolveConditions(
      { conditions: parts.map(({ member }) => ({ ...member, operator: 'is_answered' })) },
      [readVersion(definition)],
    );
    expect(problems).toEqual([]);
  });
});
