import type { JsonObject } from '@bufbuild/protobuf';
import { anyData, anySurvey } from '@survey/questionnaire/testing/arbitraries';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canGroupBy, createFoundValues, type Grouping } from '../crosstabs/grouping.ts';
import type { Response } from '../responses/response.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { newResponse } from '../testing/new-response.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { hideSmallCells } from './crosstab.ts';
import type { CrosstabTable, QuestionSummary, SurveyCountsSummary } from './summary.ts';
import { createSurveyTally } from './survey-tally.ts';

/** Counts parts of the responses apart, as time slices. */
function sumUp(
  versions: readonly CompiledSurvey[],
  parts: readonly (readonly Response[])[],
  grouping?: Grouping,
): SurveyCountsSummary {
  const counted = new Map(versions.map(({ version, compiled }) => [version, compiled()]));
  const groups = grouping && { grouping, found: createFoundValues() };
  const total = createSurveyTally(counted, { groups });
  for (const responses of parts) {
    const tally = createSurveyTally(counted, { maxListed: 0, groups });
    for (const response of responses) tally.add(response);
    total.merge(tally.counts());
  }
  return total.summary();
}

const byQuestion = (questionId: string): Grouping => ({ by: 'question', questionId });

function tableOf({ questions }: SurveyCountsSummary, id: string): CrosstabTable | undefined {
  return questions.find(({ questionId }) => questionId === id)?.crosstab;
}

const cellsOf = (table: CrosstabTable | undefined) => table?.groups.map(({ cells }) => cells);
const groupsOf = ({ groups }: SurveyCountsSummary) =>
  groups?.groups.map(({ kind, value, responses }) => [kind === 'value' ? value : kind, responses]);

const sizes = { id: 'size', type: 'single_choice', options: ['S', 'M', 'L'] };
const colors = { id: 'colors', type: 'multiple_choice', options: ['red', 'blue'] };
const stars = { id: 'stars', type: 'rating', min: 1, max: 3 };
const why = { id: 'why', type: 'textarea' };

/** Repeats the answers of a response. */
function repeat(survey: CompiledSurvey, ...given: readonly (readonly [number, JsonObject, Partial<Response>?])[]) {
  return given.flatMap(([count, data, fields]) =>
    Array.from({ length: count }, () => newResponse(survey, { data, ...fields })),
  );
}

