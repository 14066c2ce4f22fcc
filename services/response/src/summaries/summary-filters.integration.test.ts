import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const texts = (en: string) => ({ en, de: `${en} (de)` });
const definition = {
  title: 'All types',
  supported_languages: ['en', 'de'],
  pages: [
    {
      title: texts('First'),
      questions: [
        {
          id: 'one',
          type: 'single_choice',
          title: texts('One'),
          allow_other: true,
          options: [{ id: 'a', text: texts('A') }],
        },
        { id: 'many', type: 'multiple_choice', title: 'Many', options: ['x', 'y'] },
        { id: 'nps', type: 'rating', title: 'Recommend?', min: 0, max: 10 },
        { id: 'name', type: 'text', title: 'Name' },
        { id: 'story', type: 'textarea', title: 'Story' },
      ],
    },
    {
      title: 'Second',
      questions: [
        { id: 'day', type: 'date', title: 'Day' },
        { id: 'hour', type: 'time', title: 'Hour' },
        { id: 'file', type: 'file_upload', title: 'File' },
        {
          id: 'scale',
          type: 'likert',
          title: 'Scale',
          rows: [{ id: 'r', text: texts('R') }],
          options: [{ id: 'l', text: texts('L') }],
        },
        { id: 'grid', type: 'matrix', title: 'Grid', rows: ['r'], columns: [{ id: 'c', text: texts('C') }] },
      ],
    },
  ],
};

type Survey = ReturnType<TestApp['survey']['add']>;

const summaryOf = async ({ surveyId, tenantId }: Survey, query = '') => {
  const { status, body } = await app.call('GET', `/v1/surveys/${surveyId}/summary${query}`, { tenantId });
  expect(status).toBe(200);
  return body;
};

async function submit({ surveyId }: Survey, data: object, fields: object = {}): Promise<string> {
  const { status, body } = await app.submit(surveyId, { data, ...fields });
  expect(status).toBe(201);
  return body.id;
}

