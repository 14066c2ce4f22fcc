import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { InvitationService } from '@survey/proto/survey/responses/v1/invitation_service_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { DecryptionError } from '@survey/runtime/crypto/aes-gcm';
import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { createEnvelope } from '@survey/runtime/crypto/envelope';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { makeEvent, toMessage } from '@survey/runtime/kafka/outbox-event';
import { createPublisher } from '@survey/runtime/kafka/publisher';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import type { TenantStatus } from '@survey/runtime/tenants/tenant-state';
import { fixedSecret } from '@survey/runtime/testing/fixed-secret';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { createTestKeyring } from '@survey/runtime/testing/test-keyring';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromDocument } from './responses/response-document-store.ts';
import { createResponseSealer } from './responses/response-sealer.ts';
import { addFileSurvey, fileAnswer } from './testing/file-survey.ts';
import { startResponseApp, type TestApp } from './testing/response-app.ts';

const kafka = createTestKafka();
const publisher = createPublisher(kafka);
const keyring = createTestKeyring();
let app: TestApp;

beforeAll(async () => {
  app = await startResponseApp({ encryptionKeyring: fixedSecret(keyring) });
});
afterAll(async () => {
  await app.close();
  await publisher.close();
});

const answers = { status: 'completed', data: { ate: 'no' } };
const show = (surveyId: string) => app.call('GET', `/v1/public/surveys/${surveyId}`);
const submit = (surveyId: string, headers?: Record<string, string>) => app.submit(surveyId, answers, headers);

