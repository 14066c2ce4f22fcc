import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { BSON } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import { submitResponse } from '../testing/submitted-response.ts';
import { testDefinition } from '../testing/test-definition.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

describe('a correction', () => {
  it('changes the named answers, keeps the others, and removes null ones', async () => {
    const response = await submitResponse(app, { body: { metadata: { source: 'qr', tags: { a: 1, b: 2 } } } });
    const before = await response.read();
    const change = { data: { taste: 5, comment: null, age: '42' }, metadata: { tags: { a: null, c: [3] } } };
    const { status, body } = await response.patch(change);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before.body,
      data: { ate: 'yes', taste: 5, age: '42' },
      metadata: { source: 'qr', tags: { b: 2, c: [3] } },
      updated_at: body.updated_at,
    });
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.body.updated_at));
    expect((await response.read()).body).toEqual(body);
  });

  it('has a later time than the change before, even if the clock of that replica was ahead', async () => {
    const response = await submitResponse(app);
    const ahead = new Date(Date.now() + 60 * 60_000);
    await app.responses.updateOne({ _id: response.id }, { $set: { updated_at: ahead } });
    const { body } = await response.patch({ data: { taste: 5 } });
    expect(Date.parse(body.updated_at)).toBe(ahead.getTime() + 1);
  });

  it('that makes a disqualified response take the last seat is published with `survey.limit_reached`', async () => {
    const { surveyId, tenantId } = app.survey.add({ settings: { responseLimit: 1 } });
    const { body } = await app.submit(surveyId, { data: { ate: 'yes', taste: 4, comment: 'spam' } });
    expect(body.status).toBe('disqualified');
    const change = { data: { comment: 'fine' } };
    const corrected = await app.call('PATCH', `/v1/responses/${body.id}`, { tenantId, body: change });
    expect(corrected.body.status).toBe('completed');
    const messages = await createTestKafka().readTopic(topics.response, 3, ({ key }) => key?.toString() === body.id);
    expect(messages.map(readEvent).map(({ type, data }) => [type, data['revision']])).toEqual([
      ['response.disqualified', 1],
      ['response.updated', 2],
      ['survey.limit_reached', 2],
    ]);
    expect((await app.submit(surveyId, { data: { ate: 'no' } })).body.code).toBe('RESPONSE_LIMIT_REACHED');
  });

  it('replaces an answer entirely, also one with rows', async () => {
    const grid = { id: 'grid', type: 'likert', title: 'How was', rows: ['a', 'b', 'c'], options: ['good', 'bad'] };
    const definition = { title: 'T', supported_languages: ['en'], pages: [{ questions: [grid] }] };
    const response = await submitResponse(app, { body: { data: { grid: { a: 'good', b: 'bad' } } }, definition });
    const { body } = await response.patch({ data: { grid: { c: 'good' } } });
    expect(body.data).toEqual({ grid: { c: 'good' } });
  });

  it('removes all metadata with null', async () => {
    const response = await submitResponse(app, { body: { metadata: { source: 'qr' } } });
    expect((await response.patch({ metadata: null })).body).not.toHaveProperty('metadata');
  });

  it('drops answers to questions that it hides, and normalises the given ones', async () => {
    const response = await submitResponse(app);
    const { body } = await response.patch({ data: { ate: 'no', comment: 'e\u0301' } });
    expect(body.data).toEqual({ ate: 'no', comment: '\u00e9' });
  });

  it.each([
    ['a removed required answer', { taste: null }, '/data/taste', 'REQUIRED'],
    ['all answers removed', null, '/data/ate', 'REQUIRED'],
    ['an unknown question', { unknown: 1 }, '/data/unknown', 'UNKNOWN_QUESTION'],
    ['an unknown option', { ate: 'maybe' }, '/data/ate', 'UNKNOWN_OPTION'],
    ['a wrong type', { comment: 7 }, '/data/comment', 'WRONG_TYPE'],
  ])('is rejected with %s, and changes nothing', async (_, data, path, code) => {
    const response = await submitResponse(app);
    const before = await response.read();
    const rejected = await response.patch({ data });
    expect(rejected).toMatchObject({ status: 422, body: { code: 'INVALID_ANSWERS', errors: [{ path, code }] } });
    const after = await response.read();
    expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
  });

  it.each([
    ['data that is not an object', { data: [] }],
    ['a member that cannot change', { status: 'completed' }],
    ['an unknown member', { answers: {} }],
  ])('is malformed with %s', async (_, change) => {
    const response = await submitResponse(app);
    expect(await response.patch(change)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  });

  it('is rejected if the metadata is too large', async () => {
    const response = await submitResponse(app, { body: { metadata: { a: 'x'.repeat(8_000) } } });
    const rejected = await response.patch({ metadata: { b: 'x'.repeat(9_000) } });
    expect(rejected).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: '/metadata', code: 'TOO_LARGE' }] },
    });
  });

  it('is validated by the version that the response answers', async () => {
    const response = await submitResponse(app);
    const definition = { ...testDefinition, pages: [{ questions: [{ id: 'new', type: 'text', title: 'New' }] }] };
    app.survey.set(response.surveyId, { version: 2, definition });
    await poll(async () => (await app.call('GET', `/v1/public/surveys/${response.surveyId}`)).body.version === 2);
    expect((await response.patch({ data: { taste: 2 } })).body).toMatchObject({
      survey_version: 1,
      data: { taste: 2 },
    });
    expect((await response.patch({ data: { new: 'x' } })).status).toBe(422);
  });

  it('works during an outage of the survey service, and in a closed survey', async () => {
    const response = await submitResponse(app);
    await app.withoutSurvey(async () => {
      expect((await response.patch({ data: { taste: 1 } })).status).toBe(200);
    });
    app.survey.set(response.surveyId, { status: 'closed' });
    expect((await response.patch({ data: { taste: 2 } })).status).toBe(200);
  });

  it('requires no answers while the response is in progress or abandoned', async () => {
    for (const status of ['in_progress', 'abandoned'] as const) {
      const response = await submitResponse(app, { fields: { status, completed_at: null } });
      const { body } = await response.patch({ data: { taste: null } });
      expect(body).toMatchObject({ status, data: { ate: 'yes', comment: 'between us' } });
      expect(body).not.toHaveProperty('completed_at');
      expect((await response.patch({ data: { ate: 'maybe' } })).status).toBe(422);
    }
  });

  it('disqualifies the response if a rule applies, and reverts that if none does', async () => {
    const response = await submitResponse(app);
    expect((await response.patch({ data: { comment: 'spam', taste: null } })).body.status).toBe('disqualified');
    expect((await response.patch({ data: { comment: 'ham' } })).status).toBe(422);
    expect((await response.patch({ data: { comment: 'ham', taste: 3 } })).body.status).toBe('completed');
  });

  it('without changes keeps the revision and the time, and publishes no event', async () => {
    const response = await submitResponse(app, { body: { metadata: { source: 'qr' } } });
    const before = await response.read();
    expect(before.headers.get('etag')).toBe('"1"');
    for (const change of [{}, { data: {} }, { data: { taste: 4, age: null } }, { metadata: { source: 'qr' } }]) {
      const { status, headers, body } = await response.patch(change);
      expect([status, headers.get('etag'), body]).toEqual([200, '"1"', before.body]);
    }
    await response.patch({ data: { taste: 1 } });
    expect((await response.events(2)).map(({ type }) => type)).toEqual(['response.submitted', 'response.updated']);
  });

  it('checks the revision in If-Match, and returns the new one', async () => {
    const response = await submitResponse(app);
    const { headers } = await response.patch({ data: { taste: 1 } }, { 'if-match': '"1"' });
    expect(headers.get('etag')).toBe('"2"');
    expect(await response.patch({ data: { taste: 2 } }, { 'if-match': '"1"' })).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED' },
    });
    expect((await response.patch({ data: { taste: 2 } }, { 'if-match': '2' })).status).toBe(400);
    expect((await response.patch({ data: { taste: 2 } }, { 'if-match': '"9", "2"' })).status).toBe(200);
    expect((await response.read()).headers.get('etag')).toBe('"3"');
  });

  it('loses no concurrent correction', async () => {
    const response = await submitResponse(app);
    const changes = [{ taste: 1 }, { comment: 'new' }, { age: '7' }, { ate: 'yes' }];
    const patched = await Promise.all(changes.map((data) => response.patch({ data })));
    expect(patched.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body, headers } = await response.read();
    expect(body.data).toEqual({ ate: 'yes', taste: 1, comment: 'new', age: '7' });
    expect(headers.get('etag')).toBe('"4"');
  });

  it('is stored encrypted, and published without answers; the audit names the changed ones', async () => {
    const response = await submitResponse(app, { body: { metadata: { a: 1 } } });
    const secret = `secret-${randomUUID()}`;
    await response.patch({ data: { comment: secret, age: '42' }, metadata: { note: secret } });
    const raw = await app.responses.findOne({ _id: response.id }, { promoteBuffers: false });
    expect(Buffer.from(BSON.serialize(raw ?? {})).toString('latin1')).not.toContain(secret);
    const [, updated] = await response.events(2);
    const { id, tenantId, surveyId } = response;
    const { body } = await response.read();
    expect(updated?.type).toBe('response.updated');
    expect(updated?.data).toEqual({
      response_id: id,
      survey_id: surveyId,
      survey_version: 1,
      status: 'completed',
      completed_at: body.completed_at,
      occurred_at: body.updated_at,
      revision: 2,
    });
    const [audited] = await readAuditEvents(tenantId, 1);
    expect(audited).toEqual({
      action: 'response.updated',
      actor: 'user-1',
      resource_type: 'response',
      resource_id: id,
      request_id: expect.any(String),
      occurred_at: body.updated_at,
      revision: 2,
      changes: [
        { path: '/data/comment', after: '(changed)' },
        { path: '/data/age', after: '(changed)' },
        { path: '/metadata', after: '(changed)' },
      ],
    });
  });

  it('is found by the time of the change, and does not change the order of the list', async () => {
    const response = await submitResponse(app, {
      fields: { created_at: new Date('2024-05-01'), updated_at: new Date('2024-05-01') },
    });
    await response.patch({ data: { taste: 1 } });
    const path = `/v1/surveys/${response.surveyId}/responses`;
    const { tenantId } = response;
    const query = 'updated_since=2025-01-01T00:00:00Z&until=2024-06-01T00:00:00Z';
    expect((await app.call('GET', `${path}?${query}`, { tenantId })).body).toMatchObject([{ id: response.id }]);
  });

  it('does not find a response of another tenant, or of a deleted survey', async () => {
    const response = await submitResponse(app);
    const stranger = { tenantId: randomUUID(), body: { data: { taste: 1 } } };
    expect(await response.call('PATCH', stranger)).toMatchObject({ status: 404, body: { code: 'RESPONSE_NOT_FOUND' } });
    app.survey.set(response.surveyId, { status: 'deleted' });
    await poll(async () => (await response.patch({ data: { taste: 1 } })).body.code === 'RESPONSE_NOT_FOUND');
  });

  it('needs the permission to write', async () => {
    const response = await submitResponse(app);
    const rejected = await response.call('PATCH', { permissions: ['responses:read'], body: { data: { taste: 1 } } });
    expect(rejected).toMatchObject({ status: 403, body: { detail: "Permission 'responses:write' required" } });
  });
});