describe('groups by the answers to a question', () => {
  const survey = newDefinition([sizes, colors, stars, why]);

  it('are the options in order, and those that did not answer', () => {
    const responses = repeat(
      survey,
      [3, { size: 'M', stars: 3 }],
      [2, { size: 'S', stars: 1 }],
      [1, { size: 'M', why: 'x' }],
      [4, { stars: 2 }],
      [5, { size: 'L' }, { status: 'disqualified' }],
    );
    const summary = sumUp([survey], [responses], byQuestion('size'));
    expect(groupsOf(summary)).toEqual([
      ['S', 2],
      ['M', 4],
      ['L', 0],
      ['none', 4],
    ]);
    expect(tableOf(summary, 'stars')).toEqual({
      groups: [
        expect.objectContaining({ answered: 2, unanswered: 0, notShown: 0, cells: [2, 0, 0] }),
        expect.objectContaining({ answered: 3, unanswered: 1, notShown: 0, cells: [0, 0, 3] }),
        { answered: 0, unanswered: 0, notShown: 0, cells: [0, 0, 0] },
        expect.objectContaining({ answered: 4, unanswered: 0, notShown: 0, cells: [0, 4, 0] }),
      ],
    });
    expect(tableOf(summary, 'why')?.groups.map(({ answered }) => answered)).toEqual([0, 1, 0, 0]);
  });

  it('overlap if responses can choose several options', () => {
    const responses = repeat(
      survey,
      [2, { colors: ['red', 'blue'], size: 'S' }],
      [3, { colors: ['blue'], size: 'M' }],
      [1, { size: 'M' }],
    );
    const summary = sumUp([survey], [responses], byQuestion('colors'));
    expect(summary.groups).toMatchObject({ isOverlapping: true });
    expect(groupsOf(summary)).toEqual([
      ['red', 2],
      ['blue', 5],
      ['none', 1],
    ]);
    expect(cellsOf(tableOf(summary, 'size'))).toEqual([
      [2, 0, 0],
      [2, 3, 0],
      [0, 1, 0],
    ]);
    expect(tableOf(summary, 'size')?.test).toBe('multiple_choice');
  });

  it('are the numbers of a scale', () => {
    const responses = repeat(survey, [2, { stars: 3, size: 'S' }], [3, { stars: 1, size: 'M' }]);
    const summary = sumUp([survey], [responses], byQuestion('stars'));
    expect(groupsOf(summary)).toEqual([
      ['1', 3],
      ['2', 0],
      ['3', 2],
    ]);
    expect(cellsOf(tableOf(summary, 'size'))).toEqual([
      [0, 3, 0],
      [0, 0, 0],
      [2, 0, 0],
    ]);
  });

  it('are as the version of each response has the question', () => {
    const first = newDefinition([{ ...sizes, options: ['S', 'XL'] }, stars]);
    const second = newDefinition([{ ...sizes, type: 'text' }, stars], { version: 2 });
    const third = newDefinition([stars], { version: 3 });
    const fourth = newDefinition([sizes, stars], { version: 4 });
    const responses = [
      ...repeat(first, [2, { size: 'XL', stars: 1 }]),
      ...repeat(second, [3, { size: 'S', stars: 1 }]),
      ...repeat(third, [1, { stars: 2 }]),
      ...repeat(fourth, [4, { size: 'S', stars: 3 }]),
    ];
    const summary = sumUp([fourth, third, second, first], [responses], byQuestion('size'));
    expect(groupsOf(summary)).toEqual([
      ['S', 4],
      ['M', 0],
      ['L', 0],
      ['XL', 2],
      ['none', 1],
      ['other', 3],
    ]);
  });

  it('count a hidden question as not answered', () => {
    const logic = [
      { question_id: 'size', conditions: [{ source_question: 'stars', operator: 'equals', value: 3, action: 'show' }] },
    ];
    const hiding = newDefinition([stars, sizes], { survey: { logic } });
    // An import can store an answer to a hidden question.
    const responses = repeat(hiding, [1, { stars: 3, size: 'S' }], [2, { stars: 1, size: 'S' }]);
    expect(groupsOf(sumUp([hiding], [responses], byQuestion('size')))).toEqual([
      ['S', 1],
      ['M', 0],
      ['L', 0],
      ['none', 2],
    ]);
  });

  it('are the first 30 options, and one for all others', () => {
    const options = Array.from({ length: 32 }, (_, index) => `o${index}`);
    const long = newDefinition([{ ...sizes, options }, stars]);
    const responses = options.flatMap((size) => repeat(long, [2, { size, stars: 1 }]));
    const summary = sumUp([long], [responses], byQuestion('size'));
    const groups = groupsOf(summary) ?? [];
    expect([groups.length, groups[0], groups[29], groups[30]]).toEqual([31, ['o0', 2], ['o29', 2], ['other', 4]]);
  });

  it('cannot be texts or scales with very many numbers', () => {
    const { questions } = newDefinition([
      why,
      { id: 'age', type: 'text', format: 'number' },
      { id: 'fine', type: 'rating', min: 0, max: 1, step: 0.001 },
      { id: 'rows', type: 'likert', rows: ['r'], options: ['a', 'b'] },
      { id: 'flat', type: 'likert', options: ['a', 'b'] },
      sizes,
    ]).compiled();
    expect(questions.filter(canGroupBy).map(({ id }) => id)).toEqual(['flat', 'size']);
  });
});

describe('groups by a value', () => {
  const survey = newDefinition([sizes]);

  it('are the most frequent ones first', () => {
    const responses = repeat(
      survey,
      [1, { size: 'S' }, { language: 'en', linkId: 'l1', metadata: { team: 'A ' } }],
      [2, { size: 'M' }, { language: 'de', metadata: { team: 5 } }],
      [3, { size: 'L' }, { metadata: { team: '' } }],
      [1, { size: 'L' }, { language: 'de', metadata: { team: 'A' } }],
      [1, { size: 'L' }, { metadata: { team: 'x'.repeat(300) } }],
    );
    expect(groupsOf(sumUp([survey], [responses], { by: 'language' }))).toEqual([
      ['de', 3],
      ['en', 1],
      ['none', 4],
    ]);
    expect(groupsOf(sumUp([survey], [responses], { by: 'link' }))).toEqual([
      ['l1', 1],
      ['none', 7],
    ]);
    expect(groupsOf(sumUp([survey], [responses], { by: 'metadata', name: 'team' }))).toEqual([
      ['5', 2],
      ['A', 2],
      ['none', 3],
      ['other', 1],
    ]);
    expect(groupsOf(sumUp([survey], [responses], { by: 'metadata', name: 'constructor' }))).toEqual([['none', 8]]);
  });

  it('are at most 30 of 100 values, and the reply says if there are more', () => {
    const ofTeam = (team: number, count: number) => repeat(survey, [count, { size: 'S' }, { metadata: { team } }]);
    const hundred = Array.from({ length: 100 }, (_, team) => ofTeam(team, team < 70 ? 1 : 2)).flat();
    const late = Array.from({ length: 5 }, (_, team) => ofTeam(1_000 + team, 9)).flat();
    const grouping: Grouping = { by: 'metadata', name: 'team' };
    const exact = sumUp([survey], [hundred.slice(0, 40), hundred.slice(40)], grouping);
    expect(exact.groups?.hasUncounted).toBe(false);
    expect(groupsOf(exact)).toEqual([
      ...Array.from({ length: 30 }, (_, index) => [String(70 + index), 2]),
      ['other', 70],
    ]);
    const cut = sumUp([survey], [hundred, late], grouping);
    expect(cut.groups?.hasUncounted).toBe(true);
    expect(groupsOf(cut)).toEqual([...(groupsOf(exact) ?? []).slice(0, 30), ['other', 70 + 45]]);
  });
});

