import { randomUUID } from 'node:crypto';
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { topics } from '@survey/proto/catalog';
import {
  type ImportedResponseSchema,
  ResponseImportService,
} from '@survey/proto/survey/responses/v1/response_import_service_pb';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { itStoresImportedResponses } from '@survey/runtime/testing/contracts/response-import-contract';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { readAuditEvents } from '@survey/runtime/testing/read-audit-events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newVoid } from '../responses/response-document-store.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
let connection: ServiceConnection;

beforeAll(async () => {
  app = await startResponseApp();
  const address = `127.0.0.1:${app.ports().grpcPort}`;
  connection = await app.keys.connectAs('import', 'response', address);
});
afterAll(async () => {
  connection.close();
  await app.close();
});

type Item = MessageInitShape<typeof ImportedResponseSchema>;

async function store(tenantId: string, surveyId: string, responses: Item[], begunAt = new Date()) {
  const client = connection.client(ResponseImportService);
  const { outcomes } = await client.storeImportedResponses(
    { surveyId, responses, importBegunAt: timestampFromDate(begunAt) },
    callOptionsFor({ claims: { tenantId } }),
  );
  return outcomes;
}

const item = ({ data = { ate: 'no' }, ...given }: Partial<Item> & { readonly data?: JsonObject } = {}) =>
  ({ id: randomUUID(), answers: JSON.stringify(data), ...given }) as Item;

/** Returns the ids of responses in the first events of a tenant. */
async function idsOfEvents(tenantId: string, count: number): Promise<readonly string[]> {
  const messages = await createTestKafka().readTopic(topics.response, count, (message) => {
    const event = readEvent(message);
    return event.tenantId === tenantId && event.type === 'response.submitted';
  });
  const events = messages.map(readEvent);
  for (const { time, data } of events) expect(data).toMatchObject({ occurred_at: time.toISOString(), revision: 1 });
  return events.map(({ data }) => String(data['response_id']));
}

