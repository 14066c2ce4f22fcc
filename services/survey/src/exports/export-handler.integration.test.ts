import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService, testPayload } from '../testing/test-survey-service.ts';

let service: TestSurveyService;
let tenant: ReturnType<TestSurveyService['tenant']>;

beforeAll(async () => {
  service = await startTestSurveyService();
  tenant = service.tenant();
});

afterAll(() => service.close());

const survey = { ...testPayload.survey, title: 'Lunch, "today"', source_data: { $ref: 'x', 'a.b': [null, 1.5] } };

describe('GET /v1/surveys/{survey_id}/export', () => {
  it.each(['', '?format=json'])('returns the payload with its settings as a file (%s)', async (query) => {
    const settings = {
      closes_at: '2999-01-01T00:00:00.000Z',
      access: 'links_only',
      languages: ['en'],
      resume_across_devices: false,
      metadata_fields: [{ name: 'vip', type: 'boolean', from: ['token'] }],
    };
    const id = await tenant.createSurvey({ version: 3, survey, settings });
    const { status, headers, body } = await tenant.call('GET', `/v1/surveys/${id}/export${query}`);
    expect([status, body]).toEqual([200, { schema_version: '1.0', version: 3, survey, settings }]);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('content-disposition')).toBe('attachment; filename="lunch-today-v3.json"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('export-omitted')).toBeNull();
  });

  it('returns a payload that creates the same survey again', async () => {
    const settings = { metadata_fields: [{ name: 'campaign', type: 'string', max_length: 9, from: ['url'] }] };
    const id = await tenant.createSurvey({ survey, settings });
    const { body: payload } = await tenant.call('GET', `/v1/surveys/${id}/export`);
    const again = await tenant.call('POST', '/v1/surveys', { body: payload });
    expect((await tenant.call('GET', `/v1/surveys/${again.body.id}/export`)).body).toEqual(payload);
  });

  it('returns the questions as CSV, and lists omitted members', async () => {
    const id = await tenant.createSurvey({ survey });
    const { status, headers, body } = await tenant.call('GET', `/v1/surveys/${id}/export?format=csv`);
    expect([status, body]).toEqual([
      200,
      // The file begins with a byte order mark for spreadsheets, which `Response.text()` removes.
      'question_id,question_type,question_title,question_required,question_options,logic_conditions\r\n' +
        'q1,rating,How was it?,true,,\r\n',
    ]);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="lunch-today-v1.csv"');
    expect(headers.get('export-omitted')).toBe('source_data, title');
  });

  it('omits the project, which belongs to this tenant', async () => {
    const { body: project } = await tenant.call('POST', '/v1/projects', { body: { name: 'Canteen' } });
    const id = await tenant.createSurvey({ project_id: project.id });
    const { headers, body } = await tenant.call('GET', `/v1/surveys/${id}/export`);
    expect([headers.get('export-omitted'), body.project_id]).toEqual(['project_id', undefined]);
  });

  it('exports an unfinished draft', async () => {
    const unfinished = {
      ...survey,
      pages: [{ questions: [{ id: 'q', type: 'likert', title: 'T', options: [null, ''] }] }],
    };
    const id = await tenant.createSurvey({ survey: unfinished });
    expect((await tenant.call('GET', `/v1/surveys/${id}/export`)).body.survey).toEqual(unfinished);
    expect((await tenant.call('GET', `/v1/surveys/${id}/export?format=csv`)).body).toContain('q,likert,T,false,,\r\n');
  });

  it('does not find surveys of other tenants, deleted surveys and invalid ids', async () => {
    const id = await tenant.createSurvey();
    expect((await service.tenant().call('GET', `/v1/surveys/${id}/export`)).body.code).toBe('SURVEY_NOT_FOUND');
    expect((await tenant.call('GET', '/v1/surveys/x/export')).status).toBe(404);
    await tenant.call('DELETE', `/v1/surveys/${id}`);
    expect((await tenant.call('GET', `/v1/surveys/${id}/export?format=csv`)).status).toBe(404);
  });

  it('rejects other formats and missing permissions', async () => {
    const id = await tenant.createSurvey();
    const rejected = await tenant.call('GET', `/v1/surveys/${id}/export?format=xml`);
    expect([rejected.status, rejected.body.errors[0].path]).toEqual([400, '?format']);
    const reader = service.tenant(tenant.id, ['surveys:read', 'surveys:write']);
    const { status, body } = await reader.call('GET', `/v1/surveys/${id}/export`);
    expect([status, body.detail]).toEqual([403, "Permission 'surveys:export' required"]);
  });
});
