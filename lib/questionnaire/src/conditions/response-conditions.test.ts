import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import type { MetadataField } from '../metadata/metadata-fields.ts';
import { anyData, anySurvey, conditionsOn } from '../testing/arbitraries.ts';
import { surveyOf, textQuestion, yesNo } from '../testing/survey-of.ts';
import { readVersion, resolveConditions, type TestedResponse, type VersionConditions } from './response-conditions.ts';

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

function isMatch(conditions: VersionConditions | undefined, response: Partial<TestedResponse>): boolean | undefined {
  const test = conditions?.test({ data: {}, ...response });
  let step = test?.next();
  while (step?.done === false) step = test?.next();
  return step?.done ? step.value : undefined;
}

function problemsOf(where: unknown, definitions: readonly JsonObject[] = [survey]): readonly string[] {
  return resolveConditions(where, definitions.map(readVersion)).problems.map(({ code, path }) => `${code} ${path}`);
}

function holds(where: JsonObject, response: Partial<TestedResponse>, version = survey, versions = [version]) {
  const { conditions, problems } = resolveConditions(where, versions.map(readVersion));
  if (conditions === undefined) throw new Error(JSON.stringify(problems));
  return isMatch(conditions.forVersion(readVersion(version)), response);
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
          const { conditions: resolved } = resolveConditions({ match, conditions }, [readVersion(without)]);
          const { errors } = rules.lint;
          // Logic has no effect if it has errors.
          const isValid = !errors.some(({ path }) => path.startsWith('/survey/logic'));
          expect(resolved !== undefined).toBe(isValid);
          if (resolved === undefined) return;
          const stored = compile(without).validate(data, { partial: true }).data;
          const isShown = rules.applyTo(stored).visible.includes('target');
          expect(isMatch(resolved.forVersion(readVersion(without)), { data: stored })).toBe(isShown);
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
    metadata: {
      campaign: 'Spring',
      clicks: 3,
      vip: true,
      empty: '',
      blanks: ' x ',
      composed: 'cafe\u0301',
      'utm.source': 'ad',
    },
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
    ['metadata.blanks', 'equals', 'x', true],
    ['metadata.composed', 'equals', 'caf\u00e9', true],
    ['metadata.utm.source', 'equals', 'ad', true],
    ['language', 'equals', 'DE', true],
  ])('%s %s %j is %j', (source, operator, value, expected) => {
    expect(holds({ conditions: [condition(source, operator, value)] }, response)).toBe(expected);
  });

  const fields: readonly MetadataField[] = [
    { name: 'clicks', type: 'number', from: ['url'] },
    { name: 'joined', type: 'date', from: ['url'] },
    { name: 'vip', type: 'boolean', from: ['url'] },
    { name: 'campaign', type: 'number', from: ['url'] },
  ];

  it.each([
    ['clicks', 'greater_than', 2.5, true],
    ['clicks', 'less_than', '10', true],
    ['clicks', 'equals', 3, true],
    ['joined', 'less_than', '2024-03-01', true],
    ['joined', 'greater_or_equal', '2024-03-01', false],
    ['vip', 'equals', 'true', true],
    ['campaign', 'is_answered', undefined, false],
    ['blanks', 'equals', 'x', true],
  ])('declared metadata has its type: %s %s %j is %j', (name, operator, value, expected) => {
    const tested = { ...response, metadata: { ...response.metadata, joined: '2024-02-29' } };
    const where = { conditions: [condition(`metadata.${name}`, operator, value)] };
    const { conditions, problems } = resolveConditions(where, [readVersion(survey)], fields);
    expect(problems).toEqual([]);
    expect(isMatch(conditions?.forVersion(readVersion(survey)), tested)).toBe(expected);
  });

  it('declared metadata needs values of its type', () => {
    const where = {
      conditions: [condition('metadata.clicks', 'equals', 'many'), condition('metadata.vip', 'less_than', 1)],
    };
    const { problems } = resolveConditions(where, [readVersion(survey)], fields);
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'BAD_VALUE /conditions/0/value',
      'BAD_OPERATOR /conditions/1/operator',
    ]);
    const equal = { conditions: [condition('metadata.clicks', 'equals', 3)] };
    const [typed, plain] = [fields, []].map((given) => resolveConditions(equal, [readVersion(survey)], given));
    expect(typed?.conditions?.canonical).not.toBe(plain?.conditions?.canonical);
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
    expect(resolveConditions(old, [readVersion(second)])).toMatchObject({
      dependsOnEarlier: true,
      conditions: undefined,
    });
  });

  it('reject a text that belongs to different options', () => {
    expect(problemsOf({ conditions: [condition('q', 'in', ['Both'])] }, versions)).toEqual([
      'AMBIGUOUS_OPTION /conditions/0/value',
    ]);
    expect(problemsOf({ conditions: [condition('q', 'in', ['y', 'w'])] }, versions)).toEqual([]);
  });

  it('count a question that a version lacks as unanswered, and say so', () => {
    const where = { conditions: [condition('added', 'not_equals', 'a')] };
    const { conditions } = resolveConditions(where, versions.map(readVersion));
    expect(conditions?.forVersion(readVersion(first)).lacksQuestion).toBe(true);
    expect(isMatch(conditions?.forVersion(readVersion(first)), { data: {} })).toBe(true);
    expect(conditions?.forVersion(readVersion(second)).lacksQuestion).toBe(false);
    expect(resolveConditions(where, [readVersion(second)]).dependsOnEarlier).toBe(false);
  });

  it('count a question whose type cannot be tested as unanswered', () => {
    const text = surveyOf([textQuestion('q')]);
    const rating = surveyOf([{ id: 'q', type: 'rating' }]);
    const { conditions } = resolveConditions(
      { conditions: [condition('q', 'greater_than', 2)] },
      [rating, text].map(readVersion),
    );
    expect(conditions?.forVersion(readVersion(text))).toMatchObject({ lacksQuestion: true });
    expect(isMatch(conditions?.forVersion(readVersion(text)), { data: { q: '3' } })).toBe(false);
    expect(isMatch(conditions?.forVersion(readVersion(rating)), { data: { q: 3 } })).toBe(true);
  });
});

