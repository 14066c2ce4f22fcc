import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService, testPayload } from '../testing/test-survey-service.ts';

let service: TestSurveyService;
let tenant: ReturnType<TestSurveyService['tenant']>;
/** Ids by title. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await startTestSurveyService();
  tenant = service.tenant();
  const project = (await tenant.call('POST', '/v1/projects', { body: { name: 'Canteen' } })).body.id;
  ids['project'] = project;
  for (const title of ['Lunch', 'Dinner', 'Gone', 'Frühstück', 'Lunch again']) {
    const change = title.startsWith('Lunch') ? { project_id: project } : {};
    ids[title] = await tenant.createSurvey({ ...change, survey: { ...testPayload.survey, title } });
  }
  await tenant.call('POST', `/v1/surveys/${ids['Lunch']}/publish`);
  await tenant.call('DELETE', `/v1/surveys/${ids['Gone']}`);
});

afterAll(() => service.close());

async function titlesOf(query: string): Promise<string[]> {
  const { status, body } = await tenant.call('GET', `/v1/surveys?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.map(({ definition }: { definition: { title: string } }) => definition.title);
}

const timeOf = async (title: string, name: 'created_at' | 'updated_at'): Promise<string> =>
  (await tenant.call('GET', `/v1/surveys/${ids[title]}`)).body[name];

describe('GET /v1/surveys', () => {
  it.each([
    ['', ['Lunch again', 'Frühstück', 'Dinner', 'Lunch']],
    ['status=active', ['Lunch']],
    ['status=draft', ['Lunch again', 'Frühstück', 'Dinner']],
    ['status=closed', []],
    ['q=lunch', ['Lunch again', 'Lunch']],
    ['q=LUN+AG', ['Lunch again']],
    ['q=fruhst', ['Frühstück']],
    ['q=gone', []],
    ['deleted=true', ['Gone']],
    ['deleted=true&q=go&status=draft', ['Gone']],
    ['deleted=true&status=active', []],
    ['deleted=false&q=lunch&status=active', ['Lunch']],
    ['created_since=2100-01-01T00:00:00Z', []],
    ['updated_until=2000-01-01T00:00:00%2B01:00', []],
    ['project_id=00000000-0000-4000-8000-000000000000', []],
  ])('with %s gives %j', async (query, titles) => {
    expect(await titlesOf(query)).toEqual(titles);
  });

  it('filters by project, alone and combined', async () => {
    const of = `project_id=${ids['project']}`;
    expect(await titlesOf(of)).toEqual(['Lunch again', 'Lunch']);
    expect(await titlesOf(`${of}&status=active&q=l`)).toEqual(['Lunch']);
  });

  it('filters by time: since is inclusive, until is exclusive', async () => {
    const [dinner, breakfast] = [await timeOf('Dinner', 'created_at'), await timeOf('Frühstück', 'created_at')];
    expect(await titlesOf(`created_since=${dinner}&created_until=${breakfast}`)).toEqual(['Dinner']);
  });

  it('is sorted by change time if it filters by it', async () => {
    const since = await timeOf('Dinner', 'updated_at');
    expect(await titlesOf(`updated_since=${since}`)).toEqual(['Lunch', 'Lunch again', 'Frühstück', 'Dinner']);
  });

  it('has the time and user of deletions', async () => {
    const { body } = await tenant.call('GET', '/v1/surveys?deleted=true');
    expect(body).toMatchObject([{ id: ids['Gone'], deleted_at: expect.any(String), deleted_by: 'user-1' }]);
  });

  it('finds a survey only by its new title after a change', async () => {
    const other = service.tenant();
    const id = await other.createSurvey({ survey: { ...testPayload.survey, title: 'Before' } });
    await other.call('PUT', `/v1/surveys/${id}`, {
      body: { ...testPayload, survey: { ...testPayload.survey, title: { en: 'After', de: 'Nachher' } } },
    });
    const found = async (q: string) => (await other.call('GET', `/v1/surveys?q=${q}`)).body.length;
    expect([await found('before'), await found('after'), await found('nach')]).toEqual([0, 1, 1]);
  });

  it('finds a restored survey', async () => {
    const other = service.tenant();
    const id = await other.createSurvey();
    await other.call('DELETE', `/v1/surveys/${id}`);
    expect((await other.call('GET', '/v1/surveys')).body).toEqual([]);
    await other.call('POST', `/v1/surveys/${id}/restore`);
    expect((await other.call('GET', '/v1/surveys?q=lunch')).body).toMatchObject([{ id }]);
    expect((await other.call('GET', '/v1/surveys?deleted=true')).body).toEqual([]);
  });

  it('keeps its filters in the link to the next page', async () => {
    const first = await tenant.call('GET', '/v1/surveys?q=lunch&limit=1');
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(new URL(next, 'http://x').searchParams.get('q')).toBe('lunch');
    const second = await tenant.call('GET', next);
    expect([...first.body, ...second.body].map(({ id }) => id)).toEqual([ids['Lunch again'], ids['Lunch']]);
    expect(second.headers.get('link')).toBeNull();
  });

  it('rejects the cursor of a list in another order', async () => {
    const first = await tenant.call('GET', '/v1/surveys?limit=1');
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const { status, body } = await tenant.call('GET', `${next}&updated_since=2000-01-01T00:00:00Z`);
    expect([status, body.code]).toEqual([400, 'INVALID_CURSOR']);
  });

  it.each([
    ['q=', '?q'],
    ['q=%21%3F+%F0%9F%8E%89', '?q'],
    [`q=${'x'.repeat(201)}`, '?q'],
    ['status=deleted', '?status'],
    ['project_id=x', '?project_id'],
    ['created_since=yesterday', '?created_since'],
    ['updated_until=2024-02-30T00:00:00Z', '?updated_until'],
    ['deleted=1', '?deleted'],
    ['deleted=true&deleted=false', '?deleted'],
  ])('rejects %s and names the parameter', async (query, path) => {
    const { status, body } = await tenant.call('GET', `/v1/surveys?${query}`);
    expect([status, body.code, body.errors.map((error: { path: string }) => error.path)]).toEqual([
      400,
      'INVALID_REQUEST',
      [path],
    ]);
  });

  it('shows deleted surveys only with the permission to delete', async () => {
    const reader = service.tenant(tenant.id, ['surveys:read']);
    expect((await reader.call('GET', '/v1/surveys?deleted=false')).status).toBe(200);
    const { status, body } = await reader.call('GET', '/v1/surveys?deleted=true');
    expect([status, body.detail]).toEqual([403, "Permission 'surveys:delete' required"]);
  });
});

describe('POST /v1/surveys/validate', () => {
  const check = (body: unknown) => tenant.call('POST', '/v1/surveys/validate', { body });

  it('accepts a payload that can be published', async () => {
    const { status, body } = await check(testPayload);
    expect([status, body]).toEqual([200, { valid: true, errors: [], warnings: [] }]);
  });

  it('reports errors of shape and content, and warnings, at once', async () => {
    const { status, body } = await check({
      version: 0,
      survey: {
        title: { en: 'Lunch' },
        supported_languages: ['en', 'de'],
        pages: [{ questions: [{ id: 'q1', type: 'single_choice', title: '' }] }],
      },
    });
    expect([status, body.valid]).toEqual([200, false]);
    const found = body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
    expect(found).toEqual([
      '/schema_version MISSING_MEMBER',
      '/version BAD_VERSION',
      '/survey/pages/0/questions/0/title EMPTY_TITLE',
      '/survey/pages/0/questions/0/options MISSING_OPTIONS',
    ]);
    expect(body.errors[3].question_id).toBe('q1');
    expect(body.warnings).toMatchObject([{ path: '/survey/title', code: 'MISSING_TRANSLATION' }]);
  });

  it.each([[{}], [{ survey: [] }], [{ survey: { pages: [1, null, { questions: 'x' }], logic: { a: 1 } }, other: [] }]])(
    'answers %j as any other payload that is wrong',
    async (payload) => {
      const { status, body } = await check(payload);
      expect([status, body.valid]).toEqual([200, false]);
    },
  );

  it.each([[[]], ['x'], [null]])('rejects %j', async (payload) => {
    expect((await check(payload)).status).toBeGreaterThanOrEqual(400);
  });

  it('stores nothing', async () => {
    const other = service.tenant();
    await other.call('POST', '/v1/surveys/validate', { body: testPayload });
    expect((await other.call('GET', '/v1/surveys')).body).toEqual([]);
  });
});