describe('imported responses', () => {
  it.each(['in_progress', 'abandoned'])('can be %s, without a time of completion', async (status) => {
    const { surveyId, tenantId } = app.survey.add({ status: 'active' });
    const id = randomUUID();
    const completedAt = timestampFromDate(new Date('2020-01-01T10:05:00Z'));
    const [outcome] = await store(tenantId, surveyId, [item({ id, status, completedAt, data: {} })]);
    expect(outcome).toMatchObject({ outcome: 'imported' });
    const { body } = await app.call('GET', `/v1/responses/${id}`, { tenantId });
    expect(body).toMatchObject({ id, status, data: {} });
    expect(body).not.toHaveProperty('completed_at');
  });

  it('can lack required answers, also after a correction, but not lose more of them', async () => {
    const { surveyId, tenantId } = app.survey.add({ status: 'active' });
    const id = randomUUID();
    await store(tenantId, surveyId, [item({ id, allowsMissing: true, data: { ate: 'yes' } })]);
    const patch = (data: JsonObject | null) =>
      app.call('PATCH', `/v1/responses/${id}`, { tenantId, permissions: ['responses:write'], body: { data } });
    const { status, body } = await patch({ comment: 'corrected' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'completed', data: { ate: 'yes', comment: 'corrected' } });
    const errors = [{ path: '/data/ate', code: 'REQUIRED' }];
    expect(await patch({ ate: null })).toMatchObject({ status: 422, body: { code: 'INVALID_ANSWERS', errors } });
    expect((await patch({ taste: 3 })).status).toBe(200);
    expect((await patch({ taste: null })).status).toBe(422);
  });

  it.each(['draft', 'active', 'closed'] as const)(
    'are stored in a survey that is %s, with their times',
    async (status) => {
      const { surveyId, tenantId } = app.survey.add({ status });
      const id = randomUUID();
      const startedAt = timestampFromDate(new Date('2020-01-01T10:00:00Z'));
      const completedAt = timestampFromDate(new Date('2020-01-01T10:05:00Z'));
      const data = { ate: 'yes', taste: '4', age: '42' };
      expect(
        await store(tenantId, surveyId, [item({ id, externalId: 'R_1', startedAt, completedAt, data })]),
      ).toMatchObject([{ outcome: 'imported' }]);
      const { body } = await app.call('GET', `/v1/responses/${id}`, { tenantId });
      expect(body).toMatchObject({
        id,
        external_id: 'R_1',
        survey_version: 1,
        status: 'completed',
        data: { ate: 'yes', taste: 4, age: '42' },
        started_at: '2020-01-01T10:00:00.000Z',
        completed_at: '2020-01-01T10:05:00.000Z',
      });
      expect(Date.parse(body.created_at)).toBeGreaterThan(Date.parse('2024-01-01'));
      expect(body).not.toHaveProperty('metadata');
    },
  );

  it('are completed at the time of the import if the file has no time, and are counted', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const id = randomUUID();
    await store(tenantId, surveyId, [item({ id, data: { ate: 'no', comment: 'spam' } })]);
    const { body } = await app.call('GET', `/v1/responses/${id}`, { tenantId });
    expect(body).toMatchObject({ status: 'disqualified', completed_at: body.created_at });
    expect(body).not.toHaveProperty('started_at');
    const line = `survey_responses_total{tenant_id="${tenantId}",survey_id="${surveyId}",status="disqualified"} 1`;
    expect(await app.metrics()).toContain(line);
  });

  it('have outcomes in order and one event each, and can be sent again', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const responses = Array.from({ length: 350 }, () => item());
    responses[7] = item({ data: { ate: 'perhaps', unknown: 1 } });
    responses[120] = item({ data: {} });
    responses[300] = item({ id: String(responses[0]?.id) });
    const outcomes = await store(tenantId, surveyId, responses);
    expect(outcomes).toHaveLength(350);
    expect(outcomes.filter(({ outcome }) => outcome === 'imported')).toHaveLength(347);
    expect(outcomes[7]).toMatchObject({ outcome: 'failed', code: 'INVALID_ANSWERS' });
    expect(outcomes[7]?.detail).toMatch(/\/data\/unknown UNKNOWN_QUESTION: .*; \/data\/ate UNKNOWN_OPTION: /);
    expect(outcomes[120]).toMatchObject({ outcome: 'failed', code: 'INVALID_ANSWERS' });
    expect(outcomes[300]).toMatchObject({ outcome: 'skipped' });
    const again = await store(tenantId, surveyId, responses);
    expect(again.filter(({ outcome }) => outcome === 'skipped')).toHaveLength(348);
    const stored = await app.responses.distinct('_id', { survey_id: surveyId });
    expect(stored).toHaveLength(347);
    expect((await idsOfEvents(tenantId, 347)).toSorted()).toEqual(stored.toSorted());
  });

  it('are stored under a derived id if another tenant uses theirs, which becomes external_id', async () => {
    const [mine, theirs] = [app.survey.add(), app.survey.add()];
    const { id } = (await app.submit(theirs.surveyId, { data: { ate: 'no' } })).body;
    const responses = [item({ id, data: { ate: 'no', age: '7' } }), item({ id, externalId: 'R_1' })];
    expect(await store(mine.tenantId, mine.surveyId, responses)).toMatchObject([
      { outcome: 'imported', code: '', detail: '' },
      { outcome: 'skipped', code: '', detail: '' },
    ]);
    const { body } = await app.call('GET', `/v1/surveys/${mine.surveyId}/responses`, { tenantId: mine.tenantId });
    expect(body).toMatchObject([{ external_id: id, data: { ate: 'no', age: '7' } }]);
    expect(body[0].id).not.toBe(id);
    const before = await app.call('GET', `/v1/responses/${id}`, { tenantId: theirs.tenantId });
    expect(before.body).toMatchObject({ survey_id: theirs.surveyId, data: { ate: 'no' } });
  });

  it('keep the derived id when the original id becomes free', async () => {
    const [mine, theirs] = [app.survey.add(), app.survey.add()];
    const responses = [item(), item({ data: { ate: 'no' } })];
    await store(theirs.tenantId, theirs.surveyId, responses.slice(0, 1));
    await store(mine.tenantId, mine.surveyId, responses);
    const stored = await app.responses.distinct('_id', { survey_id: mine.surveyId });
    await app.responses.deleteMany({ survey_id: theirs.surveyId });
    const again = await store(mine.tenantId, mine.surveyId, responses);
    expect(again.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
    expect(await app.responses.distinct('_id', { survey_id: mine.surveyId })).toEqual(stored);
  });

  it('stay deleted if their import continues, and are stored again by a later import', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const responses = [item(), item()];
    const begunAt = new Date(Date.now() - 1_000);
    await store(tenantId, surveyId, responses, begunAt);
    const path = `/v1/responses/${responses[0]?.id}`;
    const permissions = ['responses:delete'];
    expect((await app.call('DELETE', path, { tenantId, permissions })).status).toBe(204);
    const resumed = await store(tenantId, surveyId, responses, begunAt);
    expect(resumed.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
    expect((await app.call('GET', path, { tenantId })).status).toBe(404);

    const later = await store(tenantId, surveyId, responses, new Date(Date.now() + 1_000));
    expect(later.map(({ outcome }) => outcome)).toEqual(['imported', 'skipped']);
    const found = await app.call('GET', path, { tenantId });
    expect(found.body).toMatchObject({ survey_id: surveyId, data: { ate: 'no' } });
    // Revisions continue, so the event of the second deletion gets another id.
    expect(found.headers.get('etag')).toBe('"3"');
    expect((await app.call('DELETE', path, { tenantId, permissions })).status).toBe(204);
    expect((await readAuditEvents(tenantId, 2)).map(({ revision }) => revision)).toEqual([2, 4]);
  });

  it('stay deleted if they were deleted after the start by a server whose clock was 60 s behind', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const responses = [item()];
    const begunAt = new Date(Date.now() - 1_000);
    await store(tenantId, surveyId, responses, begunAt);
    const path = `/v1/responses/${responses[0]?.id}`;
    expect((await app.call('DELETE', path, { tenantId, permissions: ['responses:delete'] })).status).toBe(204);
    const behind = { $set: { created_at: new Date(Date.now() - 60_000) } };
    await app.db.collection<{ _id: string }>('responses').updateOne({ _id: responses[0]?.id ?? '' }, behind);
    expect(await store(tenantId, surveyId, responses, begunAt)).toMatchObject([{ outcome: 'skipped' }]);
    expect((await app.call('GET', path, { tenantId })).status).toBe(404);
  });

  it('are stored under a derived id if a deleted response through a link has theirs', async () => {
    const survey = app.survey.add();
    const { surveyId, tenantId } = survey;
    const { slug } = app.survey.addLink(survey);
    const { id } = (await app.call('POST', `/v1/public/links/${slug}/responses`, { body: { data: { ate: 'no' } } }))
      .body;
    const begunAt = new Date(Date.now() - 1_000);
    await app.call('DELETE', `/v1/responses/${id}`, { tenantId, permissions: ['responses:delete'] });
    expect(await store(tenantId, surveyId, [item({ id })], begunAt)).toMatchObject([{ outcome: 'skipped' }]);
    const later = new Date(Date.now() + 1_000);
    for (const outcome of ['imported', 'skipped'])
      expect(await store(tenantId, surveyId, [item({ id })], later)).toMatchObject([{ outcome }]);
    const { body } = await app.call('GET', `/v1/surveys/${surveyId}/responses`, { tenantId });
    expect(body).toMatchObject([{ external_id: id, data: { ate: 'no' } }]);
    expect(body[0].id).not.toBe(id);
  });

  it.each<[string, (survey: ReturnType<TestApp['survey']['add']>) => unknown]>([
    ['survey is deleted', ({ surveyId }) => app.survey.set(surveyId, { isPurged: true })],
    [
      'tenant is deleted',
      ({ tenantId }) =>
        app.db.collection('tenant_states').insertOne({ _id: tenantId as never, status: 'deleted', revision: 1 }),
    ],
  ])('are no longer stored when their %s between two batches', async (_case, change) => {
    const survey = app.survey.add();
    const { surveyId, tenantId } = survey;
    expect(await store(tenantId, surveyId, [item()])).toMatchObject([{ outcome: 'imported' }]);
    await change(survey);
    // The process caches the earlier state for a second.
    await poll(async () => (await app.call('GET', `/v1/public/surveys/${surveyId}`)).status === 404);
    const late = item();
    await expect(store(tenantId, surveyId, [late])).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    expect(await app.responses.findOne({ _id: late.id ?? '' })).toBeNull();
  });

  it('do not replace a deleted response of another tenant', async () => {
    const [mine, theirs] = [app.survey.add(), app.survey.add()];
    const { id } = (await app.submit(theirs.surveyId, { data: { ate: 'no' } })).body;
    const call = { tenantId: theirs.tenantId, permissions: ['responses:delete'] };
    await app.call('DELETE', `/v1/responses/${id}`, call);
    await store(mine.tenantId, mine.surveyId, [item({ id })], new Date(Date.now() + 1_000));
    const { body } = await app.call('GET', `/v1/surveys/${mine.surveyId}/responses`, { tenantId: mine.tenantId });
    expect(body).toMatchObject([{ external_id: id }]);
    expect(await app.responses.findOne({ _id: id })).toMatchObject({ status: 'deleted' });
  });

  it('are stored if an earlier attempt was fenced', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const one = item();
    await app.responses.insertOne(newVoid(one.id ?? '', new Date()));
    expect((await store(tenantId, surveyId, [one])).map(({ outcome }) => outcome)).toEqual(['imported']);
    expect((await app.call('GET', `/v1/responses/${one.id}`, { tenantId })).status).toBe(200);
  });

  it('take seats of a survey with a limit, but are never rejected by it', async () => {
    const { surveyId, tenantId } = app.survey.add({ settings: { responseLimit: 3 } });
    expect((await app.submit(surveyId, { data: { ate: 'no' } })).status).toBe(201);
    const outcomes = await store(tenantId, surveyId, [item(), item(), item()]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['imported', 'imported', 'imported']);
    const ledger = await app.ledgers.findOne({ _id: surveyId });
    expect([ledger?.used, ledger?.entries]).toEqual([4, []]);
    expect((await app.submit(surveyId, { data: { ate: 'no' } })).body.code).toBe('RESPONSE_LIMIT_REACHED');
  });

  it('publish an event when they reach the limit of a survey', async () => {
    const { surveyId, tenantId } = app.survey.add({ settings: { responseLimit: 3 } });
    await store(tenantId, surveyId, [item()]);
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    await store(
      tenantId,
      surveyId,
      ids.map((id) => item({ id })),
    );
    await store(tenantId, surveyId, [item()]);
    const messages = await createTestKafka().readTopic(
      topics.response,
      6,
      (message) => readEvent(message).tenantId === tenantId,
    );
    const reached = messages.map(readEvent).filter(({ type }) => type === 'survey.limit_reached');
    expect(reached.map(({ data }) => data)).toEqual([
      { survey_id: surveyId, response_id: ids[1], response_limit: 3, occurred_at: expect.any(String), revision: 1 },
    ]);
  });

  it('publish the event of their status', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const spam = item({ data: { ate: 'yes', taste: 4, comment: 'spam' } });
    await store(tenantId, surveyId, [spam]);
    const [message] = await createTestKafka().readTopic(topics.response, 1, ({ key }) => key?.toString() === spam.id);
    expect(message && readEvent(message)).toMatchObject({
      type: 'response.disqualified',
      data: { response_id: spam.id, status: 'disqualified', revision: 1 },
    });
  });

  it('keep their metadata, and their language as the survey spells it', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const id = randomUUID();
    const metadata = { device: 'phone', n: null };
    await store(tenantId, surveyId, [item({ id, language: 'EN', metadata })]);
    const { body } = await app.call('GET', `/v1/responses/${id}`, { tenantId });
    expect(body).toMatchObject({ language: 'en', metadata });
    const listed = await app.call('GET', `/v1/surveys/${surveyId}/responses?language=en`, { tenantId });
    expect(listed.body.map((one: { id: string }) => one.id)).toEqual([id]);
    const stored = await app.responses.findOne({ _id: id });
    expect(JSON.stringify(stored)).not.toContain('phone');
  });

  it('are rejected with an undeclared language or large metadata', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const metadata = { text: 'x'.repeat(16 * 1024) };
    const outcomes = await store(tenantId, surveyId, [item({ language: 'tlh' }), item({ metadata }), item()]);
    expect(outcomes.map(({ code, detail }) => [code, detail])).toEqual([
      ['UNDECLARED_LANGUAGE', '/language UNDECLARED_LANGUAGE: must be one of the languages of the survey: en, de'],
      ['TOO_LARGE', '/metadata TOO_LARGE: must not exceed 16384 bytes of JSON'],
      ['', ''],
    ]);
  });

  it('are rejected with a time that the API cannot represent', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const far = { $typeName: 'google.protobuf.Timestamp' as const, seconds: 400_000_000_000n, nanos: 0 };
    const beyond = { ...far, seconds: 2n ** 62n };
    const outcomes = await store(tenantId, surveyId, [item({ startedAt: far }), item({ completedAt: beyond }), item()]);
    expect(outcomes.map(({ code }) => code)).toEqual(['INVALID_TIME', 'INVALID_TIME', '']);
  });

  itStoresImportedResponses(() => ({ connection, addSurvey: app.survey.add }));
});
