import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { submitResponse } from '../testing/submitted-response.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

async function submitted(given: Parameters<typeof submitResponse>[1] = {}) {
  const response = await submitResponse(app, given);
  const { id, tenantId } = response;
  return { ...response, history: () => app.call('GET', `/v1/responses/${id}/history`, { tenantId }) };
}

describe('the history of a response', () => {
  it('is empty until a user corrects the response', async () => {
    const { history } = await submitted();
    expect(await history()).toMatchObject({ status: 200, body: [] });
  });

  it('names user, time and changed questions of each correction, newest first', async () => {
    const { patch, read, history } = await submitted();
    await patch({ data: { taste: 1, comment: 'fine' } });
    await patch({ data: { taste: 1 } });
    const { body: last } = await patch({ data: { comment: 'spam' }, metadata: { note: 'asked again' } });
    const { body } = await history();
    expect(body).toEqual([
      {
        revision: 3,
        corrected_at: last.updated_at,
        corrected_by: 'user-1',
        question_ids: ['comment'],
        metadata_changed: true,
        status_before: 'completed',
        status_after: 'disqualified',
      },
      {
        revision: 2,
        corrected_at: expect.any(String),
        corrected_by: 'user-1',
        question_ids: ['taste', 'comment'],
        metadata_changed: false,
        status_before: 'completed',
        status_after: 'completed',
      },
    ]);
    expect((await read()).body).not.toHaveProperty('corrections');
  });

  it('keeps the last 50 corrections', async () => {
    const { id, patch, history } = await submitted();
    await patch({ data: { taste: 1 } });
    const many = Array.from({ length: 50 }, (_, n) => ({
      ...{ revision: n, at: new Date(n), by: 'user-2', questions: [], metadata: true },
      ...{ from: 'completed', to: 'completed' },
    }));
    await app.responses.updateOne({ _id: id }, { $set: { corrections: many as never } });
    await patch({ data: { taste: 2 } });
    const { body } = await history();
    expect([body.length, body[0].revision, body.at(-1).revision]).toEqual([50, 3, 1]);
  });

  it('is deleted with the response', async () => {
    const { id, patch, remove, history } = await submitted();
    await patch({ data: { taste: 1 } });
    await remove();
    expect((await history()).body.code).toBe('RESPONSE_NOT_FOUND');
    expect(await app.db.collection('responses').findOne({ _id: id as never })).not.toHaveProperty('corrections');
  });

  it('is not found for another tenant, or if the survey is deleted', async () => {
    const { id, surveyId, history } = await submitted();
    const reply = await app.call('GET', `/v1/responses/${id}/history`, { tenantId: randomUUID() });
    expect(reply.body.code).toBe('RESPONSE_NOT_FOUND');
    app.survey.set(surveyId, { status: 'deleted' });
    await expect.poll(async () => (await history()).status).toBe(404);
  });
});
