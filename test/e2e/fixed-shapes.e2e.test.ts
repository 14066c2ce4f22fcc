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

async function surveyWith(responses: number): Promise<string> {
  const { body } = await api('POST', '/v1/surveys', { body: lunchSurvey });
  await api('POST', `/v1/surveys/${body.id}/publish`);
  const submit = () =>
    api('POST', `/v1/surveys/${body.id}/responses`, { body: { status: 'completed', data: lunchAnswers } });
  for (const answer of await Promise.all(Array.from({ length: responses }, submit))) expect(answer.status).toBe(201);
  return body.id;
}

describe('GET /health', () => {
  it('says that database and queue answer', async () => {
    const { status, body } = await createApi()('GET', '/health');
    expect([status, body]).toEqual([200, { status: 'healthy', checks: { database: true, queue: true } }]);
  });
});

describe('GET /metrics', () => {
  it('shows the five fixed names with their labels over all processes', async () => {
    const surveyId = await surveyWith(2);
    const { body, headers } = await createApi()('GET', '/metrics');
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    const line = (start: string, ...parts: string[]) =>
      body.split('\n').find((text: string) => text.startsWith(start) && parts.every((part) => text.includes(part)));
    const own = `tenant_id="${tenant.tenantId}"`;
    expect(
      line('http_requests_total{', 'method="POST"', 'endpoint="/v1/surveys"', 'status_code="201"', own),
    ).toBeDefined();
    expect(line('http_request_duration_seconds_count{', 'method="POST"', 'endpoint="/v1/surveys"', own)).toBeDefined();
    expect(line('survey_responses_total{', own, `survey_id="${surveyId}"`, 'status="completed"')).toMatch(/ 2$/);
    expect(line('active_surveys_count{', own)).toMatch(/ \d+$/);
    expect(line('database_connection_pool_size{', 'pool_type=')).toMatch(/ \d+$/);
  });

  it('names the tenant of a public request, and unknown where none can be told', async () => {
    const surveyId = await surveyWith(0);
    await createApi()('GET', `/v1/public/surveys/${surveyId}`);
    await createApi()('GET', '/v1/surveys');
    const { body } = await createApi()('GET', '/metrics');
    expect(body).toMatch(
      new RegExp(
        `http_requests_total\\{[^}]*endpoint="/v1/public/surveys/\\{survey_id\\}"[^}]*tenant_id="${tenant.tenantId}"`,
      ),
    );
    expect(body).toMatch(/http_requests_total\{[^}]*status_code="401",tenant_id="unknown"\}/);
  });
});

