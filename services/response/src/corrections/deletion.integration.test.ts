import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { submitResponse, submittedAnswers } from '../testing/submitted-response.ts';

const TOMBSTONE = [
  '_id',
  'changed',
  'created_at',
  'deleted_from',
  'ledger_entries',
  'outbox',
  'revision',
  'status',
  'temporary',
  'tenant_id',
];

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

describe('a deletion', () => {
  it('removes the response and its content from all reads', async () => {
    const response = await submitResponse(app, { body: { metadata: { source: 'qr' } } });
    const { status, body } = await response.remove();
    expect([status, body]).toEqual([204, undefined]);
    expect(await response.read()).toMatchObject({ status: 404, body: { code: 'RESPONSE_NOT_FOUND' } });
    expect((await response.remove()).status).toBe(404);
    const path = `/v1/surveys/${response.surveyId}/responses`;
    const { tenantId } = response;
    expect((await app.call('GET', path, { tenantId })).body).toEqual([]);
    expect((await app.call('GET', `${path}?random=true`, { tenantId })).body).toEqual([]);
    expect((await app.call('GET', `${path}/count`, { tenantId })).body).toEqual({ count: 0 });
    const left = await app.responses.findOne({ _id: response.id });
    for (const field of ['data', 'metadata', 'survey_id']) expect(left ?? {}).not.toHaveProperty(field);
    await poll(async () => (await app.responses.findOne({ _id: response.id }))?.outbox.length === 0);
  });

  it('publishes an event and an audit event, without answers', async () => {
    const response = await submitResponse(app);
    const { body } = await response.read();
    await response.remove();
    const [, deleted] = await response.events(2);
    expect(deleted?.type).toBe('response.deleted');
    expect(deleted?.data).toEqual({
      response_id: response.id,
      survey_id: response.surveyId,
      survey_version: 1,
      status: 'completed',
      completed_at: body.completed_at,
      occurred_at: expect.any(String),
      revision: 2,
    });
    const [audited] = await readAuditEvents(response.tenantId, 1);
    expect(audited).toMatchObject({
      action: 'response.deleted',
      occurred_at: deleted?.data['occurred_at'],
      revision: 2,
      actor: 'user-1',
      resource_id: response.id,
      changes: [
        { path: '/survey_id', before: response.surveyId },
        { path: '/survey_version', before: 1 },
        { path: '/status', before: 'completed' },
      ],
    });
  });

  it.each(['before its events are out', 'after'])(
    'is not undone by a repeated request with the same key, %s',
    async (when) => {
      const headers = { 'idempotency-key': randomUUID() };
      const { id, surveyId, tenantId, remove } = await submitResponse(app, { headers });
      expect((await remove()).status).toBe(204);
      if (when === 'after') await poll(async () => (await app.responses.findOne({ _id: id }))?.outbox.length === 0);
      const again = await app.submit(surveyId, { data: submittedAnswers }, headers);
      expect(again).toMatchObject({ status: 410, body: { code: 'RESPONSE_DELETED' } });
      const count = await app.call('GET', `/v1/surveys/${surveyId}/responses/count`, { tenantId });
      expect(count.body).toEqual({ count: 0 });
      expect((await app.submit(surveyId, { data: submittedAnswers }, { 'idempotency-key': randomUUID() })).status).toBe(
        201,
      );
      const left = await app.responses.findOne({ _id: id });
      expect(Object.keys(left ?? {}).toSorted()).toEqual(TOMBSTONE);
    },
  );

  it('checks the revision in If-Match', async () => {
    const response = await submitResponse(app);
    await response.patch({ data: { taste: 1 } });
    expect((await response.remove({ 'if-match': '"1"' })).status).toBe(412);
    expect((await response.remove({ 'if-match': '"2"' })).status).toBe(204);
  });

  it('needs its permission, and a response of the tenant', async () => {
    const response = await submitResponse(app);
    const rejected = await response.call('DELETE', { permissions: ['responses:write'] });
    expect(rejected).toMatchObject({ status: 403, body: { detail: "Permission 'responses:delete' required" } });
    expect((await response.call('DELETE', { tenantId: randomUUID() })).status).toBe(404);
    expect((await response.read()).status).toBe(200);
  });

  it('works after the survey was deleted', async () => {
    const response = await submitResponse(app);
    app.survey.set(response.surveyId, { status: 'deleted' });
    expect((await response.remove()).status).toBe(204);
  });
});
