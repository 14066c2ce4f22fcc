import { poll } from '@survey/runtime/testing/poll';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createApi, createTenant, type TestTenant } from '../support/platform.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let tenant: TestTenant;
let api: Api;

beforeAll(async () => {
  tenant = await createTenant();
  api = tenant.api;
});

async function surveyWith(responses: number, by = api): Promise<string> {
  const { body } = await by('POST', '/v1/surveys', { body: lunchSurvey });
  await by('POST', `/v1/surveys/${body.id}/publish`);
  const submission = { status: 'completed', data: lunchAnswers, started_at: '2026-01-02T03:04:05+01:00' };
  const submit = () => by('POST', `/v1/surveys/${body.id}/responses`, { body: submission });
  for (const reply of await Promise.all(Array.from({ length: responses }, submit))) expect(reply.status).toBe(201);
  return body.id;
}

/** Waits until the page, which can be a second old, contains a text. */
function metricsWith(text: string) {
  return poll(async () => {
    const page = await createApi()('GET', '/metrics');
    return page.body.includes(text) ? page : undefined;
  });
}

describe('GET /health', () => {
  it('reports that database and queue are reachable', async () => {
    const { status, body } = await createApi()('GET', '/health');
    expect([status, body]).toEqual([200, { status: 'healthy', checks: { database: true, queue: true } }]);
  });
});

describe('GET /metrics', () => {
  it('has the five fixed names with exactly their labels, over all processes', async () => {
    const alone = await createTenant();
    const surveyId = await surveyWith(2, alone.api);
    const own = `tenant_id="${alone.tenantId}"`;
    const { body, headers } = await metricsWith(`survey_id="${surveyId}"`);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    const created = `method="POST",endpoint="/v1/surveys"`;
    const lines = body.split('\n');
    expect(lines).toContain(`http_requests_total{${created},status_code="201",${own}} 1`);
    expect(lines).toContain(`http_request_duration_seconds_count{${created},${own}} 1`);
    expect(lines).toContain(`survey_responses_total{${own},survey_id="${surveyId}",status="completed"} 2`);
    expect(lines).toContain(`active_surveys_count{${own}} 1`);
    expect(body).toMatch(/^database_connection_pool_size\{pool_type="\w+"\} \d+$/m);
  });

  it('has the tenant of a public request, or unknown', async () => {
    const surveyId = await surveyWith(0);
    await createApi()('GET', `/v1/public/surveys/${surveyId}`);
    await createApi()('GET', '/v1/surveys');
    const shown = `endpoint="/v1/public/surveys/{survey_id}",status_code="200",tenant_id="${tenant.tenantId}"`;
    const { body } = await metricsWith(shown);
    expect(body).toContain(`http_requests_total{method="GET",${shown}} `);
    const rejected = await createApi()('POST', `/v1/public/surveys/${surveyId}/responses`, {
      body: { data: { no: 1 } },
    });
    expect(rejected.status).toBe(422);
    await metricsWith(
      `endpoint="/v1/public/surveys/{survey_id}/responses",status_code="422",tenant_id="${tenant.tenantId}"`,
    );
    expect(body).toMatch(/http_requests_total\{[^}]*status_code="401",tenant_id="unknown"\}/);
  });
});

describe('the documentation', () => {
  it('is a page that loads nothing from other hosts', async () => {
    const { status, headers, body } = await createApi()('GET', '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/default-src '(none|self)'/);
    expect(body).not.toMatch(/(src|href)="https?:/);
    const assets = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, path]) => new URL(path, `${inject('stack').gateway}/docs`),
    );
    expect(assets.length).toBeGreaterThan(2);
    for (const { pathname } of assets) expect((await createApi()('GET', pathname)).status, pathname).toBe(200);
  });

  it('describes every route in OpenAPI 3.1', async () => {
    const { body } = await createApi()('GET', '/openapi.json');
    expect(body.openapi).toMatch(/^3\.1\./);
    expect(body.paths['/v1/surveys'].post.operationId).toBe('createSurvey');
  });
});

