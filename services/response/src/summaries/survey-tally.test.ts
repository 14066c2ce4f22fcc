import type { JsonObject } from '@bufbuild/protobuf';
import { anyData, anySurvey } from '@survey/questionnaire/testing/arbitraries';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Response } from '../responses/response.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { newResponse } from '../testing/new-response.ts';
import { newDefinition } from '../testing/test-definition.ts';
import type { Summary } from './summary.ts';
import { createSurveyTally } from './survey-tally.ts';
import { offsetsOf } from './survey-times.ts';

/** @param versions latest first */
function tallyOf(versions: readonly CompiledSurvey[], options: Parameters<typeof createSurveyTally>[1] = {}) {
  const counted = new Map(versions.map(({ version, compiled }) => [version, compiled()]));
  return createSurveyTally(counted, { maxListed: 1_000, ...options });
}

function sumUp(
  versions: readonly CompiledSurvey[],
  responses: readonly Response[],
  { timeZone = 'UTC', status }: { readonly timeZone?: string; readonly status?: Response['status'] | undefined } = {},
) {
  const tally = tallyOf(versions, { status });
  for (const response of responses) tally.add(response);
  return { ...tally.summary(), byDay: tally.times.byDay(offsetsOf(timeZone)) };
}

function sumUpApart(versions: readonly CompiledSurvey[], parts: readonly (readonly Response[])[]) {
  const total = tallyOf(versions);
  for (const responses of parts) {
    const tally = tallyOf(versions, { maxListed: 0 });
    for (const response of responses) tally.add(response);
    total.merge(tally.counts());
  }
  return total.summary();
}

const options = ['a', 'b'];

