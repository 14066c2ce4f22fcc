import { beforeAll, describe, expect, it } from 'vitest';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createTenant, type TestTenant } from '../support/platform.ts';

let tenant: TestTenant;
let api: Api;

beforeAll(async () => {
  tenant = await createTenant();
  api = tenant.api;
});

async function draftSurvey(): Promise<string> {
  return (await api('POST', '/v1/surveys', { body: lunchSurvey })).body.id;
}

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
    const surveyId = await draftSurvey();
    const responses = [
      { id: 'x-1', submitted_at: '2026-01-02T03:04:05Z', answers: [{ question_id: 'came', value: 'no' }] },
    ];
    const importOnce = () =>
      api('POST', `/api/v1/surveys/${surveyId}/responses/import`, { body: { format: 'json', responses } });
    expect((await importOnce()).body).toMatchObject({ total: 1, imported: 1, skipped: 0, failed: 0 });
    expect((await importOnce()).body).toMatchObject({ total: 1, imported: 0, skipped: 1, failed: 0 });
  });
});
