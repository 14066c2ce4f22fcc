import { randomUUID } from 'node:crypto';
import { catalog } from '@survey/proto/catalog';
import { poll } from '@survey/runtime/testing/poll';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Api, createApi, createTenant, type TestTenant } from '../support/platform.ts';
import { collectionsWithText } from './scan-collections.ts';

/** Time until the gateway notices a deletion. */
/** The collections in which the id of the tenant remains. */
const kept = ['survey-identity.tenants'];

const services = Object.keys(catalog);
const anybody = createApi();
let client: MongoClient;
let databases: readonly Db[];
let tenant: TestTenant;
let byKey: Api;
let publicPaths: readonly string[];

beforeAll(async () => {
  client = await new MongoClient(inject('stack').mongodb_uri).connect();
  databases = services.map((service) => client.db(`survey-${service}`));
  tenant = await createTenant();
  await fill(tenant.api);
  await admin('token', 'revoke', '--tenant', tenant.tenantId, '--user', tenant.userId, '--token-id', randomUUID());
  // Counts are stored only for surveys with thousands of responses.
  const slices = client
    .db('survey-response')
    .collection<{ _id: string; tenant_id: string; confirmed_at: Date }>('count_slices');
  await slices.insertOne({ _id: 'slice', tenant_id: tenant.tenantId, confirmed_at: new Date() });
  // An incomplete upload. Complete ones are processed and deleted too fast.
  const pieces = client
    .db('survey-import')
    .collection<{ _id: string; tenant_id: string; expires_at: Date }>('staged_pieces');
  await pieces.insertOne({ _id: 'piece', tenant_id: tenant.tenantId, expires_at: new Date(Date.now() + 3_600_000) });
});
afterAll(() => client.close());

/** Creates records of every kind. */
async function fill(api: Api): Promise<void> {
  const make = async (path: string, body: unknown = {}) => {
    const made = await api('POST', path, { body, headers: { 'idempotency-key': path } });
    expect([path, made.status]).toEqual([path, expect.toSatisfy((status) => [200, 201, 202].includes(status))]);
    return made.body;
  };
  await make('/v1/users', { email: 'someone@example.org', role: 'viewer' });
  byKey = createApi((await make('/v1/api-keys', { name: 'nightly', permissions: ['surveys:read'] })).secret);
  const webhook = await make('/v1/webhooks', { url: 'http://127.0.0.1:9/', event_types: ['*'] });
  await make(`/v1/webhooks/${webhook.id}/replay`, {});
  const project = await make('/v1/projects', { name: 'Canteen' });
  const survey = await make('/v1/surveys', { ...lunchSurvey, project_id: project.id });
  await make(`/v1/surveys/${survey.id}/publish`);
  const link = await make(`/v1/surveys/${survey.id}/links`, { password: 'open sesame', max_responses: 5 });
  expect((await api('PATCH', `/v1/links/${link.id}`, { body: { slug: `s-${randomUUID()}` } })).status).toBe(200);
  await make(`/v1/surveys/${survey.id}/responses`, { data: lunchAnswers });
  await make(`/v1/surveys/${survey.id}/responses/deletions`, { all: true, dry_run: true });
  await purge(api, (await make(`/v1/surveys/${survey.id}/duplicate`)).id);
  const imported = { title: 'Imported', questions: [{ id: 'q', type: 'text', title: 'Name?' }] };
  const data = { survey: imported, responses: [{ id: 'rejected', answers: [{ question_id: 'none', value: 1 }] }] };
  await make('/v1/surveys/import', { source: 'custom', format: 'json', data });
  const pages = [{ questions: [{ id: 'cv', type: 'file_upload', title: 'Your CV' }] }];
  const application = { title: 'Application', supported_languages: ['en'], pages };
  const definition = { schema_version: '1.0', version: 1, survey: application };
  const { body: asking } = await api('POST', '/v1/surveys', { body: definition });
  await make(`/v1/surveys/${asking.id}/publish`);
  const files = `${inject('stack').gateway}/v1/public/surveys/${asking.id}/files?question_id=cv`;
  const uploaded = await fetch(files, {
    method: 'POST',
    body: 'about me',
    headers: { 'idempotency-key': randomUUID() },
  });
  expect(uploaded.status).toBe(201);
  publicPaths = [`/v1/public/surveys/${survey.id}`, `/v1/public/links/${link.slug}`];
  for (const path of publicPaths) {
    const shown = await anybody('GET', path, { headers: { 'link-password': 'open sesame' } });
    expect([path, shown.status]).toEqual([path, 200]);
  }
  const answer = { body: { data: lunchAnswers }, headers: { 'link-password': 'open sesame' } };
  expect((await anybody('POST', `/v1/public/links/${link.slug}/responses`, answer)).status).toBe(201);
  await poll(async () => (await api('GET', `/v1/webhooks/${webhook.id}/deliveries`)).body.length > 0);
  await poll(async () => (await api('GET', '/v1/audit-events')).body.length > 0);
}