/** Publishes the status like the identity service. */
async function publishStatus(tenantId: string, status: TenantStatus, revision: number): Promise<void> {
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

const until = (call: () => ReturnType<typeof show>, status: number) =>
  poll(async () => {
    const reply = await call();
    return reply.status === status && reply;
  });

describe('the surveys of a suspended tenant', () => {
  it('are closed to respondents until the tenant is active again', async () => {
    const { surveyId, tenantId } = app.survey.add();
    expect((await submit(surveyId)).status).toBe(201);
    await publishStatus(tenantId, 'suspended', 2);
    expect(await until(() => show(surveyId), 409)).toMatchObject({ body: { code: 'SURVEY_CLOSED' } });
    const rejected = await submit(surveyId);
    expect(rejected).toMatchObject({ status: 409, body: { code: 'SURVEY_CLOSED' } });
    expect(rejected.headers.get('x-survey-tenant')).toBe(tenantId);
    const onBehalf = await app.call('POST', `/v1/surveys/${surveyId}/responses`, { tenantId, body: answers });
    expect(onBehalf).toMatchObject({ status: 409, body: { code: 'SURVEY_CLOSED' } });
    await publishStatus(tenantId, 'active', 3);
    await until(() => show(surveyId), 200);
    expect((await submit(surveyId)).status).toBe(201);
  });

  it('still return the replies to earlier requests', async () => {
    const { surveyId, tenantId } = app.survey.add();
    const key = { 'idempotency-key': randomUUID() };
    const { body } = await submit(surveyId, key);
    await publishStatus(tenantId, 'suspended', 2);
    await until(() => submit(surveyId), 409);
    expect(await submit(surveyId, key)).toMatchObject({ status: 201, body });
  });

  it('are closed only for this tenant, and drafts stay hidden', async () => {
    const suspended = app.survey.add();
    const draft = app.survey.add({ tenantId: suspended.tenantId, status: 'draft' });
    const other = app.survey.add();
    await publishStatus(suspended.tenantId, 'suspended', 2);
    await until(() => show(suspended.surveyId), 409);
    expect([(await show(other.surveyId)).status, (await show(draft.surveyId)).status]).toEqual([200, 404]);
  });
});

/** Waits until the data and the keys of a deleted tenant are destroyed. */
const untilErased = (tenantId: string) =>
  poll(async () => {
    const states = app.db.collection<{ _id: string; erase_at?: Date }>('tenant_states');
    const state = await states.findOne({ _id: tenantId });
    return state !== null && state.erase_at === undefined;
  });

describe('a deleted tenant', () => {
  it('has no surveys, although the survey service still has them, and no data is left', async () => {
    const survey = addFileSurvey(app, {}, { settings: { responseLimit: 9 } });
    const { surveyId, tenantId } = survey;
    const { slug, linkId } = app.survey.addLink(survey);
    const connection = await app.keys.connectAs('survey', 'response', `127.0.0.1:${app.ports().grpcPort}`);
    const invitations = [{ id: randomUUID(), metadata: '{"contact":"c-1"}' }];
    const request = { surveyId, linkId, invitations };
    await connection.client(InvitationService).storeInvitations(request, callOptionsFor({ claims: { tenantId } }));
    connection.close();
    const other = app.survey.add();
    const visit = () => app.call('GET', `/v1/public/links/${slug}`);
    expect((await visit()).status).toBe(200);
    expect((await survey.submit({ cv: fileAnswer(await survey.store()) })).status).toBe(201);
    expect((await submit(other.surveyId)).status).toBe(201);
    const planned = { body: { all: true, dry_run: true }, permissions: ['responses:read', 'responses:delete'] };
    const deletions = `/v1/surveys/${surveyId}/responses/deletions`;
    expect((await app.call('POST', deletions, { tenantId, ...planned })).status).toBe(200);
    const left = (collection: string, owner = tenantId) =>
      app.db.collection(collection).countDocuments({ tenant_id: owner });
    /** Names of the collections with documents of a tenant, or of any tenant. */
    const collectionsWith = async (owner: string | { readonly $exists: true } = tenantId) => {
      const names = (await app.db.collections()).map(({ collectionName }) => collectionName);
      const found = await Promise.all(names.map((name) => app.db.collection(name).findOne({ tenant_id: owner })));
      return names.filter((_, index) => found[index] !== null).sort();
    };
    expect(await collectionsWith()).toEqual(await collectionsWith({ $exists: true }));
    expect(await collectionsWith()).toEqual(
      expect.arrayContaining(['deletion_plans', 'files', 'invitations', 'ledgers', 'write_windows']),
    );

    await publishStatus(tenantId, 'deleted', 2);
    await until(() => show(surveyId), 404);
    expect((await submit(surveyId)).status).toBe(404);
    const list = () => app.call('GET', `/v1/surveys/${surveyId}/responses`, { tenantId });
    expect((await list()).status).toBe(404);
    await untilErased(tenantId);
    expect([(await show(surveyId)).status, (await visit()).status]).toEqual([404, 404]);
    expect(await collectionsWith()).toEqual([]);
    expect(await left('responses', other.tenantId)).toBe(1);
    expect((await submit(other.surveyId)).status).toBe(201);
  });

  it('leaves no readable data in a copy of its responses, such as a backup', async () => {
    const { surveyId, tenantId } = app.survey.add();
    expect((await submit(surveyId)).status).toBe(201);
    const copy = await app.responses.findOne({ survey_id: surveyId });
    if (copy === null) throw new Error('nothing was stored');
    const dataKeys = app.db.collection<DataKeyDocument>('data_keys');
    const copiedKeys = await dataKeys.find({ tenant_id: toTenantId(tenantId) }).toArray();
    /** Reads like a process with empty caches. */
    const read = () => {
      const envelope = createEnvelope({ collection: dataKeys, keyring: async () => keyring, clock: () => new Date() });
      return createResponseSealer(envelope).open(fromDocument(copy));
    };
    expect((await read()).data).toEqual(answers.data);

    await publishStatus(tenantId, 'deleted', 2);
    await untilErased(tenantId);
    await expect(read()).rejects.toThrow(DecryptionError);
    // With a backup of the data keys and the keyring, the data is readable.
    await dataKeys.deleteMany({ tenant_id: toTenantId(tenantId) });
    await dataKeys.insertMany(copiedKeys);
    expect((await read()).data).toEqual(answers.data);
  });

  it('is reported as erased', async () => {
    const { tenantId } = app.survey.add();
    await publishStatus(tenantId, 'deleted', 2);
    // Other services of this test run also report the tenant.
    const [report] = await kafka.readTopic(topics.audit, 1, (message) => {
      const { tenantId: reported, data } = readEvent(message);
      return reported === tenantId && data['service'] === 'response';
    });
    expect(report && readEvent(report)).toMatchObject({ type: 'tenant.erased' });
  });
});
