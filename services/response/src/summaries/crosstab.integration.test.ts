import type { JsonObject } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestSurvey } from '../testing/fake-survey-service.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const permissions = ['responses:read', 'responses:write', 'responses:delete'];
const definition = {
  title: 'Shirts',
  supported_languages: ['en', 'de'],
  pages: [
    {
      questions: [
        {
          id: 'size',
          type: 'single_choice',
          title: 'Size',
          options: [
            { id: 's', text: { en: 'Small', de: 'Klein' } },
            { id: 'm', text: { en: 'Medium', de: 'Mittel' } },
          ],
        },
        { id: 'colors', type: 'multiple_choice', title: 'Colors', options: ['red', 'blue'] },
        { id: 'stars', type: 'rating', title: 'Stars', min: 1, max: 5 },
        { id: 'grid', type: 'likert', title: 'Grid', rows: ['fit'], options: ['good', 'bad'] },
        { id: 'why', type: 'text', title: 'Why' },
      ],
    },
  ],
} as const satisfies JsonObject;

type Parameters = Readonly<Record<string, unknown>>;

async function get({ surveyId, tenantId }: TestSurvey, parameters: Parameters = {}) {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  return app.call('GET', `/v1/surveys/${surveyId}/summary?${query}`, { tenantId, permissions });
}

async function summaryOf(survey: TestSurvey, parameters: Parameters) {
  const { status, body } = await get(survey, parameters);
  expect([status, body]).toEqual([200, body]);
  return body;
}

async function submit({ surveyId, tenantId }: TestSurvey, body: object): Promise<string> {
  const { status, body: made } = await app.call('POST', `/v1/surveys/${surveyId}/responses`, {
    tenantId,
    permissions,
    body,
  });
  expect([status, made]).toEqual([201, made]);
  return made.id;
}

function crosstabOf(body: { questions: readonly { question_id: string; crosstab?: unknown }[] }, id: string) {
  return body.questions.find(({ question_id }) => question_id === id)?.crosstab;
}

const sizesOf = (body: { grouping: { groups: readonly { kind: string; value: string; responses: number }[] } }) =>
  body.grouping.groups.map(({ kind, value, responses }) => [kind === 'value' ? value : kind, responses]);