describe('versions with other types or limits', () => {
  const options = [{ id: 'o1', text: 'Red' }];
  const choice = surveyOf([{ id: 'q', type: 'single_choice', options }]);
  const text = surveyOf([textQuestion('q')]);
  const red = { conditions: [condition('q', 'equals', 'Red')] };

  it.each([
    [choice, { q: 'o1' }, [choice, text]],
    [text, { q: 'Red' }, [choice, text]],
    [choice, { q: 'o1' }, [text, choice]],
    [text, { q: 'Red' }, [text, choice]],
  ])('compare an option by id and a text by itself', (version, data, versions) => {
    expect(holds(red, { data }, version, versions)).toBe(true);
  });

  it('do not prefer an id of an earlier version to a text of the latest', () => {
    const latest = surveyOf([{ id: 'q', type: 'single_choice', options: [{ id: 'x', text: 'Blue' }] }]);
    const earlier = surveyOf([{ id: 'q', type: 'single_choice', options: [{ id: 'Blue', text: 'Dark' }] }]);
    const blue = { conditions: [condition('q', 'equals', 'Blue')] };
    expect(problemsOf(blue, [latest, earlier])).toEqual(['AMBIGUOUS_OPTION /conditions/0/value']);
    expect(problemsOf(blue, [earlier, latest])).toEqual([]);
  });

  it('never count an answer as unanswered because of a limit', () => {
    const short = surveyOf([textQuestion('q')]);
    const long = surveyOf([{ id: 'q', type: 'textarea', max_length: 100_000 }]);
    const many = Array.from({ length: 50 }, (_, index) => condition('q', 'not_contains', `abc${index}`));
    const where = { conditions: [...many, condition('q', 'not_contains', 'abc')].slice(1) };
    expect(holds(where, { data: { q: 'abc' } }, long, [short])).toBe(false);
    expect(problemsOf(where, [short, long])[0]).toMatch('LIMIT_EXCEEDED');
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

  it('limit the length of the conditions', () => {
    const long = 'x'.repeat(40_000);
    expect(problemsOf({ conditions: [condition('why', 'contains', long)] })).toEqual(['LIMIT_EXCEEDED ']);
  });

  it('are reported together', () => {
    const conditions = [condition('nope', 'is_answered'), condition('again', 'equals', 'maybe')];
    expect(problemsOf({ conditions })).toHaveLength(2);
    expect(problemsOf({ match: 'none', conditions: [{ operator: 'is' }] })).toHaveLength(2);
  });

  it('is none for any JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), (where) => void resolveConditions(where, [readVersion(survey)])));
  });
});

describe('the canonical form', () => {
  const formOf = (where: JsonObject) => resolveConditions(where, [readVersion(survey)]).conditions?.canonical;

  it('ignores order and repetition', () => {
    const one = condition('fruits', 'contains', 'a');
    const other = condition('why', 'is_answered');
    expect(formOf({ conditions: [one, other] })).toBe(
      formOf({ match: 'all', conditions: [{ ...other, value: 1 }, one, one] }),
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