describe('a summary', () => {
  it('has texts in a language, and the distribution of each type', async () => {
    const survey = app.survey.add({ definition });
    const data = {
      ...{ one: { option: 'other', text: 'mine' }, many: ['x', 'y'], nps: 9, name: 'Ada', story: 'Long' },
      ...{ day: '2024-05-01', hour: '14:30', scale: { r: 'l' }, grid: { r: 'c' } },
    };
    await submit(survey, data);
    await submit(survey, { one: 'a', nps: 6 });
    const { questions, pages } = await summaryOf(survey, '?display_language=DE');
    expect(pages).toEqual([
      { page: 1, title: 'First (de)', reached: 2, stopped: 0 },
      { page: 2, title: 'Second', reached: 2, stopped: 0 },
    ]);
    const byId = Object.fromEntries(questions.map((one: { question_id: string }) => [one.question_id, one]));
    expect(byId).toMatchObject({
      one: {
        title: 'One (de)',
        page: 1,
        options: [
          { id: 'a', count: 1, share: 0.5, text: 'A (de)' },
          { id: 'other', count: 1, share: 0.5 },
        ],
      },
      many: {
        options: [
          { id: 'x', count: 1, text: 'x' },
          { id: 'y', count: 1 },
        ],
      },
      nps: { nps: { promoters: 1, passives: 0, detractors: 1, score: 0 }, median: 7.5 },
      name: { answered: 1, unanswered: 1 },
      story: { answered: 1 },
      day: { page: 2, periods: [{ period: '2024-05-01', count: 1 }] },
      hour: { periods: [{ period: '14:00', count: 1 }] },
      file: { answered: 0, files: 0 },
      scale: {
        rows: [{ id: 'r', text: 'R (de)', answered: 1, options: [{ id: 'l', count: 1, share: 1 }] }],
        columns: [{ id: 'l', text: 'L (de)' }],
      },
      grid: { rows: [{ id: 'r', text: 'r' }], columns: [{ id: 'c', text: 'C (de)' }] },
    });
    expect(byId.nps.histogram).toHaveLength(11);
    expect((await summaryOf(survey)).questions[0].title).toBe('One');
    expect((await summaryOf(survey, '?display_language=fr')).questions[0].title).toBe('One');
  });

  it('has a timeline by interval and time zone', async () => {
    const survey = app.survey.add({ definition });
    const id = await submit(survey, {}, { started_at: '2024-05-01T22:10:00Z' });
    await app.responses.updateOne({ _id: id }, { $set: { completed_at: new Date('2024-05-01T23:20:00Z') } });
    const timeline = async (query: string) => (await summaryOf(survey, query)).timeline;
    const none = { started: 0, completed: 0, disqualified: 0 };
    expect(await timeline('?tz=Europe/Berlin')).toEqual([]);
    expect(await timeline('?interval=day&tz=Europe/Berlin')).toEqual([
      { ...none, start: '2024-05-02', started: 1, completed: 1 },
    ]);
    expect(await timeline('?interval=week')).toEqual([{ ...none, start: '2024-04-29', started: 1, completed: 1 }]);
    expect(await timeline('?interval=hour&tz=Asia/Kolkata')).toEqual([
      { ...none, start: '2024-05-02T03:00+05:30', started: 1 },
      { ...none, start: '2024-05-02T04:00+05:30', completed: 1 },
    ]);
    expect((await summaryOf(survey)).completion).toMatchObject({
      started: 1,
      completed: 1,
      median_seconds: expect.closeTo(4_200, -2),
    });
  });

  it('does not count a page as reached by responses for which logic hides all of its questions', async () => {
    const page = (...ids: readonly string[]) => ({
      questions: ids.map((id) => ({ id, type: 'single_choice', title: id, options: ['y', 'n'] })),
    });
    const showIf = (id: string, value: string) => ({
      question_id: id,
      conditions: [{ source_question: 'a', operator: 'equals', value, action: 'show' }],
    });
    const survey = app.survey.add({
      definition: {
        title: 'Branches',
        supported_languages: ['en'],
        pages: [page('a'), page('b', 'b2'), page('c'), page('d')],
        logic: [showIf('b', 'y'), showIf('b2', 'y'), showIf('c', 'n')],
      },
    });
    const all = [
      ...Array.from({ length: 4 }, () => ({ data: { a: 'y', b: 'y', d: 'y' } })),
      ...Array.from({ length: 3 }, () => ({ data: { a: 'n', c: 'y', d: 'y' } })),
      { status: 'in_progress', data: { a: 'y' } },
      { status: 'in_progress', data: { a: 'n', c: 'n' } },
      { status: 'in_progress', data: {} },
    ];
    for (const body of all) expect((await app.submit(survey.surveyId, body)).status).toBe(201);
    const { pages } = await summaryOf(survey);
    expect(pages).toMatchObject([
      { page: 1, reached: 10, stopped: 2 },
      { page: 2, reached: 4, stopped: 0 },
      { page: 3, reached: 4, stopped: 1 },
      { page: 4, reached: 7, stopped: 0 },
    ]);
  });

  it('has the drop-off by page', async () => {
    const survey = app.survey.add({ definition });
    const states = [
      ['in_progress', { one: 'a' }],
      ['abandoned', {}],
      ['abandoned', { day: '2024-05-01' }],
      ['disqualified', { name: 'x' }],
      ['completed', {}],
    ] as const;
    for (const [status, data] of states) {
      const id = await submit(survey, data);
      const ended = status === 'completed' || status === 'disqualified';
      await app.responses.updateOne({ _id: id }, { $set: { status, ...(!ended && { completed_at: null }) } });
    }
    const { pages, drop_off, completion } = await summaryOf(survey);
    expect(pages).toMatchObject([
      { page: 1, reached: 5, stopped: 2 },
      { page: 2, reached: 2, stopped: 1 },
    ]);
    expect(drop_off).toEqual([
      { question_id: '', count: 1, abandoned: 1, disqualified: 0 },
      { question_id: 'one', count: 1, abandoned: 0, disqualified: 0 },
      { question_id: 'day', count: 1, abandoned: 1, disqualified: 0 },
    ]);
    expect(completion).toEqual({ started: 5, completed: 1, disqualified: 1, in_progress: 1, abandoned: 2 });
  });

  it.each<[string, string, readonly number[]]>([
    ['status', 'status=disqualified', [2]],
    ['link', 'link_id=00000000-0000-4000-8000-000000000001', [1]],
    ['language', 'language=de', [1, 4]],
    ['version', 'version=2', [4]],
    ['version without responses', 'version=7', []],
    ['time of creation', 'since=2024-05-02T00:00:00Z&until=2024-05-03T12:00:00Z', [1, 2]],
    ['time of completion', 'completed_since=2024-06-03T00:00:00Z&completed_until=2024-06-05T00:00:00Z', [2, 3]],
    ['the nearest language', 'language=de_AT', [1, 4]],
    ['several members', 'language=de&since=2024-05-03T00:00:00Z', [4]],
  ])('is filtered by %s', async (_, query, expected) => {
    const survey = app.survey.add({ definition });
    for (const number of [0, 1, 2, 3, 4]) {
      const id = await submit(survey, { nps: number });
      await app.responses.updateOne(
        { _id: id },
        {
          $set: {
            created_at: new Date(Date.UTC(2024, 4, 1 + number)),
            completed_at: new Date(Date.UTC(2024, 5, 1 + number)),
            ...(number === 1 && { link_id: '00000000-0000-4000-8000-000000000001' }),
            ...((number === 1 || number === 4) && { language: 'de' }),
            ...(number === 2 && { status: 'disqualified' }),
            ...(number === 4 && { survey_version: 2 }),
          },
        },
      );
    }
    app.survey.set(survey.surveyId, { version: 2 });
    const { responses, questions } = await summaryOf(survey, `?${query}`);
    const without = expected.filter((number) => number !== 2 || query.startsWith('status'));
    expect(responses).toBe(without.length);
    const ratings = questions.find((one: { question_id: string }) => one.question_id === 'nps')?.histogram ?? [];
    expect(
      ratings.filter(({ count }: { count: number }) => count > 0).map(({ from }: { from: number }) => from),
    ).toEqual(without);
    // The caches give the same numbers.
    expect(await summaryOf(survey, `?${query}`)).toMatchObject({ responses });
    const all = await summaryOf(survey);
    expect(all).toMatchObject({ responses: 4, versions: [2, 1] });
  });

  it.each([
    ['status=late', '?status'],
    ['interval=year', '?interval'],
    ['version=0', '?version'],
    ['since=yesterday', '?since'],
    ['link_id=1', '?link_id'],
    ['tz=Nowhere', '?tz'],
  ])('rejects %s', async (query, path) => {
    const { surveyId, tenantId } = app.survey.add({ definition });
    const reply = await app.call('GET', `/v1/surveys/${surveyId}/summary?${query}`, { tenantId });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });
});