describe('statistics of groups', () => {
  const rows = { id: 'rows', type: 'likert', rows: ['r'], options: ['a', 'b'] };
  const survey = newDefinition([sizes, { ...sizes, id: 'next' }, colors, rows, { ...stars, min: 0, max: 10 }]);
  const responses = repeat(
    survey,
    [10, { size: 'S', next: 'S', colors: ['red'], rows: { r: 'a' }, stars: 10 }],
    [20, { size: 'S', next: 'M', colors: ['red', 'blue'], rows: { r: 'b' }, stars: 4 }],
    [30, { size: 'M', next: 'S', colors: ['blue'], rows: { r: 'a' }, stars: 9 }],
    [40, { size: 'M', next: 'M', rows: { r: 'b' }, stars: 8 }],
    // Responses without a value are not tested.
    [50, { next: 'S' }],
    [1, { size: 'L', stars: 7 }],
  );
  const summary = sumUp([survey], [responses], byQuestion('size'));

  it('are tests of single choices', () => {
    // As the first table of `statistics.json`.
    const test = {
      chiSquared: expect.closeTo(0.7936507936507936, 9),
      degreesOfFreedom: 1,
      p: expect.closeTo(0.37299848361348686, 9),
      cramersV: expect.closeTo(0.0890870806374748, 9),
    };
    expect(tableOf(summary, 'next')?.test).toEqual(test);
    expect(summary.questions.find(({ questionId }) => questionId === 'rows')?.rows?.[0]?.crosstab?.test).toEqual(test);
    expect(tableOf(summary, 'size')?.test).toBe('same_question');
    expect(tableOf(summary, 'colors')?.test).toBe('multiple_choice');
    expect(tableOf(summary, 'stars')).not.toHaveProperty('test');
  });

  it('test links together with the own address of the survey', () => {
    const byLink = responses.map((one, index) => ({ ...one, linkId: index % 2 === 0 ? 'l' : undefined }));
    expect(tableOf(sumUp([survey], [byLink], { by: 'link' }), 'next')?.test).toMatchObject({ degreesOfFreedom: 1 });
    const byLanguage = responses.map((one, index) => ({ ...one, language: index % 2 === 0 ? 'l' : undefined }));
    expect(tableOf(sumUp([survey], [byLanguage], { by: 'language' }), 'next')?.test).toBe('too_few_cells');
  });

  it('are means of numbers, with an interval and the net promoter score', () => {
    const [small, medium, large] = tableOf(summary, 'stars')?.groups ?? [];
    expect(small?.numbers).toMatchObject({
      mean: 6,
      median: 4,
      nps: { promoters: 10, passives: 0, detractors: 20, score: expect.closeTo(-33.33, 2) },
      // SciPy 1.17.1: stats.t.interval(0.95, 29, 6, stats.sem([10] * 10 + [4] * 20))
      interval: { low: expect.closeTo(4.925_793, 5), high: expect.closeTo(7.074_207, 5) },
    });
    expect(medium?.numbers?.nps).toMatchObject({ promoters: 30, passives: 40 });
    expect(large?.numbers).toMatchObject({ mean: 7, interval: undefined });
  });

  it('are hidden with the small cells that they would reveal', () => {
    const hidden = hideSmallCells(summary, 5);
    expect(groupsOf(hidden)).toEqual([
      ['S', undefined],
      ['M', 70],
      ['L', undefined],
      ['none', 50],
    ]);
    const [small, medium] = tableOf(hidden, 'stars')?.groups ?? [];
    expect(small).toEqual({ answered: undefined, numbers: undefined, files: undefined, cells: expect.anything() });
    expect(small?.cells).toEqual(new Array(11).fill(undefined));
    expect(medium).toMatchObject({ answered: 70, numbers: { mean: expect.anything() } });
    expect(medium).not.toHaveProperty('unanswered');
    expect(tableOf(hidden, 'next')?.test).toBe('hidden_cells');
    expect(hideSmallCells(summary, 0)).toBe(summary);
  });

  it('are hidden in all tables of a reply together with a limited number of steps', () => {
    const groups = Array.from({ length: 32 }, (_, group) => ({
      answered: 1_000,
      cells: Array.from({ length: 500 }, (_cell, line) => (line % 32 === group && line < 60 ? 1 : 10 + line)),
    }));
    const [question] = summary.questions;
    if (question === undefined) throw new Error('no question');
    const asked = { ...question, crosstab: { groups } };
    const { questions } = hideSmallCells({ ...summary, questions: new Array<QuestionSummary>(12).fill(asked) }, 5);
    const showsSome = questions.map(({ crosstab }) => crosstab?.groups.some(({ cells }) => cells.some(Boolean)));
    expect([showsSome[0], showsSome.at(-1)]).toEqual([true, false]);
  });
});