describe('a summary by groups', () => {
  it('has the answers of each group, with percentages and statistics', async () => {
    const survey = app.survey.add({ definition });
    for (const stars of [1, 2]) await submit(survey, { data: { size: 's', stars, colors: ['red'], why: 'x' } });
    await submit(survey, { data: { size: 'm', stars: 5, grid: { fit: 'good' } } });
    await submit(survey, { data: { stars: 5 } });
    const body = await summaryOf(survey, { by_question: 'size', display_language: 'de' });
    expect(body.grouping).toEqual({
      by_question: 'size',
      groups: [
        { kind: 'value', value: 's', text: 'Klein', responses: 2 },
        { kind: 'value', value: 'm', text: 'Mittel', responses: 1 },
        { kind: 'none', value: '', responses: 1 },
      ],
      overlapping: false,
      more_values: false,
    });
    const [small, medium] = (crosstabOf(body, 'stars') as { groups: readonly unknown[] }).groups;
    expect(small).toEqual({
      answered: 2,
      answered_share: 0.5,
      unanswered: 0,
      not_shown: 0,
      cells: [
        { count: 1, row_share: 1, column_share: 0.5 },
        { count: 1, row_share: 1, column_share: 0.5 },
        { count: 0, column_share: 0 },
        { count: 0, column_share: 0 },
        { count: 0, row_share: 0, column_share: 0 },
      ],
      mean: 1.5,
      median: 1.5,
      // 12.7062 is the quantile of Student's distribution with one degree of freedom.
      mean_interval: { low: expect.closeTo(1.5 - 12.7062 / 2, 3), high: expect.closeTo(1.5 + 12.7062 / 2, 3) },
    });
    expect(medium).toMatchObject({ answered: 1, mean: 5 });
    expect(medium).not.toHaveProperty('mean_interval');
    expect(crosstabOf(body, 'size')).toMatchObject({ no_test: 'same_question' });
    expect(crosstabOf(body, 'colors')).toMatchObject({ no_test: 'multiple_choice' });
    const { rows } = body.questions.find(({ question_id }: { question_id: string }) => question_id === 'grid');
    expect(rows[0].crosstab).toMatchObject({
      groups: [
        { answered: 0, answered_share: 0, cells: [{ count: 0, row_share: 0 }, { count: 0 }] },
        { answered: 1, answered_share: 1, cells: [{ count: 1, row_share: 1, column_share: 1 }, { count: 0 }] },
        { answered: 0 },
      ],
      no_test: 'too_few_cells',
    });
  });

  it('tests single choices', async () => {
    const survey = app.survey.add({ definition });
    const language = (index: number) => (index % 2 === 0 ? 'en' : 'de');
    for (let index = 0; index < 24; index += 1)
      await submit(survey, { data: { size: index < 12 ? 's' : 'm' }, language: language(index) });
    expect(crosstabOf(await summaryOf(survey, { by: 'language' }), 'size')).toMatchObject({
      test: { chi_squared: 0, degrees_of_freedom: 1, p: 1, cramers_v: 0 },
    });
    const { body } = await get(survey, { by: 'language', min_cell: 7 });
    expect(sizesOf(body)).toEqual([
      ['de', 12],
      ['en', 12],
    ]);
    expect(crosstabOf(body, 'size')).toEqual({
      groups: [
        { answered: 12, answered_share: 0.5, cells: [{}, {}] },
        { answered: 12, answered_share: 0.5, cells: [{}, {}] },
      ],
      no_test: 'hidden_cells',
    });
  });

  it('is by language, link or metadata', async () => {
    const survey = app.survey.add({ definition });
    await submit(survey, { data: { size: 's' }, language: 'de', metadata: { team: 'A' } });
    await submit(survey, { data: { size: 's' }, language: 'de', metadata: { team: 7 } });
    await submit(survey, { data: { size: 'm' }, metadata: { team: 'A' } });
    expect(sizesOf(await summaryOf(survey, { by: 'language' }))).toEqual([
      ['de', 2],
      ['none', 1],
    ]);
    expect(await summaryOf(survey, { by: 'link' })).toMatchObject({
      grouping: { by: 'link', groups: [{ kind: 'none', value: '', responses: 3 }] },
    });
    const byTeam = await summaryOf(survey, { by: 'metadata.team' });
    expect(byTeam.grouping).toMatchObject({ by: 'metadata.team', overlapping: false });
    expect(sizesOf(byTeam)).toEqual([
      ['A', 2],
      ['7', 1],
    ]);
  });

  it('has the groups of its time range, even if other times have too many values', async () => {
    const survey = app.survey.add({ definition });
    const add = (team: string) => submit(survey, { data: { size: 's' }, metadata: { team } });
    await Promise.all(Array.from({ length: 101 }, (_, index) => add(`early${index}`)));
    const ofAllTimes = async () => (await summaryOf(survey, { by: 'metadata.team' })).grouping;
    const before = await ofAllTimes();
    expect([before.groups.length, before.more_values]).toEqual([31, true]);
    const since = new Date().toISOString();
    for (const team of ['late', 'later', 'late']) await add(team);
    const recent = await summaryOf(survey, { by: 'metadata.team', since });
    expect(sizesOf(recent)).toEqual([
      ['late', 2],
      ['later', 1],
    ]);
    expect(recent.grouping.more_values).toBe(false);
    expect(await ofAllTimes()).toMatchObject({ more_values: true });
  });

  it('applies filters and conditions, also in the body of a POST', async () => {
    const survey = app.survey.add({ definition });
    await submit(survey, { data: { size: 's', stars: 1 }, language: 'de' });
    await submit(survey, { data: { size: 's', stars: 5 }, language: 'de' });
    await submit(survey, { data: { size: 'm', stars: 1 } });
    const where = { conditions: [{ source_question: 'stars', operator: 'less_than', value: 3 }] };
    const body = await summaryOf(survey, { by_question: 'size', where });
    expect(body).toMatchObject({ responses: 2, lacking_question: 0 });
    const some = [
      ['s', 1],
      ['m', 1],
    ];
    expect(sizesOf(body)).toEqual(some);
    const { surveyId, tenantId } = survey;
    const posted = await app.call('POST', `/v1/surveys/${surveyId}/summary/query`, {
      tenantId,
      permissions,
      body: { by_question: 'size', where, language: 'de', min_cell: 2 },
    });
    expect([posted.status, posted.body.responses]).toEqual([200, 1]);
    expect(posted.body.grouping.groups).toEqual([
      { kind: 'value', value: 's', text: 'Small' },
      { kind: 'value', value: 'm', text: 'Medium', responses: 0 },
    ]);
  });

  it('follows changed responses', async () => {
    const survey = app.survey.add({ definition });
    const id = await submit(survey, { data: { size: 's' } });
    await submit(survey, { data: { size: 'm' } });
    const sizes = async () => sizesOf(await summaryOf(survey, { by_question: 'size' }));
    expect(await sizes()).toEqual([
      ['s', 1],
      ['m', 1],
    ]);
    const { tenantId } = survey;
    const change = { tenantId, permissions, body: { data: { size: 'm' } } };
    expect((await app.call('PATCH', `/v1/responses/${id}`, change)).status).toBe(200);
    expect(await sizes()).toEqual([
      ['s', 0],
      ['m', 2],
    ]);
    expect((await app.call('DELETE', `/v1/responses/${id}`, { tenantId, permissions })).status).toBe(204);
    expect(await sizes()).toEqual([
      ['s', 0],
      ['m', 1],
    ]);
  });

  it('finds the question in an earlier version', async () => {
    const survey = app.survey.add({ definition });
    await submit(survey, { data: { size: 's' } });
    const { questions } = definition.pages[0];
    const later = { ...definition, pages: [{ questions: questions.slice(1) }] };
    app.survey.set(survey.surveyId, { definition: later, version: 2 });
    await expect
      .poll(async () => (await summaryOf(survey, { by_question: 'size', at_least_version: 2 })).grouping.groups)
      .toMatchObject([{ value: 's', responses: 1 }, { value: 'm' }]);
  });

  it('has the counts of plain data', async () => {
    const team = fc.constantFrom('A', 'B', 'C');
    const data = fc.record(
      {
        size: fc.constantFrom('s', 'm'),
        colors: fc.uniqueArray(fc.constantFrom('red', 'blue'), { minLength: 1 }),
        stars: fc.integer({ min: 1, max: 5 }),
      },
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(
      fc.array(fc.tuple(team, data), { minLength: 5, maxLength: 20 }),
      async (given) => {
        const survey = app.survey.add({ definition });
        for (const [name, answers] of given) await submit(survey, { data: answers, metadata: { team: name } });
        const plain = await summaryOf(survey, {});
        const groupsOf: Record<string, (one: (typeof given)[number]) => readonly unknown[]> = {
          'metadata.team': ([name]) => [name],
          size: ([, { size }]) => [size],
          colors: ([, { colors }]) => colors ?? [undefined],
          stars: ([, { stars }]) => [stars],
        };
        for (const [name, groupsOfOne] of Object.entries(groupsOf)) {
          const body = await summaryOf(survey, name.includes('.') ? { by: name } : { by_question: name });
          const { grouping, questions, ...others } = body;
          expect(questions.map(({ crosstab: _, ...question }: { crosstab: unknown }) => question)).toEqual(
            plain.questions.map((question: object) => expect.objectContaining(withoutRows(question))),
          );
          const { questions: __, ...plainOthers } = plain;
          expect(others).toEqual(plainOthers);
          for (const [index, { kind, value, responses }] of grouping.groups.entries()) {
            const inGroup = given.filter((one) =>
              groupsOfOne(one).some((key) => (kind === 'none' ? key === undefined : String(key) === value)),
            );
            expect(responses).toBe(inGroup.length);
            const { cells } =
              (crosstabOf(body, 'size') as { groups: { cells: { count: number }[] }[] }).groups[index] ?? {};
            expect(cells?.map(({ count }) => count)).toEqual(
              ['s', 'm'].map((id) => inGroup.filter(([, { size }]) => size === id).length),
            );
          }
        }
      },
    );
    await fc.assert(property, { numRuns: 5 });
  });

  it.each([
    ['by and by_question', { by: 'link', by_question: 'size' }, 400, '?by', 'INVALID'],
    ['min_cell without groups', { min_cell: 5 }, 400, '?min_cell', 'INVALID'],
    ['a low min_cell', { by: 'link', min_cell: 1 }, 400, '?min_cell', 'OUT_OF_RANGE'],
    ['an unknown part', { by: 'duration' }, 400, '?by', 'BAD_FORMAT'],
    ['metadata without a name', { by: 'metadata.' }, 400, '?by', 'BAD_FORMAT'],
    ['an unknown question', { by_question: 'nobody' }, 422, '?by_question', 'UNKNOWN_QUESTION'],
    ['a text', { by_question: 'why' }, 422, '?by_question', 'NOT_GROUPABLE'],
    ['rows', { by_question: 'grid' }, 422, '?by_question', 'NOT_GROUPABLE'],
  ])('rejects %s', async (_, parameters, status, path, code) => {
    const reply = await get(app.survey.add({ definition }), parameters);
    expect([reply.status, reply.body.errors]).toMatchObject([status, [{ path, code, detail: expect.any(String) }]]);
  });
});

/** Rows of a summary by groups have a member more. */
function withoutRows(question: object): object {
  const { rows: _, ...others } = question as { rows: unknown };
  return others;
}
