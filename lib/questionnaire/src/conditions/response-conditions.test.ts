import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import { anyData, anySurvey, conditionsOn } from '../testing/arbitraries.ts';
import { surveyOf, textQuestion, yesNo } from '../testing/survey-of.ts';
import { resolveConditions, type TestedResponse } from './response-conditions.ts';

const survey = surveyOf([
  yesNo('again'),
  textQuestion('why'),
  { id: 'stars', type: 'rating' },
  { id: 'fruits', type: 'multiple_choice', options: [{ id: 'a', text: 'Apple' }, 'Pear'], allow_other: true },
]);

function condition(source: string, operator: string, value?: unknown): JsonObject {
  const member = /^(?:external_id|duration|language|link_id|metadata\..*)$/.test(source) ? 'source' : 'source_question';
  return { [member]: source, operator, ...(value === undefined ? {} : { value }) };
}

function problemsOf(where: unknown, definitions: readonly JsonObject[] = [survey]): readonly string[] {
  return resolveConditions(where, definitions).problems.map(({ code, path }) => `${code} ${path}`);
}

function holds(where: JsonObject, response: Partial<TestedResponse>, version = survey, versions = [version]): boolean {
  const { conditions, problems } = resolveConditions(where, versions);
  if (conditions === undefined) throw new Error(JSON.stringify(problems));
  return conditions.forVersion(version).holds({ data: {}, ...response });
}

describe('conditions on answers', () => {
  it.each([
    ['again', 'equals', 'yes', { again: 'yes' }, true],
    ['again', 'equals', 'yes', { again: 'no' }, false],
    ['again', 'equals', 'yes', {}, false],
    ['again', 'not_equals', 'yes', {}, true],
    ['again', 'in', ['yes', 'no'], { again: 'no' }, true],
    ['again', 'is_answered', undefined, { again: 'no' }, true],
    ['again', 'is_not_answered', undefined, {}, true],
    ['why', 'contains', 'PRICE', { why: 'the price' }, true],
    ['why', 'matches', '^the', { why: 'the price' }, true],
    ['stars', 'less_or_equal', 2, { stars: 2 }, true],
    ['stars', 'less_or_equal', '2', { stars: 3 }, false],
    ['fruits', 'contains', 'Apple', { fruits: ['a', 'Pear'] }, true],
    ['fruits', 'contains', 'other', { fruits: { options: ['a'], other: 'Fig' } }, true],
    ['fruits', 'equals', ['a', 'Pear'], { fruits: ['a'] }, false],
  ] as const)('%s %s %j for %j is %j', (source, operator, value, data, expected) => {
    expect(holds({ conditions: [condition(source, operator, value)] }, { data })).toBe(expected);
  });

  it('needs all or one of the conditions', () => {
    const conditions = [condition('again', 'equals', 'yes'), condition('stars', 'equals', 5)];
    const data = { again: 'yes', stars: 4 };
    expect(holds({ conditions }, { data })).toBe(false);
    expect(holds({ match: 'all', conditions }, { data: { ...data, stars: 5 } })).toBe(true);
    expect(holds({ match: 'any', conditions }, { data })).toBe(true);
  });

  it('reads no inherited members of the answers', () => {
    const odd = surveyOf([textQuestion('constructor')]);
    expect(holds({ conditions: [condition('constructor', 'is_answered')] }, {}, odd)).toBe(false);
  });

  it('mean the same as in logic', () => {
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(
        anySurvey,
        conditionsOn,
        fc.constantFrom('all', 'any'),
        anyData,
        (definition, conditions, match, data) => {
          const pages = (definition['survey'] as { pages: readonly JsonObject[] }).pages;
          const without = { ...definition, survey: { ...(definition['survey'] as object), logic: [], sections: [] } };
          const logic = [{ question_id: 'target', match, conditions }];
          const target = { questions: [textQuestion('target', { title: 'Target' })] };
          const rules = compile({ ...without, survey: { ...without.survey, pages: [...pages, target], logic } });
          const { conditions: resolved } = resolveConditions({ match, conditions }, [without]);
          const { errors } = rules.lint;
          // Logic has no effect if it has errors.
          const isValid = !errors.some(({ path }) => path.startsWith('/survey/logic'));
          expect(resolved !== undefined).toBe(isValid);
          if (resolved === undefined) return;
          const stored = compile(without).validate(data, { partial: true }).data;
          const isShown = rules.applyTo(stored).visible.includes('target');
          expect(resolved.forVersion(without).holds({ data: stored })).toBe(isShown);
          outcomes.add(isShown);
        },
      ),
      { numRuns: 300 },
    );
    expect(outcomes.size).toBe(2);
  });
});