describe('the summary of a survey', () => {
  it('counts options, also free-text ones, and their shares of the respondents who answered', () => {
    const survey = newDefinition([
      { id: 'one', type: 'single_choice', options, allow_other: true },
      { id: 'many', type: 'multiple_choice', options },
      { id: 'text', type: 'textarea' },
    ]);
    const data: readonly JsonObject[] = [
      { one: 'a', many: ['a', 'b'], text: 'x' },
      { one: { option: 'other', text: 'mine' }, many: ['b'] },
      {},
    ];
    const { responses, questions } = sumUp(
      [survey],
      data.map((answers) => newResponse(survey, { data: answers })),
    );
    expect(responses).toBe(3);
    expect(questions).toMatchObject([
      {
        questionId: 'one',
        type: 'single_choice',
        answered: 2,
        skipped: 1,
        options: [
          { id: 'a', count: 1, share: 0.5 },
          { id: 'b', count: 0, share: 0 },
          { id: 'other', count: 1, share: 0.5 },
        ],
      },
      {
        questionId: 'many',
        type: 'multiple_choice',
        answered: 2,
        skipped: 1,
        options: [
          { id: 'a', count: 1, share: 0.5 },
          { id: 'b', count: 2, share: 1 },
        ],
      },
      { questionId: 'text', type: 'textarea', answered: 1, skipped: 2 },
    ]);
  });

  it('counts rows, each with its own shares', () => {
    const survey = newDefinition([{ id: 'm', type: 'matrix', rows: ['r', 's'], columns: options, multiple: true }]);
    const responses = [{ m: { r: ['a', 'b'] } }, { m: { r: ['a'], s: ['b'] } }].map((data) =>
      newResponse(survey, { data }),
    );
    expect(sumUp([survey], responses).questions[0]?.rows).toEqual([
      {
        id: 'r',
        answered: 2,
        options: [
          { id: 'a', count: 2, share: 1 },
          { id: 'b', count: 1, share: 0.5 },
        ],
      },
      {
        id: 's',
        answered: 1,
        options: [
          { id: 'a', count: 0, share: 0 },
          { id: 'b', count: 1, share: 1 },
        ],
      },
    ]);
  });

  it('counts only completed responses, by the day of completion in a time zone', () => {
    const survey = newDefinition([{ id: 'q', type: 'text' }]);
    const at = (time: string) => newResponse(survey, { completedAt: new Date(time), data: { q: 'x' } });
    const responses = [
      at('2024-05-02T21:00:00Z'),
      at('2024-05-01T22:00:00Z'),
      at('2024-05-02T23:00:00Z'),
      newResponse(survey, { status: 'disqualified', data: { q: 'x' } }),
      newResponse(survey, { status: 'in_progress', completedAt: undefined, data: { q: 'x' } }),
    ];
    const summary = sumUp([survey], responses, { timeZone: 'Europe/Berlin' });
    expect(summary.responses).toBe(3);
    expect(summary.questions).toMatchObject([{ answered: 3, skipped: 0 }]);
    expect(summary.byDay).toEqual([
      { day: '2024-05-02', count: 2 },
      { day: '2024-05-03', count: 1 },
    ]);
  });

  it('contains the questions at which unfinished responses stopped', () => {
    const survey = newDefinition(['1', '10', '2', 'x'].map((id) => ({ id, type: 'text' })));
    const stopped = (status: Response['status'], data: JsonObject) =>
      newResponse(survey, { status, completedAt: undefined, data });
    const { dropOff } = sumUp(
      [survey],
      [
        // JSON objects order numeric keys differently.
        stopped('in_progress', { 1: 'a', 10: 'b', 2: 'c' }),
        stopped('abandoned', { 10: 'b', 1: 'a' }),
        stopped('abandoned', { 2: 'b' }),
        stopped('in_progress', {}),
        newResponse(survey, { data: { x: 'a' } }),
      ],
    );
    expect(dropOff).toEqual([
      { questionId: '', count: 1, abandoned: 0, disqualified: 0 },
      { questionId: '10', count: 1, abandoned: 1, disqualified: 0 },
      { questionId: '2', count: 2, abandoned: 1, disqualified: 0 },
    ]);
  });

  it('distinguishes questions that were not shown from those not answered', () => {
    const survey = {
      title: 'Survey',
      supported_languages: ['en'],
      pages: [['ask', 'why'], ['late']].map((ids) => ({
        questions: ids.map((id) => ({ id, type: 'text', title: id })),
      })),
      logic: [
        {
          question_id: 'why',
          conditions: [{ source_question: 'ask', operator: 'equals', value: 'yes', action: 'show' }],
        },
      ],
    };
    const first = newDefinition([], { survey: { ...survey, logic: [] } });
    const latest = newDefinition([], { survey, version: 2 });
    const old = newDefinition([{ id: 'gone', type: 'text' }], { version: 3 });
    const given: readonly [CompiledSurvey, Response['status'], JsonObject][] = [
      [latest, 'completed', { ask: 'yes', why: 'x' }],
      [latest, 'completed', { ask: 'yes', late: 'x' }],
      [latest, 'completed', { ask: 'no' }],
      [first, 'completed', { ask: 'no' }],
      [old, 'completed', {}],
      [latest, 'abandoned', { ask: 'yes' }],
      [latest, 'abandoned', { ask: 'no', late: 'x' }],
      [latest, 'abandoned', {}],
    ];
    const responses = given.map(([version, status, data]) => newResponse(version, { status, data }));
    const countsOf = (status?: Response['status']) =>
      sumUp([latest, first, old], responses, { status }).questions.map((one) => [
        one.questionId,
        one.shown,
        one.answered,
        one.skipped,
      ]);
    expect(countsOf()).toEqual([
      ['ask', 4, 4, 1],
      // Hidden in one response to the latest version. Shown in the response to the first version.
      ['why', 3, 1, 4],
      ['late', 4, 1, 4],
      ['gone', 1, 0, 5],
    ]);
    // Respondents who stopped on the first page were not shown the second page.
    expect(countsOf('abandoned')).toEqual([
      ['ask', 3, 2, 1],
      ['why', 1, 0, 3],
      ['late', 1, 1, 2],
      ['gone', 0, 0, 3],
    ]);
  });

  it('has the versions of a question, and those in which it has another type', () => {
    const versions = [
      [{ id: 'q', type: 'rating' }],
      [{ id: 'q', type: 'text' }],
      [{ id: 'q', type: 'rating' }],
      [{ id: 'q', type: 'rating' }],
    ].map((questions, index) => newDefinition(questions, { version: 4 - index }));
    const answered = [1, 2].flatMap((index) => versions[index] ?? []).map((version) => newResponse(version));
    const { versions: listed, questions } = sumUp(versions, answered);
    expect(listed).toEqual([4, 3, 2]);
    expect(questions).toMatchObject([{ versions: [4, 2], otherVersions: [3] }]);
  });

  it('has a net promoter score if all versions have a scale from 0 to 10', () => {
    const scale = (max: number, version: number) =>
      newDefinition([{ id: 'q', type: 'rating', min: 0, max }], { version });
    const latest = scale(10, 2);
    const answers = [10, 9, 9, 8, 7, 6, 0, 10].map((q) => newResponse(latest, { data: { q } }));
    const npsOf = (versions: readonly CompiledSurvey[], responses: readonly Response[]) =>
      sumUp(versions, responses).questions[0]?.numbers?.nps;
    expect(npsOf([latest], answers)).toEqual({ promoters: 4, passives: 2, detractors: 2, score: 25 });
    expect(npsOf([latest, scale(10, 1)], answers)).toBeDefined();
    expect(npsOf([latest, scale(5, 1)], answers)).toBeUndefined();
    expect(npsOf([latest], [])).toBeUndefined();
  });

  it('has the periods of dates and times, and the number of files', () => {
    const survey = newDefinition(['date', 'time', 'file_upload'].map((type) => ({ id: type, type })));
    const files = [{ file_id: 'a' }, { file_id: 'b' }];
    const data = [{ date: '2024-05-01', time: '09:30', file_upload: files }, { date: '2024-05-01' }, {}];
    const { questions } = sumUp(
      [survey],
      data.map((answers) => newResponse(survey, { data: answers as JsonObject })),
    );
    expect(questions).toMatchObject([
      { answered: 2, periods: [{ period: '2024-05-01', count: 2 }] },
      { answered: 1, periods: [{ period: '09:00', count: 1 }] },
      { answered: 1, files: 2 },
    ]);
  });

  it('has the questions of the latest version, even without answers, then those of earlier ones', () => {
    const first = newDefinition([
      { id: 'gone', type: 'rating' },
      { id: 'kept', type: 'single_choice', options: ['old', 'a'] },
      { id: 'other', type: 'text' },
    ]);
    const latest = newDefinition(
      [
        { id: 'new', type: 'rating' },
        { id: 'kept', type: 'single_choice', options: ['a', 'b'] },
        { id: 'other', type: 'rating' },
      ],
      { version: 2 },
    );
    const { questions } = sumUp(
      [latest, first],
      [
        newResponse(first, { data: { gone: 2, kept: 'old', other: '5' } }),
        newResponse(latest, { data: { kept: 'a', other: 4 } }),
      ],
    );
    expect(questions.map(({ questionId, type, answered }) => [questionId, type, answered])).toEqual([
      ['new', 'rating', 0],
      ['kept', 'single_choice', 2],
      ['other', 'rating', 2],
      ['gone', 'rating', 1],
    ]);
    expect(questions[1]?.options?.map(({ id, count }) => [id, count])).toEqual([
      ['a', 1],
      ['b', 0],
      ['old', 1],
    ]);
    // An answer to the earlier text question counts as answered, but is not a number.
    expect(questions[2]?.numbers).toMatchObject({ mean: 4, min: 4, max: 4 });
    expect(questions[0]?.numbers?.mean).toBeUndefined();
  });

  it('lists options without answers within a budget, those of the latest version first', () => {
    const first = newDefinition([
      { id: 'one', type: 'single_choice', options: ['old', 'chosen'] },
      { id: 'rows', type: 'likert', rows: ['r', 's', 't'], options },
    ]);
    const latest = newDefinition(
      [
        { id: 'one', type: 'single_choice', options },
        { id: 'rows', type: 'likert', rows: ['r'], options },
      ],
      { version: 2 },
    );
    const tally = tallyOf([latest, first], { maxListed: 5 });
    tally.add(newResponse(first, { data: { one: 'chosen', rows: { r: 'b', t: 'a' } } }));
    const [one, rows] = tally.summary().questions;
    expect(one?.options?.map(({ id, count }) => [id, count])).toEqual([
      ['a', 0],
      ['b', 0],
      ['old', 0],
      ['chosen', 1],
    ]);
    expect(rows?.rows?.map(({ id, options }) => [id, ...options.map(({ id, count }) => `${id} ${count}`)])).toEqual([
      ['r', 'a 0', 'b 1'],
      ['t', 'a 1'],
    ]);
  });

  it('is the same if parts are counted separately', () => {
    const status = fc.constantFrom<Response['status']>('completed', 'completed', 'disqualified', 'abandoned');
    fc.assert(
      fc.property(anySurvey, fc.array(fc.tuple(status, anyData)), fc.nat(10), (payload, given, cut) => {
        // Generated definitions are JSON.
        const survey = newDefinition([], { survey: (payload as { survey: JsonObject }).survey });
        const { questions: asked, validate, applyTo } = survey.compiled();
        const responses = given.map(([state, raw]) =>
          newResponse(survey, { status: state, data: validate(raw).data as JsonObject }),
        );
        const { questions, dropOff, ...rest } = sumUpApart([survey], [responses.slice(0, cut), responses.slice(cut)]);
        const completed = responses.filter((one) => one.status === 'completed');
        const abandoned = responses.filter((one) => one.status === 'abandoned');
        expect(rest.responses).toBe(completed.length);
        expect(dropOff.reduce((sum, { count }) => sum + count, 0)).toBe(abandoned.length);
        expect(questions.map(({ questionId }) => questionId)).toEqual(asked.map(({ id }) => id));
        for (const question of questions) {
          const { questionId: id, type, answered, skipped } = question;
          const answers = completed.flatMap(({ data }) => (Object.hasOwn(data, id) ? [data[id]] : []));
          expect([answered, skipped]).toEqual([answers.length, completed.length - answers.length]);
          expect(question.shown).toBe(completed.filter(({ data }) => applyTo(data).visible.includes(id)).length);
          if (question.periods !== undefined)
            expect(question.periods.reduce((sum, { count }) => sum + count, 0)).toBe(answers.length);
          for (const { id: option, count } of question.options ?? [])
            expect(count).toBe(answers.filter((answer) => isChosen(answer, option)).length);
          for (const { id: row, answered: inRow, options: chosen } of question.rows ?? []) {
            const cells = answers.flatMap((answer) => Object.entries(answer as object).filter(([key]) => key === row));
            expect(inRow).toBe(cells.length);
            for (const { id: option, count } of chosen)
              expect(count).toBe(cells.filter(([, cell]) => [cell].flat().includes(option)).length);
          }
          if (type === 'rating') expectNumbers(question.numbers, answers.map(Number));
        }
      }),
    );
  });
});

/** Whether an answer chooses this option, in any form. */
function isChosen(answer: unknown, option: string): boolean {
  if (typeof answer === 'string') return answer === option;
  if (Array.isArray(answer)) return answer.includes(option);
  const { option: one, options: many = [], other } = answer as { option?: string; options?: string[]; other?: string };
  return one === option || many.includes(option) || (option === 'other' && other !== undefined);
}

function expectNumbers(numbers: Summary['questions'][number]['numbers'], all: readonly number[]): void {
  expect(numbers?.histogram?.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
  for (const { from, to, count } of numbers?.histogram ?? [])
    expect(count).toBe(all.filter((number) => number === from || (number >= from && number < to)).length);
  if (all.length === 0) {
    expect(numbers?.mean).toBeUndefined();
    return;
  }
  const mean = all.reduce((sum, number) => sum + number, 0) / all.length;
  const variance = all.reduce((sum, number) => sum + (number - mean) ** 2, 0) / all.length;
  expect(numbers?.mean).toBeCloseTo(mean, 9);
  expect(numbers?.stddev).toBeCloseTo(Math.sqrt(variance), 9);
  expect([numbers?.min, numbers?.max]).toEqual([Math.min(...all), Math.max(...all)]);
}
