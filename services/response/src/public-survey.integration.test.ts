import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from './testing/response-app.ts';
import { testDefinition } from './testing/test-definition.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const data = { ate: 'yes', taste: 4 };
/** Requires a question that `data` does not reply. */
const stricter: JsonObject = {
  ...testDefinition,
  pages: [{ questions: [{ id: 'where', type: 'text', title: 'Where?', required: true }] }],
  logic: [],
};

const show = (surveyId: string, headers = {}) => app.call('GET', `/v1/public/surveys/${surveyId}`, { headers });

describe('a version that a response names', () => {
  it('is used for validation, whatever the latest one is', async () => {
    const { surveyId, tenantId } = app.survey.add();
    app.survey.set(surveyId, { version: 2, definition: stricter });
    const submitted = await app.submit(surveyId, { data, survey_version: 1 });
    expect(submitted).toMatchObject({ status: 201, body: { survey_version: 1 } });
    const rejected = await app.submit(surveyId, { data, survey_version: 2 });
    expect(rejected).toMatchObject({ status: 422, body: { code: 'INVALID_ANSWERS' } });
    const latest = await app.submit(surveyId, { data: { where: 'here' } });
    expect(latest).toMatchObject({ status: 201, body: { survey_version: 2 } });
    const path = `/v1/surveys/${surveyId}/responses`;
    const onBehalf = await app.call('POST', path, { tenantId, body: { data, survey_version: 1 } });
    expect(onBehalf).toMatchObject({ status: 201, body: { survey_version: 1 } });
  });

  it.each([
    ['does not exist', 7],
    ['was never published', 2],
  ])('is rejected if it %s', async (_why, survey_version) => {
    const { surveyId } = app.survey.add({ status: 'closed' });
    app.survey.set(surveyId, { version: 2, definition: stricter });
    app.survey.set(surveyId, { version: 3, status: 'active' });
    const errors = [{ path: '/survey_version', code: 'UNKNOWN_VERSION' }];
    expect(await app.submit(surveyId, { data, survey_version })).toMatchObject({ status: 422, body: { errors } });
  });

  it('is known right after it was published', async () => {
    const { surveyId } = app.survey.add();
    expect((await app.submit(surveyId, { data })).status).toBe(201);
    app.survey.set(surveyId, { version: 2 });
    expect(await app.submit(surveyId, { data, survey_version: 2 })).toMatchObject({ body: { survey_version: 2 } });
  });

  it('is available during an outage and after a restart if it was used before, else not', async () => {
    const { surveyId } = app.survey.add();
    app.survey.set(surveyId, { version: 2 });
    app.survey.set(surveyId, { version: 3, definition: stricter });
    expect((await app.submit(surveyId, { data, survey_version: 1 })).status).toBe(201);
    await app.withoutSurvey(async () => {
      expect((await app.submit(surveyId, { data, survey_version: 1 })).status).toBe(201);
      await app.restart();
      expect((await app.submit(surveyId, { data, survey_version: 1 })).status).toBe(201);
      expect((await app.submit(surveyId, { data })).status).toBe(422);
      expect((await app.submit(surveyId, { data, survey_version: 2 })).status).toBe(503);
    });
    expect((await app.submit(surveyId, { data, survey_version: 2 })).status).toBe(201);
  });

  it('is transferred once, however often it is used', async () => {
    const { surveyId } = app.survey.add();
    const before = app.survey.definitionsSent();
    await show(surveyId);
    app.survey.set(surveyId, { settings: { languages: ['de'] } });
    await poll(async () => (await show(surveyId)).body.languages.length === 1);
    app.survey.set(surveyId, { status: 'closed' });
    await poll(async () => (await show(surveyId)).status === 409);
    expect(app.survey.definitionsSent() - before).toBe(1);
  });
});