describe('conditions on other parts', () => {
  const startedAt = new Date('2026-05-01T10:00:00Z');
  const response: Partial<TestedResponse> = {
    externalId: 'row-7',
    language: 'de',
    linkId: '0198a5d1-0000-7000-8000-00000000000a',
    metadata: { campaign: 'Spring', clicks: 3, vip: true, empty: '' },
    startedAt,
    completedAt: new Date(startedAt.getTime() + 90_500),
  };

  it.each([
    ['external_id', 'equals', 'row-7', true],
    ['language', 'in', ['en', 'de'], true],
    ['link_id', 'equals', '0198A5D1-0000-7000-8000-00000000000A', true],
    ['duration', 'greater_than', 90, true],
    ['duration', 'less_than', 90.5, false],
    ['metadata.campaign', 'contains', 'spring', true],
    ['metadata.clicks', 'equals', 3, true],
    ['metadata.vip', 'equals', 'true', true],
    ['metadata.empty', 'is_answered', undefined, false],
    ['metadata.constructor', 'is_answered', undefined, false],
    ['metadata.campaign', 'not_equals', 'Autumn', true],
  ])('%s %s %j is %j', (source, operator, value, expected) => {
    expect(holds({ conditions: [condition(source, operator, value)] }, response)).toBe(expected);
  });

  it.each(['external_id', 'language', 'link_id', 'duration', 'metadata.campaign'])('%s can be missing', (source) => {
    expect(holds({ conditions: [condition(source, 'is_answered')] }, {})).toBe(false);
    expect(holds({ conditions: [condition(source, 'not_equals', 1)] }, {})).toBe(true);
  });
});

describe('versions', () => {
  const first = surveyOf([
    {
      id: 'q',
      type: 'single_choice',
      options: [
        { id: 'x', text: 'Old' },
        { id: 'y', text: 'Both' },
      ],
    },
  ]);
  const second = surveyOf([
    {
      id: 'q',
      type: 'single_choice',
      options: [
        { id: 'z', text: 'New' },
        { id: 'w', text: 'Both' },
      ],
    },
    textQuestion('added'),
  ]);
  const versions = [second, first];

  it('resolve the text of an option in each version', () => {
    const old = { conditions: [condition('q', 'equals', 'Old')] };
    expect(holds(old, { data: { q: 'x' } }, first, versions)).toBe(true);
    expect(holds(old, { data: { q: 'z' } }, second, versions)).toBe(false);
    expect(resolveConditions(old, [second])).toMatchObject({ dependsOnEarlier: true, conditions: undefined });
  });

  it('reject a text that belongs to different options', () => {
    expect(problemsOf({ conditions: [condition('q', 'in', ['Both'])] }, versions)).toEqual([
      'AMBIGUOUS_OPTION /conditions/0/value',
    ]);
    expect(problemsOf({ conditions: [condition('q', 'in', ['y', 'w'])] }, versions)).toEqual([]);
  });

  it('count a question that a version lacks as unanswered, and say so', () => {
    const where = { conditions: [condition('added', 'not_equals', 'a')] };
    const { conditions } = resolveConditions(where, versions);
    expect(conditions?.forVersion(first).lacksQuestion).toBe(true);
    expect(conditions?.forVersion(first).holds({ data: {} })).toBe(true);
    expect(conditions?.forVersion(second).lacksQuestion).toBe(false);
    expect(resolveConditions(where, [second]).dependsOnEarlier).toBe(false);
  });

  it('count a question whose type cannot be tested as unanswered', () => {
    const text = surveyOf([textQuestion('q')]);
    const rating = surveyOf([{ id: 'q', type: 'rating' }]);
    const { conditions } = resolveConditions({ conditions: [condition('q', 'greater_than', 2)] }, [rating, text]);
    expect(conditions?.forVersion(text)).toMatchObject({ lacksQuestion: true });
    expect(conditions?.forVersion(text).holds({ data: { q: '3' } })).toBe(false);
    expect(conditions?.forVersion(rating).holds({ data: { q: 3 } })).toBe(true);
  });
});