describe('surveys', () => {
  const draft = {
    id: expect.any(String),
    tenant_id: expect.any(String),
    definition: lunchSurvey.survey,
    schema_version: '1.0',
    version: 1,
    status: 'draft',
    created_at: expect.stringMatching(TIME),
    updated_at: expect.stringMatching(TIME),
    created_by: expect.any(String),
    updated_by: expect.any(String),
  };

  it('are created and returned with the fixed members', async () => {
    const { status, body } = await api('POST', '/v1/surveys', { body: lunchSurvey });
    expect(status).toBe(201);
    expect(body).toMatchObject(draft);
  });

  it.each(['/v1/surveys', '/api/v1/surveys', '/surveys'])(
    'of the own tenant alone are listed at %s as a bare array',
    async (path) => {
      const [mine, other] = [await createTenant(), await createTenant()];
      for (const { api } of [mine, other, mine]) await api('POST', '/v1/surveys', { body: lunchSurvey });
      const { body } = await mine.api('GET', path);
      const owned = { tenant_id: mine.tenantId, created_by: mine.userId, updated_by: mine.userId };
      expect(body).toEqual([
        expect.objectContaining({ ...draft, ...owned }),
        expect.objectContaining({ ...draft, ...owned }),
      ]);
    },
  );

  it('are checked', async () => {
    const survey = {
      ...lunchSurvey.survey,
      logic: [
        {
          question_id: 'taste',
          conditions: [{ source_question: 'gone', operator: 'equals', value: 'x', action: 'show' }],
        },
      ],
    };
    const { body } = await api('POST', '/v1/surveys', { body: { ...lunchSurvey, survey } });
    const checked = await api('GET', `/api/v1/surveys/${body.id}/validate`);
    expect(checked.body).toMatchObject({
      valid: false,
      errors: [
        { path: expect.stringMatching(/^\/survey\/logic\/0/), code: 'UNKNOWN_SOURCE', detail: expect.any(String) },
      ],
      warnings: [],
    });
  });
});

describe('responses', () => {
  it('are listed with the fixed members, their data decrypted', async () => {
    const surveyId = await surveyWith(3);
    const { body } = await api('GET', `/api/v1/surveys/${surveyId}/responses?limit=2`);
    expect(body).toHaveLength(2);
    for (const response of body) {
      expect(response).toMatchObject({
        id: expect.any(String),
        tenant_id: tenant.tenantId,
        survey_id: surveyId,
        status: 'completed',
        data: lunchAnswers,
        created_at: expect.stringMatching(TIME),
        started_at: '2026-01-02T02:04:05.000Z',
        completed_at: expect.stringMatching(TIME),
      });
    }
  });

  it('are sampled at random without repeats', async () => {
    const surveyId = await surveyWith(12);
    const samples = new Set<string>();
    for (let n = 0; n < 8; n += 1) {
      const { body } = await api('GET', `/api/v1/surveys/${surveyId}/responses?limit=5&random=true`);
      const ids = body.map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).toBe(5);
      samples.add([...ids].sort().join());
    }
    expect(samples.size).toBeGreaterThan(1);
  });

  it('are counted exactly', async () => {
    const surveyId = await surveyWith(7);
    expect((await api('GET', `/api/v1/surveys/${surveyId}/responses/count`)).body).toEqual({ count: 7 });
  });

  it('cannot be sampled with a cursor', async () => {
    const surveyId = await surveyWith(3);
    const { headers } = await api('GET', `/v1/surveys/${surveyId}/responses?limit=1`);
    const next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect((await api('GET', next)).body).toHaveLength(1);
    expect((await api('GET', `${next}&random=true`)).status).toBe(400);
  });
});

describe('tokens', () => {
  const rejected = {
    status: 401,
    title: expect.any(String),
    type: expect.any(String),
    code: 'INVALID_TOKEN',
    request_id: expect.any(String),
  };

  const [challenge, invalid] = ['Bearer', 'Bearer error="invalid_token"'];

  it.each([
    ['', 'The header Authorization is missing', challenge],
    ['Basic abc', 'Authorization must be Bearer, a space and the token', challenge],
    ['Bearer x', 'Invalid token', invalid],
    ['Bearer a.b.c', 'Invalid token', invalid],
    [`Bearer ${'a'.repeat(9000)}.b.c`, 'Invalid token', invalid],
  ])('like "%s" are rejected with the fixed body', async (authorization, detail, authenticate) => {
    const { status, headers, body } = await createApi()('GET', '/v1/surveys', {
      headers: authorization === '' ? {} : { authorization },
    });
    expect([status, headers.get('content-type'), headers.get('www-authenticate')]).toEqual([
      401,
      'application/problem+json',
      authenticate,
    ]);
    expect(body).toEqual({ ...rejected, detail });
  });

  it('are not accepted by the services themselves', async () => {
    const { services, gateway } = inject('stack');
    expect(gateway).toMatch(/^http:/);
    const { status } = await fetch(`${services['survey']?.http}/v1/surveys`);
    expect(status).toBe(401);
  });
});
