import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const day = (number: number) => new Date(Date.UTC(2024, 4, number));

async function addResponses(survey: { surveyId: string }, given: readonly Partial<ResponseDocument>[]): Promise<void> {
  for (const fields of given) {
    const { body } = await app.submit(survey.surveyId, { data: { ate: 'no' } });
    await app.responses.updateOne({ _id: body.id }, { $set: fields });
  }
}

function countsOf(tenantId: string, surveyIds: readonly string[]) {
  const query = surveyIds.map((id) => `survey_ids=${id}`).join('&');
  return app.call('GET', `/v1/response-counts?${query}`, { tenantId });
}

const none = { total: 0, in_progress: 0, completed: 0, disqualified: 0, abandoned: 0 };

describe('the counts of surveys', () => {
  it('are numbers by status, with the time of the latest response', async () => {
    const one = app.survey.add();
    const { tenantId } = one;
    const other = app.survey.add({ tenantId });
    await addResponses(one, [
      { created_at: day(1) },
      { created_at: day(3), status: 'in_progress' },
      { created_at: day(2), status: 'disqualified' },
      { created_at: day(2), status: 'abandoned' },
      { created_at: day(1) },
    ]);
    const { status, body } = await countsOf(tenantId, [other.surveyId, one.surveyId.toUpperCase()]);
    expect(status).toBe(200);
    const countedAt = expect.stringMatching(/Z$/);
    expect(body).toEqual([
      { survey_id: other.surveyId, ...none, counted_at: countedAt },
      {
        survey_id: one.surveyId,
        total: 5,
        in_progress: 1,
        completed: 2,
        disqualified: 1,
        abandoned: 1,
        last_response_at: '2024-05-03T00:00:00.000Z',
        counted_at: countedAt,
      },
    ]);
  });

  it('include each write immediately, and no deleted response', async () => {
    const survey = app.survey.add();
    const { tenantId, surveyId } = survey;
    const { body: first } = await app.submit(surveyId, { data: { ate: 'no' } });
    expect((await countsOf(tenantId, [surveyId])).body).toMatchObject([{ total: 1, completed: 1 }]);
    await app.submit(surveyId, { data: { ate: 'no' } });
    expect((await countsOf(tenantId, [surveyId])).body).toMatchObject([{ total: 2 }]);
    await app.call('DELETE', `/v1/responses/${first.id}`, { tenantId, permissions: ['responses:delete'] });
    expect((await countsOf(tenantId, [surveyId])).body).toMatchObject([{ total: 1 }]);
  });

  it('leave out deleted surveys, and those of other tenants', async () => {
    const mine = app.survey.add();
    const deleted = app.survey.add({ tenantId: mine.tenantId, status: 'deleted' });
    const foreign = app.survey.add();
    const ids = [foreign.surveyId, mine.surveyId, randomUUID(), deleted.surveyId];
    expect((await countsOf(mine.tenantId, ids)).body).toMatchObject([{ survey_id: mine.surveyId }]);
  });

  it.each([
    ['no id', '', 'REQUIRED'],
    ['an id that is no UUID', 'survey_ids=mine', 'BAD_FORMAT'],
    ['an id twice', `${'survey_ids=0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10&'.repeat(2)}`, 'DUPLICATE_ITEM'],
    ['more than 100 ids', Array.from({ length: 101 }, () => `survey_ids=${randomUUID()}`).join('&'), 'TOO_MANY'],
  ])('are rejected with %s', async (_, query, code) => {
    const { tenantId } = app.survey.add();
    const { status, body } = await app.call('GET', `/v1/response-counts?${query}`, { tenantId });
    expect([status, body.code, body.errors[0].code]).toEqual([400, 'INVALID_REQUEST', code]);
  });

  it('need the permission to read responses', async () => {
    const { tenantId, surveyId } = app.survey.add();
    const query = `survey_ids=${surveyId}`;
    const reply = await app.call('GET', `/v1/response-counts?${query}`, { tenantId, permissions: ['surveys:read'] });
    expect(reply.status).toBe(403);
  });
});

describe('the counts of links', () => {
  it('list the most used links first, and no responses without a link', async () => {
    const survey = app.survey.add();
    const { tenantId, surveyId } = survey;
    const [busy, quiet] = [randomUUID(), randomUUID()];
    await addResponses(survey, [
      { link_id: quiet, created_at: day(4) },
      { link_id: busy, created_at: day(1), status: 'in_progress' },
      { link_id: busy, created_at: day(2) },
      {},
    ]);
    const { body } = await app.call('GET', `/v1/surveys/${surveyId}/responses/counts-by-link`, { tenantId });
    expect(body).toMatchObject([
      { link_id: busy, total: 2, in_progress: 1, completed: 1, last_response_at: day(2).toISOString() },
      { link_id: quiet, ...none, total: 1, completed: 1, last_response_at: day(4).toISOString() },
    ]);
    expect(body).toHaveLength(2);
  });

  it('need a survey of the tenant', async () => {
    const { surveyId } = app.survey.add();
    const { tenantId } = app.survey.add();
    const { body } = await app.call('GET', `/v1/surveys/${surveyId}/responses/counts-by-link`, { tenantId });
    expect(body.code).toBe('SURVEY_NOT_FOUND');
  });
});