describe('problems', () => {
  it.each([
    [null, ['WRONG_TYPE ']],
    [[], ['WRONG_TYPE ']],
    [{}, ['MISSING_CONDITIONS /conditions']],
    [{ conditions: [] }, ['MISSING_CONDITIONS /conditions']],
    [{ conditions: {} }, ['WRONG_TYPE /conditions']],
    [{ match: 'none', conditions: [condition('again', 'is_answered')] }, ['WRONG_TYPE /match']],
    [{ conditions: [condition('again', 'is_answered')], extra: 1 }, ['UNKNOWN_MEMBER /extra']],
    [
      { conditions: [{ ...condition('again', 'is_answered'), action: 'show' }] },
      ['UNKNOWN_MEMBER /conditions/0/action'],
    ],
    [{ conditions: [{ operator: 'is_answered' }] }, ['UNKNOWN_SOURCE /conditions/0']],
    [
      { conditions: [{ source: 'language', source_question: 'again', operator: 'is_answered' }] },
      ['UNKNOWN_SOURCE /conditions/0'],
    ],
    [{ conditions: [{ source: 'id', operator: 'is_answered' }] }, ['UNKNOWN_SOURCE /conditions/0/source']],
    [{ conditions: [condition('metadata.', 'is_answered')] }, ['UNKNOWN_SOURCE /conditions/0/source']],
    [{ conditions: [condition('nope', 'is_answered')] }, ['UNKNOWN_SOURCE /conditions/0/source_question']],
    [{ conditions: [{ source_question: 'again' }] }, ['MISSING_MEMBER /conditions/0/operator']],
    [{ conditions: [condition('again', 'is')] }, ['BAD_OPERATOR /conditions/0/operator']],
    [{ conditions: [condition('again', 'greater_than', 1)] }, ['BAD_OPERATOR /conditions/0/operator']],
    [{ conditions: [condition('again', 'equals', 'maybe')] }, ['UNKNOWN_OPTION /conditions/0/value']],
    [{ conditions: [condition('stars', 'equals', 'many')] }, ['BAD_VALUE /conditions/0/value']],
    [{ conditions: [condition('duration', 'equals', 'long')] }, ['BAD_VALUE /conditions/0/value']],
    [{ conditions: [condition('why', 'matches', '(')] }, ['BAD_PATTERN /conditions/0/value']],
    [{ conditions: [condition('again', 'in', [])] }, ['BAD_VALUE /conditions/0/value']],
  ])('%j gives %j', (where, expected) => {
    expect(problemsOf(where)).toEqual(expected);
  });

  it('limit the conditions, their values and their steps', () => {
    const many = (count: number) => Array.from({ length: count }, () => condition('why', 'is_answered'));
    expect(problemsOf({ conditions: many(50) })).toEqual([]);
    expect(problemsOf({ conditions: many(51) })).toEqual(['LIMIT_EXCEEDED /conditions']);
    const values = Array.from({ length: 1_001 }, (_, index) => `v${index}`);
    expect(problemsOf({ conditions: [condition('why', 'in', values)] })).toEqual(['LIMIT_EXCEEDED /conditions']);
    const long = surveyOf([{ id: 'why', type: 'textarea', max_length: 100_000 }]);
    const searches = Array.from({ length: 50 }, (_, index) => condition('why', 'contains', `v${index}`));
    expect(problemsOf({ conditions: searches.slice(0, 40) }, [long])).toEqual([]);
    expect(problemsOf({ conditions: searches }, [long])[0]).toBe('LIMIT_EXCEEDED /conditions/40/value');
  });

  it('is none for any JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), (where) => void resolveConditions(where, [survey])));
  });
});

describe('the canonical form', () => {
  const formOf = (where: JsonObject) => resolveConditions(where, [survey]).conditions?.canonical;

  it('ignores order, repetition and names of options', () => {
    const one = condition('fruits', 'contains', 'Apple');
    const other = condition('why', 'is_answered');
    expect(formOf({ conditions: [one, other] })).toBe(
      formOf({ match: 'all', conditions: [{ ...other, value: 1 }, condition('fruits', 'contains', 'a'), one] }),
    );
  });

  it('differs for other conditions', () => {
    const forms = [
      { conditions: [condition('why', 'contains', 'a')] },
      { match: 'any', conditions: [condition('why', 'contains', 'a')] },
      { conditions: [condition('why', 'contains', 'b')] },
      { conditions: [condition('why', 'equals', 'a')] },
      { conditions: [condition('language', 'equals', 'a')] },
    ].map(formOf);
    expect(new Set(forms).size).toBe(forms.length);
  });
});
