import { randomUUID } from 'node:crypto';
import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSurveyApp } from './app.ts';
import { createTestSurveyConfig } from './testing/test-survey-service.ts';

const payload = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Lunch',
    supported_languages: ['en'],
    pages: [{ questions: [{ id: 'q1', type: 'rating', title: 'How was it?', required: true }] }],
  },
};

let keys: TestKeys;
let app: Awaited<ReturnType<typeof createSurveyApp>>;
let ports: Awaited<ReturnType<typeof app.start>>;
let config: ReturnType<typeof createTestSurveyConfig>;

beforeAll(async () => {
  keys = await createTestKeys();
  config = createTestSurveyConfig(keys);
  app = await createSurveyApp(config, testLog);
  ports = await app.start();
});

afterAll(async () => {
  await app.stop();
  await keys.close();
  const client = new MongoClient(config.mongodbUri);
  await client.db(config.mongodbDatabase).dropDatabase();
  await client.close();
});

async function tokenOf(tenantId: string, permissions = ['surveys:read', 'surveys:write', 'surveys:delete']) {
  return (await keys.minterOf('gateway')).mint('survey', { tenantId, subject: 'user-1', permissions });
}

async function call(
  method: string,
  path: string,
  { tenantId = randomUUID(), body }: { tenantId?: string; body?: unknown } = {},
) {
  const response = await fetch(`http://127.0.0.1:${ports.httpPort}${path}`, {
    method,
    headers: { authorization: `Bearer ${await tokenOf(tenantId)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

describe('survey service', () => {
  it('returns a created survey with all members', async () => {
    const tenantId = randomUUID();
    const created = await call('POST', '/v1/surveys', { tenantId, body: payload });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/v1/surveys/${created.body.id}`);
    expect(created.body).toMatchObject({
      tenant_id: tenantId,
      definition: payload.survey,
      schema_version: '1.0',
      version: 1,
      status: 'draft',
      created_by: 'user-1',
      updated_by: 'user-1',
    });
    expect(created.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const read = await call('GET', `/v1/surveys/${created.body.id}`, { tenantId });
    expect(read.body).toEqual(created.body);
  });

  it('keeps free content unchanged', async () => {
    const tenantId = randomUUID();
    const survey = { ...payload.survey, source_data: { $ref: 'x', $id: 1, 'a.b': [null, 1.5], nested: { '': true } } };
    const created = await call('POST', '/v1/surveys', { tenantId, body: { ...payload, survey } });
    const read = await call('GET', `/v1/surveys/${created.body.id}`, { tenantId });
    expect(read.body.definition).toEqual(survey);
  });

  it('rejects an invalid shape with all problems', async () => {
    const rejected = await call('POST', '/v1/surveys', {
      body: { schema_version: 'x', version: 0, survey: { title: '' } },
    });
    expect(rejected.status).toBe(422);
    expect(rejected.body.code).toBe('INVALID_DEFINITION');
    const paths = rejected.body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/schema_version', '/version', '/survey/title', '/survey/pages']));
  });

  it('rejects unknown members and wrong types with their paths', async () => {
    const rejected = await call('POST', '/v1/surveys', { body: { ...payload, version: '1', extra: true } });
    expect(rejected.status).toBe(400);
    expect(rejected.body.errors).toEqual([
      expect.objectContaining({ path: '/version', code: 'WRONG_TYPE' }),
      expect.objectContaining({ path: '/extra', code: 'UNKNOWN_FIELD' }),
    ]);
  });

  it('goes from draft to active to closed and rejects other transitions', async () => {
    const tenantId = randomUUID();
    const { body } = await call('POST', '/v1/surveys', { tenantId, body: payload });
    const act = (verb: string) => call('POST', `/v1/surveys/${body.id}/${verb}`, { tenantId });
    expect((await act('close')).body.code).toBe('STATE_CONFLICT');
    expect((await act('publish')).body).toMatchObject({ status: 'active', published_at: expect.any(String) });
    expect((await act('publish')).status).toBe(409);
    expect((await act('close')).body.status).toBe('closed');
    expect((await act('publish')).body.status).toBe('active');
  });

  it('does not publish a definition with errors and reports them', async () => {
    const tenantId = randomUUID();
    const survey = {
      ...payload.survey,
      pages: [{ questions: [{ id: 'q1', type: 'single_choice', title: 'Which?' }] }],
    };
    const { body } = await call('POST', '/v1/surveys', { tenantId, body: { ...payload, survey } });
    const checked = await call('GET', `/v1/surveys/${body.id}/validate`, { tenantId });
    expect(checked.body).toMatchObject({ valid: false, errors: [{ code: 'MISSING_OPTIONS', question_id: 'q1' }] });
    const rejected = await call('POST', `/v1/surveys/${body.id}/publish`, { tenantId });
    expect(rejected.status).toBe(422);
    expect(rejected.body.errors).toEqual([expect.objectContaining({ code: 'MISSING_OPTIONS' })]);
  });

  it('lists only surveys of the tenant, newest first, with pagination', async () => {
    const tenantId = randomUUID();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.unshift((await call('POST', '/v1/surveys', { tenantId, body: payload })).body.id);
    const seen: string[] = [];
    let path: string | undefined = '/v1/surveys?limit=2';
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof call>> = await call('GET', path, { tenantId });
      seen.push(...page.body.map(({ id }: { id: string }) => id));
      path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(ids);
    expect((await call('GET', '/v1/surveys')).body).toEqual([]);
  });

  it.each(['limit=0', 'limit=1001', 'limit=1e2', 'limit=1&limit=2', 'nope=1', 'cursor=x', 'status=gone'])(
    'rejects the query %s',
    async (query) => {
      const { status } = await call('GET', `/v1/surveys?${query}`);
      expect(status).toBe(400);
    },
  );

  it('hides a deleted survey', async () => {
    const tenantId = randomUUID();
    const { body } = await call('POST', '/v1/surveys', { tenantId, body: payload });
    const gone = await call('DELETE', `/v1/surveys/${body.id}`, { tenantId });
    expect([gone.status, gone.body]).toEqual([204, undefined]);
    expect((await call('GET', `/v1/surveys/${body.id}`, { tenantId })).body.code).toBe('SURVEY_NOT_FOUND');
    expect((await call('GET', '/v1/surveys', { tenantId })).body).toEqual([]);
  });

  it('does not return surveys of other tenants', async () => {
    const { body } = await call('POST', '/v1/surveys', { body: payload });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/publish'],
      ['GET', '/validate'],
    ] as const) {
      expect((await call(method, `/v1/surveys/${body.id}${path}`)).status).toBe(404);
    }
  });

  it('updates its metric of active surveys after each change', async () => {
    const tenantId = randomUUID();
    const { body } = await call('POST', '/v1/surveys', { tenantId, body: payload });
    const line = async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${ports.adminPort}/metrics`)).text();
      return metrics.split('\n').find((text) => text.startsWith('active_surveys_count') && text.includes(tenantId));
    };
    expect(await line()).toBeUndefined();
    await call('POST', `/v1/surveys/${body.id}/publish`, { tenantId });
    expect(await line()).toMatch(/ 1$/);
    await call('POST', `/v1/surveys/${body.id}/close`, { tenantId });
    expect(await line()).toBeUndefined();
  });

  it('returns the definition of a survey over gRPC', async () => {
    const tenantId = randomUUID();
    const { body } = await call('POST', '/v1/surveys', { tenantId, body: payload });
    const connection = await keys.connectAs('response', 'survey', `127.0.0.1:${ports.grpcPort}`);
    const client = connection.client(DefinitionService);
    try {
      const found = await client.getDefinition({ surveyId: body.id }, callOptionsFor({}));
      expect(found).toMatchObject({ tenantId, status: 'draft', version: 1, definition: payload.survey });
      await expect(client.getDefinition({ surveyId: randomUUID() }, callOptionsFor({}))).rejects.toMatchObject({
        code: 'SURVEY_NOT_FOUND',
      });
    } finally {
      connection.close();
    }
  });
});