describe('the documentation', () => {
  it('is a page that loads nothing from elsewhere', async () => {
    const { status, headers, body } = await createApi()('GET', '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/default-src '(none|self)'/);
    expect(body).not.toMatch(/(src|href)="https?:/);
  });

  it('describes every route in OpenAPI 3.1', async () => {
    const { body } = await createApi()('GET', '/openapi.json');
    expect(body.openapi).toMatch(/^3\.1\./);
    expect(body.paths['/v1/surveys'].post.operationId).toBe('createSurvey');
  });
});

describe('surveys', () => {
  it('are created and given back with the fixed members', async () => {
    const { status, body } = await api('POST', '/v1/surveys', { body: lunchSurvey });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.any(String),
      tenant_id: tenant.tenantId,
      definition: lunchSurvey.survey,
      schema_version: '1.0',
      version: 1,
      status: 'draft',
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
      created_by: tenant.userId,
      updated_by: tenant.userId,
    });
  });

  it.each(['/v1/surveys', '/api/v1/surveys', '/surveys'])(
    'of the own tenant are listed at %s as a bare array',
    async (path) => {
      const other = await createTenant();
      await other.api('POST', '/v1/surveys', { body: lunchSurvey });
      const { body } = await api('GET', `${path}?limit=1000`);
      expect(body.length).toBeGreaterThan(0);
      expect(new Set(body.map((survey: { tenant_id: string }) => survey.tenant_id))).toEqual(
        new Set([tenant.tenantId]),
      );
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

  it('cannot be sampled from a cursor on', async () => {
    const surveyId = await surveyWith(3);
    const { headers } = await api('GET', `/v1/surveys/${surveyId}/responses?limit=1`);
    const next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect((await api('GET', next)).body).toHaveLength(1);
    expect((await api('GET', `${next}&random=true`)).status).toBe(400);
  });
});

describe('imports', () => {
  const data = {
    survey: {
      title: 'Imported',
      questions: [
        {
          id: 'q1',
          type: 'single_choice',
          title: 'Colour?',
          required: true,
          options: [
            { id: 'r', text: 'Red' },
            { id: 'b', text: 'Blue' },
          ],
        },
        { id: 'q2', type: 'rating', title: 'Stars?' },
      ],
    },
    responses: [
      {
        id: 'a-1',
        submitted_at: '2026-01-02T03:04:05Z',
        answers: [
          { question_id: 'q1', value: 'Red' },
          { question_id: 'q2', value: '4' },
        ],
      },
      { id: 'a-2', submitted_at: '2026-01-02T03:04:06Z', answers: [{ question_id: 'q1', value: 'Green' }] },
    ],
  };

  it('make a survey with its responses and report what they did', async () => {
    const { status, body } = await api('POST', '/api/v1/surveys/import', {
      body: {
        source: 'custom',
        format: 'json',
        data,
        options: { preserve_ids: true, validate_logic: true, import_responses: true },
      },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      tenant_id: tenant.tenantId,
      status: 'closed',
      import: {
        source: 'custom',
        format: 'json',
        status: 'completed',
        total: 2,
        imported: 1,
        skipped: 0,
        failed: 1,
        questions: 2,
      },
    });
    expect(body.import.errors).toEqual([expect.objectContaining({ index: 1, id: 'a-2' })]);
    const responses = await api('GET', `/v1/surveys/${body.id}/responses`);
    expect(responses.body).toEqual([
      expect.objectContaining({
        data: { q1: 'r', q2: 4 },
        external_id: 'a-1',
        completed_at: '2026-01-02T03:04:05.000Z',
      }),
    ]);
  });

  it('make a survey of a CSV text', async () => {
    const csv = [
      'question_id,question_type,question_title,question_required,question_options,logic_conditions',
      'q1,single_choice,"Do you, ever?",true,Yes|No,',
      'q2,rating,How much?,false,1-5,q1:equals:Yes',
    ].join('\r\n');
    const { status, body } = await api('POST', '/v1/surveys/import', {
      body: { source: 'custom', format: 'csv', data: csv, options: { title: 'From CSV' } },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'draft', import: { questions: 2 } });
    expect(body.definition.title).toBe('From CSV');
    expect((await api('GET', `/v1/surveys/${body.id}/validate`)).body).toMatchObject({ valid: true });
  });

  it('add responses to a survey, and skip them the second time', async () => {
    const surveyId = await surveyWith(0);
    const responses = [
      { id: 'x-1', submitted_at: '2026-01-02T03:04:05Z', answers: [{ question_id: 'came', value: 'no' }] },
    ];
    const importOnce = () =>
      api('POST', `/api/v1/surveys/${surveyId}/responses/import`, { body: { format: 'json', responses } });
    expect((await importOnce()).body).toMatchObject({ total: 1, imported: 1, skipped: 0, failed: 0 });
    expect((await importOnce()).body).toMatchObject({ total: 1, imported: 0, skipped: 1, failed: 0 });
  });
});

describe('tokens', () => {
  const refused = {
    status: 401,
    title: expect.any(String),
    type: expect.any(String),
    detail: 'Invalid token',
    code: 'INVALID_TOKEN',
    request_id: expect.any(String),
  };

  it.each(['', 'Bearer x', 'Bearer a.b.c', 'Basic abc', `Bearer ${'a'.repeat(9000)}.b.c`])(
    'like "%s" are refused with the fixed body',
    async (authorization) => {
      const { status, headers, body } = await createApi()('GET', '/v1/surveys', {
        headers: authorization === '' ? {} : { authorization },
      });
      expect([status, headers.get('content-type'), headers.get('www-authenticate')]).toEqual([
        401,
        'application/problem+json',
        'Bearer',
      ]);
      expect(body).toEqual(refused);
    },
  );

  it('are of no use at the services themselves', async () => {
    const { services, gateway } = inject('stack');
    expect(gateway).toMatch(/^http:/);
    const { status } = await fetch(`${services['survey']?.http}/v1/surveys`);
    expect(status).toBe(401);
  });
});