/** Deletes a survey as if it was long ago, and waits until it is purged. */
async function purge(api: Api, surveyId: string): Promise<void> {
  expect((await api('DELETE', `/v1/surveys/${surveyId}`)).status).toBe(204);
  const [surveys, purged] = ['surveys', 'purged_surveys'].map((name) =>
    client.db('survey-survey').collection<{ _id: string }>(name),
  );
  await surveys?.updateOne({ _id: surveyId }, { $set: { deleted_at: new Date(0) } });
  await poll(async () => (await purged?.findOne({ _id: surveyId })) ?? undefined);
}

/** The collections with documents of a tenant, or of any tenant. */
async function collectionsWith(tenantId: string | { readonly $exists: true }): Promise<readonly string[]> {
  const found: string[] = [];
  for (const db of databases) {
    for (const { collectionName } of await db.collections()) {
      const document = await db.collection(collectionName).findOne({ tenant_id: tenantId });
      if (document !== null) found.push(`${db.databaseName}.${collectionName}`);
    }
  }
  return found.sort();
}

describe('a tenant', () => {
  it('has documents in every tenant collection, found by an index', async () => {
    const filled = await collectionsWith(tenant.tenantId);
    expect(filled).toEqual(await collectionsWith({ $exists: true }));
    for (const name of filled) {
      const [database = '', collection = ''] = name.split('.');
      const query = client.db(database).collection(collection).find({ tenant_id: tenant.tenantId });
      const plan = JSON.stringify((await query.explain('queryPlanner'))['queryPlanner'].winningPlan);
      if (!kept.includes(name)) expect([name, plan]).toEqual([name, expect.not.stringContaining('COLLSCAN')]);
    }
  });

  it('that is deleted is rejected immediately, and gone from every service soon after', async () => {
    const { tenantId } = tenant;
    const deleted = await admin('tenant', 'delete', '--tenant', tenantId, '--confirm', tenantId);
    expect(deleted).toMatchObject({ tenant: { id: tenantId, status: 'deleting' }, erased_by: [] });
    for (const rejected of [tenant.api, byKey]) {
      const reply = await poll(async () => {
        const got = await rejected('GET', '/v1/surveys');
        return got.status === 401 && got;
      });
      expect(reply.body.detail).toBe('Invalid token');
    }

    const show = () => admin('tenant', 'show', '--tenant', tenantId);
    await poll(async () => (await show()).tenant.status === 'deleted');
    expect(await show()).toMatchObject({ tenant: { id: tenantId, name: '' }, erased_by: services.toSorted() });
    expect(await collectionsWith(tenantId)).toEqual(kept);
    expect(await collectionsWithText(client, tenantId)).toEqual(['tenant_states', 'tenants']);
    for (const path of publicPaths) expect([path, (await anybody('GET', path)).status]).toEqual([path, 404]);
  });
});
