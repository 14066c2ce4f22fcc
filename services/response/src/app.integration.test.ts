import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from './testing/response-app.ts';
import { testDefinition } from './testing/test-definition.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const answers = { ate: 'yes', taste: 4, comment: 'Zoë 😀 日本語' };

describe('the public API', () => {
  it('shows an active survey, cacheable for a second, and sends the tenant to the gateway', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const { status, headers, body } = await app.call('GET', `/v1/public/surveys/${surveyId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: surveyId, version: 1, definition: testDefinition, languages: ['en', 'de'] });
    expect(headers.get('cache-control')).toBe('public, max-age=1');
    expect(headers.get('x-survey-tenant')).toBe(tenantId);
  });

  it('stores answers, and the tenant reads them unchanged', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const body = { data: answers, started_at: '2024-05-01T10:00:00+02:00', metadata: { source: 'qr', n: [1, null] } };
    const submitted = await app.submit(surveyId, body);
    expect(submitted.status).toBe(201);
    expect(submitted.headers.get('x-survey-tenant')).toBe(tenantId);
    const { id, created_at } = submitted.body;
    expect(submitted.body).toEqual({
      id,
      status: 'completed',
      survey_id: surveyId,
      survey_version: 1,
      created_at,
      completed_at: created_at,
    });
    const read = await app.call('GET', `/v1/responses/${id}`, { tenantId });
    expect(read.body).toEqual({
      ...submitted.body,
      tenant_id: tenantId,
      data: answers,
      started_at: '2024-05-01T08:00:00.000Z',
      updated_at: created_at,
      metadata: { source: 'qr', n: [1, null] },
    });
  });

  it.each([
    ['draft', 404, 'SURVEY_NOT_FOUND'],
    ['deleted', 404, 'SURVEY_NOT_FOUND'],
    ['closed', 409, 'SURVEY_CLOSED'],
  ] as const)('rejects responses to a survey that is %s', async (state, status, code) => {
    const { surveyId } = app.survey.add({ status: state });
    expect(await app.submit(surveyId, { data: answers })).toMatchObject({ status, body: { code } });
    expect(await app.call('GET', `/v1/public/surveys/${surveyId}`)).toMatchObject({ status, body: { code } });
  });

  it.each([randomUUID(), 'x', `${randomUUID()}%20`])('does not find the survey %s', async (id) => {
    expect((await app.submit(id, { data: answers })).status).toBe(404);
  });

  it('reports all errors of the answers at once and stores nothing', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const rejected = await app.submit(surveyId, { data: { ate: 'maybe', comment: 7, unknown: 1 } });
    expect(rejected.status).toBe(422);
    expect(rejected.body.code).toBe('INVALID_ANSWERS');
    expect(rejected.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual(
      expect.arrayContaining([
        ['/data/unknown', 'UNKNOWN_QUESTION'],
        ['/data/ate', 'UNKNOWN_OPTION'],
        ['/data/comment', 'WRONG_TYPE'],
      ]),
    );
    expect((await app.call('GET', `/v1/surveys/${surveyId}/responses/count`, { tenantId })).body).toEqual({ count: 0 });
  });

  it('drops answers to hidden questions, and rejects them in strict mode', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const data = { ate: 'no', taste: 3 };
    const { body } = await app.submit(surveyId, { data });
    expect((await app.call('GET', `/v1/responses/${body.id}`, { tenantId })).body.data).toEqual({ ate: 'no' });
    const rejected = await app.submit(surveyId, { data, strict: true });
    expect(rejected.body).toMatchObject({ status: 422, errors: [{ path: '/data/taste', code: 'HIDDEN_QUESTION' }] });
  });

  it('marks a response as disqualified if a rule says so', async () => {
    const { surveyId } = app.survey.add();
    const { body } = await app.submit(surveyId, { data: { ate: 'no', comment: 'spam' } });
    expect(body.status).toBe('disqualified');
  });

  it('reports all errors of the other fields at once', async () => {
    const { surveyId } = app.survey.add();
    const started_at = new Date(Date.now() + 10 * 60_000).toISOString();
    const body = { data: answers, survey_version: 2, started_at, metadata: { long: 'x'.repeat(16 * 1024) } };
    const rejected = await app.submit(surveyId, body);
    expect(rejected.status).toBe(422);
    expect(rejected.body.code).toBe('VALIDATION_FAILED');
    expect(rejected.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      '/survey_version',
      '/started_at',
      '/metadata',
    ]);
  });

  it('stores a start slightly in the future as the current time', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const started_at = new Date(Date.now() + 60_000).toISOString();
    const { body } = await app.submit(surveyId, { data: answers, started_at });
    const read = await app.call('GET', `/v1/responses/${body.id}`, { tenantId });
    expect(read.body.started_at).toBe(body.completed_at);
  });

  it.each([
    [{ data: answers, extra: 1 }, 400],
    [{ data: [1] }, 400],
    [{ data: answers, started_at: 'yesterday' }, 400],
    [{ data: answers, survey_version: 0 }, 422],
    [{ data: answers, status: 'abandoned' }, 422],
    [{}, 422],
  ])('rejects the body %j with %i', async (body, status) => {
    const { surveyId } = app.survey.add();
    expect((await app.submit(surveyId, body)).status).toBe(status);
  });
});

describe('the tenant API', () => {
  it('submits on behalf of a respondent', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const path = `/v1/surveys/${surveyId}/responses`;
    const created = await app.call('POST', path, { tenantId, body: { data: answers, status: 'completed' } });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/v1/responses/${created.body.id}`);
    const read = await app.call('GET', `/v1/responses/${created.body.id}`, { tenantId });
    expect(read.body).toEqual(created.body);
    expect(read.body).toMatchObject({ tenant_id: tenantId, survey_id: surveyId, status: 'completed', data: answers });
  });

  it.each([
    ['draft', 409, 'SURVEY_NOT_OPEN_YET'],
    ['closed', 409, 'SURVEY_CLOSED'],
    ['deleted', 404, 'SURVEY_NOT_FOUND'],
  ] as const)('rejects responses to a survey that is %s', async (state, status, code) => {
    const { surveyId, tenantId } = app.survey.add({ status: state });
    const rejected = await app.call('POST', `/v1/surveys/${surveyId}/responses`, { tenantId, body: { data: answers } });
    expect(rejected).toMatchObject({ status, body: { code } });
  });

  it('lists newest first, in pages, while responses arrive', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await app.submit(surveyId, { data: answers })).body.id);
    const seen: string[] = [];
    let path: string | undefined = `/v1/surveys/${surveyId}/responses?limit=2`;
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof app.call>> = await app.call('GET', path, { tenantId });
      seen.push(...page.body.map(({ id }: { id: string }) => id));
      path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      await app.submit(surveyId, { data: answers });
    }
    expect(seen).toEqual(ids);
  });

  it('draws a sample without repetition and without a next page', async () => {
    const { surveyId, tenantId } = app.survey.add();
    for (let n = 0; n < 5; n += 1) await app.submit(surveyId, { data: { ate: 'no', comment: `${n}` } });
    const sample = await app.call('GET', `/v1/surveys/${surveyId}/responses?random=true&limit=3`, { tenantId });
    expect(sample.headers.get('link')).toBeNull();
    expect(new Set(sample.body.map(({ id }: { id: string }) => id)).size).toBe(3);
    const all = await app.call('GET', `/v1/surveys/${surveyId}/responses?random=true`, { tenantId });
    const comments = all.body.map(({ data }: { data: { comment: string } }) => data.comment);
    expect(comments.sort()).toEqual(['0', '1', '2', '3', '4']);
  });

  it.each(['limit=0', 'limit=1001', 'limit=1e1', 'cursor=x', 'random=1', 'random=true&cursor=x', 'nope=1'])(
    'rejects the query %s',
    async (query) => {
      const { surveyId, tenantId } = app.survey.add();
      expect((await app.call('GET', `/v1/surveys/${surveyId}/responses?${query}`, { tenantId })).status).toBe(400);
    },
  );

  it('counts exactly, in every status', async () => {
    const { surveyId, tenantId } = app.survey.add();
    for (const comment of ['a', 'b', 'spam']) await app.submit(surveyId, { data: { ate: 'no', comment } });
    const count = await app.call('GET', `/v1/surveys/${surveyId}/responses/count`, { tenantId });
    expect(count.body).toEqual({ count: 3 });
  });

  it('hides everything from another tenant', async () => {
    const { surveyId } = app.survey.add();
    const { body } = await app.submit(surveyId, { data: answers });
    const tenantId = randomUUID();
    for (const [method, path, code] of [
      ['GET', `/v1/responses/${body.id}`, 'RESPONSE_NOT_FOUND'],
      ['GET', `/v1/surveys/${surveyId}/responses`, 'SURVEY_NOT_FOUND'],
      ['GET', `/v1/surveys/${surveyId}/responses?random=true`, 'SURVEY_NOT_FOUND'],
      ['GET', `/v1/surveys/${surveyId}/responses/count`, 'SURVEY_NOT_FOUND'],
      ['POST', `/v1/surveys/${surveyId}/responses`, 'SURVEY_NOT_FOUND'],
    ] as const) {
      const given = method === 'POST' ? { body: { data: answers } } : {};
      expect(await app.call(method, path, { tenantId, ...given })).toMatchObject({ status: 404, body: { code } });
    }
  });

  it('checks the permission before it looks anything up', async () => {
    const permissions: string[] = [];
    const rejected = await app.call('GET', `/v1/responses/${randomUUID()}`, { tenantId: randomUUID(), permissions });
    expect(rejected).toMatchObject({ status: 403, body: { detail: "Permission 'responses:read' required" } });
  });
});