describe('GET /v1/surveys/{survey_id}/questions/{question_id}/answers', () => {
  const answersOf = ({ surveyId, tenantId }: Survey, question: string, query = '') =>
    app.call('GET', `/v1/surveys/${surveyId}/questions/${question}/answers${query}`, { tenantId });

  it('pages through the answers, with filters', async () => {
    const survey = app.survey.add({ definition });
    for (const number of [0, 1, 2, 3, 4, 5, 6])
      await submit(survey, number % 2 === 0 ? { name: `n${number}` } : { nps: number }, {
        language: number < 3 ? 'de' : 'en',
      });
    const pages: string[][] = [];
    let query = '?limit=2&order=asc';
    for (;;) {
      const { status, headers, body } = await answersOf(survey, 'name', query);
      expect(status).toBe(200);
      pages.push(body.map(({ answer }: { answer: string }) => answer));
      const cursor = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
      if (cursor === undefined) break;
      query = `?limit=2&order=asc&cursor=${cursor}`;
    }
    expect(pages.flat()).toEqual(['n0', 'n2', 'n4', 'n6']);
    expect(pages[0]).toEqual(['n0', 'n2']);
    expect((await answersOf(survey, 'name', '?language=de-CH')).body).toMatchObject([
      { answer: 'n2', status: 'completed', survey_version: 1 },
      { answer: 'n0' },
    ]);
  });

  it('has no answers to unknown questions, and none of other tenants', async () => {
    const survey = app.survey.add({ definition });
    await submit(survey, { name: 'x' });
    expect((await answersOf(survey, 'constructor')).body).toEqual([]);
    const { tenantId } = app.survey.add();
    expect((await answersOf({ ...survey, tenantId }, 'name')).status).toBe(404);
  });
});
