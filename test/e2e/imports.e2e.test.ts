import { request } from 'node:http';
import { poll } from '@survey/runtime/testing/poll';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

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

  it('create a survey with its responses and a report', async () => {
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

  it('create a survey from CSV', async () => {
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

  it('add responses to a survey, and skip them when repeated', async () => {
    const surveyId = await draftSurvey();
    const responses = [
      { id: 'x-1', submitted_at: '2026-01-02T03:04:05Z', answers: [{ question_id: 'came', value: 'no' }] },
    ];
    const importOnce = () =>
      api('POST', `/api/v1/surveys/${surveyId}/responses/import`, { body: { format: 'json', responses } });
    expect((await importOnce()).body).toMatchObject({ total: 1, imported: 1, skipped: 0, failed: 0 });
    expect((await importOnce()).body).toMatchObject({ total: 1, imported: 0, skipped: 1, failed: 0 });
  });

  it('of a large file are jobs with progress and errors', async () => {
    const surveyId = await draftSurvey();
    const line = (index: number) =>
      JSON.stringify({
        id: `x-${index}`,
        data: { came: index % 100 === 7 ? 'perhaps' : 'no' },
        metadata: { note: 'x'.repeat(1_000) },
      });
    const body = Array.from({ length: 1_200 }, (_, index) => line(index)).join('\n');
    const path = `/api/v1/surveys/${surveyId}/responses/import?format=ndjson`;
    const accepted = await api('POST', path, { body, headers: { 'content-type': 'application/x-ndjson' } });
    expect([accepted.status, accepted.headers.get('location')]).toEqual([202, `/v1/imports/${accepted.body.id}`]);
    const done = await poll(async () => {
      const { body: job } = await api('GET', `/v1/imports/${accepted.body.id}`);
      return job.finished_at === undefined ? undefined : job;
    });
    expect(done).toMatchObject({
      tenant_id: tenant.tenantId,
      survey_id: surveyId,
      status: 'completed',
      progress: { rows: 1_200, imported: 1_188, skipped: 0, failed: 12 },
    });
    const headers = { 'content-type': 'application/x-ndjson', prefer: 'wait=25' };
    const waited = await api('POST', path, { body, headers });
    expect([waited.status, waited.headers.get('preference-applied')]).toEqual([200, 'wait=25']);
    expect(waited.body).toMatchObject({ status: 'completed', skipped: 1_188 });
    const errors = await api('GET', `/v1/imports/${accepted.body.id}/errors`);
    expect(String(errors.body).trim().split('\n')).toHaveLength(12);
    expect((await api('GET', `/v1/surveys/${surveyId}/responses/count`)).body).toMatchObject({ count: 1_188 });
    expect((await api('GET', '/v1/imports?limit=1')).body).toMatchObject([{ id: waited.body.id }]);
    expect((await api('POST', `/v1/imports/${accepted.body.id}/cancel`)).body.status).toBe('completed');
  });

  it('of a file that is too large are rejected before the upload', async () => {
    const authorization = `Bearer ${await tokenFor(tenant.tenantId, tenant.userId)}`;
    const headers = { authorization, 'content-length': String(2 ** 31), 'content-type': 'text/csv' };
    const url = new URL(`/v1/surveys/${await draftSurvey()}/responses/import?format=csv`, inject('stack').gateway);
    const status = await new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers });
      sent.on('response', ({ statusCode }) => {
        resolve(statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.flushHeaders();
    });
    expect(status).toBe(413);
  });
});