describe('tables', () => {
  it('have as many lines as the memory allows', () => {
    const options = Array.from({ length: 2_000 }, (_, index) => `o${index}`);
    const survey = newDefinition([sizes, { ...sizes, id: 'long', options }, { ...sizes, id: 'longer', options }, why]);
    const { questions } = sumUp([survey], [], byQuestion('size'));
    expect(questions.filter(({ crosstab }) => crosstab).map(({ questionId }) => questionId)).toEqual([
      'size',
      'long',
      'why',
    ]);
  });

  it('have lines for the numbers, days and hours of questions, too', () => {
    const given = [
      ...Array.from({ length: 13 }, (_, index) => ({ id: `day${index}`, type: 'date' })),
      ...Array.from({ length: 12 }, (_, index) => ({ id: `number${index}`, type: 'text', format: 'number' })),
      { ...stars, id: 'scale' },
      { id: 'hour', type: 'time' },
      { id: 'late', type: 'date' },
    ];
    const { questions } = sumUp([newDefinition([sizes, ...given])], [], byQuestion('size'));
    const isCounted = questions.map(({ crosstab }) => crosstab !== undefined);
    expect(isCounted.filter((one) => !one)).toHaveLength(1);
    expect(tableOf({ questions } as unknown as SurveyCountsSummary, 'late')).toBeUndefined();
  });

  it('have no cells of a question with very many days', () => {
    const survey = newDefinition([sizes, { id: 'few', type: 'date' }, { id: 'many', type: 'date' }]);
    const dayOf = (day: number) => new Date(day * 24 * 60 * 60_000).toISOString().slice(0, 10);
    const responses = Array.from({ length: 150 }, (_, index) =>
      newResponse(survey, {
        data: { size: index < 149 ? 'S' : 'M', few: dayOf(index % 100), many: dayOf(index) },
      }),
    );
    // Each part has fewer days than a table has lines.
    const summary = sumUp([survey], [responses.slice(0, 75), responses.slice(75)], byQuestion('size'));
    const cellCounts = (id: string) => cellsOf(tableOf(summary, id))?.map(({ length }) => length);
    expect([cellCounts('few'), cellCounts('many')]).toEqual([
      [100, 100, 100],
      [0, 0, 0],
    ]);
    expect(tableOf(summary, 'many')?.groups.map(({ answered }) => answered)).toEqual([149, 1, 0]);
    expect(summary.questions.find(({ questionId }) => questionId === 'many')?.periods).toHaveLength(150);

    const grouping = byQuestion('size');
    const versions = new Map([[1, survey.compiled()]]);
    const tally = createSurveyTally(versions, { groups: { grouping, found: createFoundValues() } });
    for (const response of responses) tally.add(response);
    const counted = tally.counts().groups.get('=S')?.questions;
    expect([counted?.get('few')?.kindCounts.kind, counted?.get('many')?.kindCounts.kind]).toEqual([
      'dates',
      'presence',
    ]);
  });

  it('count an option of several versions as one line', () => {
    const options = Array.from({ length: 100 }, (_, index) => `o${index}`);
    const rows = { id: 'rows', type: 'likert', rows: ['r', 's'], options: ['a', 'b'] };
    const versions = Array.from({ length: 30 }, (_, index) =>
      newDefinition([{ ...sizes, options: [...options, `new${index}`] }, rows, stars], { version: 30 - index }),
    );
    const summary = sumUp(versions, [], byQuestion('size'));
    expect(summary.questions.map(({ crosstab }) => crosstab !== undefined)).toEqual([true, true, true]);
  });

  it('have the counts of the responses of each group, and the summary without groups as sums', () => {
    const fields = fc.record({
      language: fc.constantFrom(undefined, 'en', 'de'),
      linkId: fc.constantFrom(undefined, 'l1', 'l2'),
    });
    fc.assert(
      fc.property(anySurvey, fc.array(fc.tuple(fields, anyData)), fc.nat(10), (payload, given, cut) => {
        // Generated definitions are JSON.
        const survey = newDefinition([], { survey: (payload as { survey: JsonObject }).survey });
        const { questions, validate } = survey.compiled();
        const responses = given.map(([parts, raw]) =>
          newResponse(survey, { ...parts, data: validate(raw).data as JsonObject }),
        );
        const plain = sumUp([survey], [responses]);
        const groupings = [
          ...(['language', 'link'] as const).map((by): Grouping => ({ by })),
          ...questions.filter(canGroupBy).map(({ id }) => byQuestion(id)),
        ];
        for (const grouping of groupings) {
          const grouped = sumUp([survey], [responses.slice(0, cut), responses.slice(cut)], grouping);
          expect(withoutGroups(grouped)).toEqual(withoutGroups(plain));
          for (const [index, { kind, value, responses: size }] of (grouped.groups?.groups ?? []).entries()) {
            if (kind === 'other') continue;
            const inGroup = responses.filter((one) => isIn(one, grouping, kind === 'none' ? undefined : value));
            const expected = sumUp([survey], [inGroup]);
            expect(size).toBe(inGroup.length);
            for (const [place, question] of grouped.questions.entries())
              expectColumn(question, index, expected.questions[place]);
          }
          if (grouped.groups?.isOverlapping === false) for (const one of grouped.questions) expectSums(one);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Whether a response is in a group, by its plain data. */
function isIn(response: Response, grouping: Grouping, value: string | undefined): boolean {
  if (grouping.by === 'language') return response.language === value;
  if (grouping.by === 'link') return response.linkId === value;
  if (grouping.by !== 'question') throw new Error('not tested');
  const { data } = response;
  const answer: unknown = Object.hasOwn(data, grouping.questionId) ? data[grouping.questionId] : undefined;
  if (answer === undefined) return value === undefined;
  if (Array.isArray(answer))
    return value === undefined ? answer.length === 0 : answer.some((one) => chosenOf(one) === value);
  return chosenOf(answer) === value;
}

/** The other option is an object with its text. */
function chosenOf(answer: unknown): string {
  return typeof answer === 'object' ? 'other' : String(answer);
}

function withoutGroups({ groups: _, ...summary }: SurveyCountsSummary): unknown {
  return JSON.parse(JSON.stringify(summary, (name, value) => (name === 'crosstab' ? undefined : value)));
}

/** Compares a group of a question with the summary of its responses. */
function expectColumn(question: QuestionSummary, index: number, expected: QuestionSummary | undefined): void {
  const { answered = 0, skipped = 0, shown = 0, options, numbers, files, rows } = expected ?? {};
  const column = question.crosstab?.groups[index];
  expect(column).toMatchObject({ answered, unanswered: shown - answered, notShown: answered + skipped - shown });
  const countOf = (id: string) => options?.find((one) => one.id === id)?.count;
  if (question.options) expect(column?.cells).toEqual(question.options.map(({ id }) => countOf(id)));
  if (question.files !== undefined) expect(column?.files).toBe(files);
  expect(column?.numbers?.mean).toEqual(numbers?.mean);
  expect(column?.numbers?.median).toEqual(numbers?.median);
  expect(column?.numbers?.nps).toEqual(numbers?.nps);
  for (const [place, row] of (question.rows ?? []).entries())
    expect(row.crosstab?.groups[index]).toEqual({
      answered: rows?.[place]?.answered,
      cells: rows?.[place]?.options.map(({ count }) => count),
    });
}

/** The groups together have the counts of the question. */
function expectSums({ crosstab, answered, options, numbers, periods, rows = [] }: QuestionSummary): void {
  const sum = (counts: readonly (number | undefined)[] = []) =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0);
  expect(sum(crosstab?.groups.map((group) => group.answered))).toBe(answered);
  for (const [line, { count }] of (options ?? periods ?? numbers?.histogram ?? []).entries())
    expect(sum(crosstab?.groups.map(({ cells }) => cells[line]))).toBe(count);
  for (const row of rows)
    for (const [line, { count }] of row.options.entries())
      expect(sum(row.crosstab?.groups.map(({ cells }) => cells[line]))).toBe(count);
}
