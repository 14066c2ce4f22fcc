import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import { toMessage } from '@survey/runtime/kafka/outbox-event';
import { createPublisher } from '@survey/runtime/kafka/publisher';
import { readEvent } from '@survey/runtime/kafka/read-event';
import type { TenantStatus } from '@survey/runtime/tenants/tenant-state';
import { poll } from '@survey/runtime/testing/poll';
import { createTestKafka } from '@survey/runtime/testing/test-kafka';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResponseApp, type TestApp } from './testing/response-app.ts';

const kafka = createTestKafka();
const publisher = createPublisher(kafka);
let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(async () => {
  await app.close();
  await publisher.close();
});

const answers = { status: 'completed', data: { ate: 'no' } };
const show = (surveyId: string) => app.call('GET', `/v1/public/surveys/${surveyId}`);
const submit = (surveyId: string, headers?: Record<string, string>) => app.submit(surveyId, answers, headers);

/** Tells it as the identity service does. */
async function tell(tenantId: string, status: TenantStatus, revision: number): Promise<void> {
  const event = makeEvent({
    topic: topics.tenant,
    recordId: tenantId,
    revision,
    type: 'tenant.updated',
    source: '/tenants',
    tenantId: toTenantId(tenantId),
    time: new Date(),
    data: { status, revision },
    traceparent: '',
  });
  await publisher.publish([toMessage(event)]);
}

/** The first answer with this status. */
const until = (call: () => ReturnType<typeof show>, status: number) =>
  poll(async () => {
    const answer = await call();
    return answer.status === status && answer;
  });

describe('the surveys of a suspended tenant', () => {
  it('are closed to respondents, until it is resumed', async () => {
    const { surveyId, tenantId } = app.survey.add();
    expect((await submit(surveyId)).status).toBe(201);
    await tell(tenantId, 'suspended', 2);
    expect(await until(() => show(surveyId), 409)).toMatchObject({ body: { code: 'SURVEY_CLOSED' } });
    const refused = await submit(surveyId);
    expect(refused).toMatchObject({ status: 409, body: { code: 'SURVEY_CLOSED' } });
    expect(refused.headers.get('x-survey-tenant')).toBe(tenantId);
    const onBehalf = await app.call('POST', `/v1/surveys/${surveyId}/responses`, { tenantId, body: answers });
    expect(onBehalf).toMatchObject({ status: 409, body: { code: 'SURVEY_CLOSED' } });
    await tell(tenantId, 'active', 3);
    await until(() => show(surveyId), 200);
    expect((await submit(surveyId)).status).toBe(201);
  });

  it('go on to give back the answers that were taken before', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const key = { 'idempotency-key': randomUUID() };
    const { body } = await submit(surveyId, key);
    await tell(tenantId, 'suspended', 2);
    await until(() => submit(surveyId), 409);
    expect(await submit(surveyId, key)).toMatchObject({ status: 201, body });
  });

  it('are those of no other tenant, and a draft stays unknown', async () => {
    const suspended = app.survey.add();
    const draft = app.survey.add({ tenantId: suspended.tenantId, status: 'draft' });
    const other = app.survey.add();
    await tell(suspended.tenantId, 'suspended', 2);
    await until(() => show(suspended.surveyId), 409);
    expect([(await show(other.surveyId)).status, (await show(draft.surveyId)).status]).toEqual([200, 404]);
  });
});

describe('a deleted tenant', () => {
  it('has no surveys any more, though the survey service still has them, and nothing is left of it', async () => {
    const survey = app.survey.add();
    const { surveyId, tenantId } = survey;
    const { slug } = app.survey.addLink(survey);
    const other = app.survey.add();
    const visit = () => app.call('GET', `/v1/public/links/${slug}`);
    expect((await visit()).status).toBe(200);
    expect((await submit(surveyId)).status).toBe(201);
    expect((await submit(other.surveyId)).status).toBe(201);
    const left = (collection: string, owner = tenantId) =>
      app.db.collection(collection).countDocuments({ tenant_id: owner });
    const collections = ['responses', 'data_keys', 'definitions', 'links'];
    const allLeft = () => Promise.all(collections.map((collection) => left(collection)));
    expect(await allLeft()).toEqual([1, 1, 1, 1]);

    await tell(tenantId, 'deleted', 2);
    await until(() => show(surveyId), 404);
    expect((await submit(surveyId)).status).toBe(404);
    const list = () => app.call('GET', `/v1/surveys/${surveyId}/responses`, { tenantId });
    expect((await list()).status).toBe(404);
    await poll(async () => {
      const states = app.db.collection<{ _id: string; erase_at?: Date }>('tenant_states');
      const state = await states.findOne({ _id: tenantId });
      return state !== null && state.erase_at === undefined;
    });
    expect([(await show(surveyId)).status, (await visit()).status]).toEqual([404, 404]);
    expect(await allLeft()).toEqual([0, 0, 0, 0]);
    expect(await left('responses', other.tenantId)).toBe(1);
    expect((await submit(other.surveyId)).status).toBe(201);
  });

  it('is reported to be gone', async () => {
    const { tenantId } = app.survey.add();
    await tell(tenantId, 'deleted', 2);
    const [report] = await kafka.readTopic(topics.audit, 1, (message) => readEvent(message).tenantId === tenantId);
    expect(report && readEvent(report)).toMatchObject({ type: 'tenant.erased', data: { service: 'response' } });
  });
});