describe('the settings', () => {
  it.each([
    ['opens_at', { opensAt: new Date(Date.now() + 60_000) }, 409, 'SURVEY_NOT_OPEN_YET'],
    ['closes_at', { closesAt: new Date(Date.now() - 1) }, 409, 'SURVEY_CLOSED'],
    ['access', { access: 'links_only' }, 403, 'LINKS_ONLY'],
  ] as const)('of %s reject readers and responses', async (_name, settings, status, code) => {
    const { surveyId, tenantId } = app.survey.add({ settings });
    const rejected = await show(surveyId);
    expect(rejected).toMatchObject({ status, body: { code } });
    expect(rejected.headers.get('x-survey-tenant')).toBe(tenantId);
    expect(await app.submit(surveyId, { data })).toMatchObject({ status, body: { code } });
  });

  it('of times apply to submissions on behalf of respondents, but links-only does not', async () => {
    const send = ({ surveyId, tenantId }: ReturnType<TestApp['survey']['add']>) =>
      app.call('POST', `/v1/surveys/${surveyId}/responses`, { tenantId, body: { data } });
    expect((await send(app.survey.add({ settings: { closesAt: new Date() } }))).body.code).toBe('SURVEY_CLOSED');
    expect((await send(app.survey.add({ settings: { access: 'links_only' } }))).status).toBe(201);
  });

  it('of times apply on time during an outage of the survey service', async () => {
    const times = { opensAt: new Date(Date.now() + 1_500), closesAt: new Date(Date.now() + 3_500) };
    const { surveyId } = app.survey.add({ settings: times });
    const before = await app.submit(surveyId, { data });
    expect(before.body.code).toBe('SURVEY_NOT_OPEN_YET');
    await app.withoutSurvey(async () => {
      const taken = await poll(async () => {
        const reply = await app.submit(surveyId, { data });
        return reply.status === 201 && reply;
      });
      expect(Date.parse(taken.body.created_at)).toBeGreaterThanOrEqual(times.opensAt.getTime());
      let last = taken;
      await poll(async () => {
        const reply = await app.submit(surveyId, { data });
        if (reply.status === 201) last = reply;
        return reply.body.code === 'SURVEY_CLOSED';
      });
      expect(Date.parse(last.body.created_at)).toBeLessThan(times.closesAt.getTime());
      expect((await show(surveyId)).body.code).toBe('SURVEY_CLOSED');
    });
  });

  it('apply within two seconds of a change', async () => {
    const { surveyId } = app.survey.add();
    expect((await app.submit(surveyId, { data })).status).toBe(201);
    app.survey.set(surveyId, { settings: { access: 'links_only' } });
    await poll(async () => (await app.submit(surveyId, { data })).status === 403);
    app.survey.set(surveyId, { settings: {} });
    expect((await app.submit(surveyId, { data })).status).toBe(201);
  });

  it('do not affect stored responses: a repeat gets its first reply', async () => {
    const { surveyId } = app.survey.add();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await app.submit(surveyId, { data }, headers);
    app.survey.set(surveyId, { settings: { access: 'links_only' } });
    await poll(async () => (await app.submit(surveyId, { data })).status === 403);
    expect((await app.submit(surveyId, { data }, headers)).body).toEqual(first.body);
  });
});

describe('a public survey', () => {
  it('is not sent again to a client that has it, until it changes', async () => {
    const { surveyId } = app.survey.add();
    const { headers } = await show(surveyId);
    const etag = headers.get('etag') ?? '';
    const again = await show(surveyId, { 'if-none-match': etag });
    expect([again.status, again.body]).toEqual([304, undefined]);
    expect([again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([etag, 'public, max-age=1']);
    expect((await show(surveyId, { 'if-none-match': '"other"' })).status).toBe(200);
    app.survey.set(surveyId, { version: 2 });
    const changed = await poll(async () => {
      const reply = await show(surveyId, { 'if-none-match': etag });
      return reply.status === 200 && reply;
    });
    expect(changed.headers.get('etag')).not.toBe(etag);
    app.survey.set(surveyId, { status: 'closed' });
    await poll(async () => (await show(surveyId, { 'if-none-match': etag })).status === 409);
  });

  it('lists the languages in which it is offered', async () => {
    const { surveyId } = app.survey.add({ settings: { languages: ['de'] } });
    expect((await show(surveyId)).body.languages).toEqual(['de']);
  });

  it('lists the fields of the metadata that it takes, and no others', async () => {
    const metadataFields = [
      { name: 'campaign', type: 'string', max_length: 9, from: ['link', 'url'] },
      { name: 'tier', type: 'string', from: ['token', 'api'] },
    ] as const;
    const { surveyId } = app.survey.add({ settings: { metadataFields } });
    const { body, headers } = await show(surveyId);
    expect(body.metadata_fields).toEqual([{ name: 'campaign', type: 'string' }]);
    app.survey.set(surveyId, { settings: {} });
    const changed = await poll(async () => {
      const reply = await show(surveyId, { 'if-none-match': headers.get('etag') ?? '' });
      return reply.status === 200 && reply;
    });
    expect(changed.body.metadata_fields).toEqual([]);
  });
});
