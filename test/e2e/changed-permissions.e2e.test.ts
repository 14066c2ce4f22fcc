import { poll } from '@survey/runtime/testing/poll';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant, type TestTenant } from '../support/platform.ts';

/** What the platform promises: a change is felt within this time. */
const FELT = { timeoutMs: 5_000 };

// There is no operation yet that changes a user or a tenant: the operator of these tests goes to the records.
let client: MongoClient;
let identity: Db;
let tenant: TestTenant;

beforeAll(async () => {
  client = await new MongoClient(inject('stack').mongodb_uri).connect();
  identity = client.db('survey-identity');
});

afterAll(() => client.close());

beforeEach(async () => {
  tenant = await createTenant();
});

const createSurvey = () => tenant.api('POST', '/v1/surveys', { body: lunchSurvey });
const listSurveys = () => tenant.api('GET', '/v1/surveys');

/** The first answer with this status; the calls before it keep what the gateway remembers as fresh as it gets. */
const untilAnswered = (call: typeof createSurvey, status: number) =>
  poll(async () => {
    const answer = await call();
    return answer.status === status && answer;
  }, FELT);

async function change(change: { readonly role?: string; readonly permissions?: readonly string[] }): Promise<void> {
  const user = { tenant_id: tenant.tenantId, user_id: tenant.userId };
  const { modifiedCount } = await identity.collection('users').updateOne(user, { $set: change });
  expect(modifiedCount).toBe(1);
}

describe('a change of permissions is felt at the gateway within five seconds', () => {
  it('when a role is taken, given back, or a single permission is added', async () => {
    expect((await createSurvey()).status).toBe(201);
    await change({ role: 'viewer' });
    const refused = await untilAnswered(createSurvey, 403);
    expect(refused.body.detail).toBe("Permission 'surveys:write' required");
    expect((await listSurveys()).status).toBe(200);
    await change({ role: 'editor' });
    await untilAnswered(createSurvey, 201);
    await change({ role: 'viewer' });
    await untilAnswered(createSurvey, 403);
    await change({ permissions: ['surveys:write'] });
    await untilAnswered(createSurvey, 201);
  });

  it('when a user is removed', async () => {
    expect((await listSurveys()).status).toBe(200);
    await identity.collection('users').deleteOne({ tenant_id: tenant.tenantId, user_id: tenant.userId });
    const refused = await untilAnswered(listSurveys, 401);
    expect(refused.body.detail).toBe('Invalid token');
  });

  it('when a tenant is suspended and comes back', async () => {
    expect((await listSurveys()).status).toBe(200);
    const suspend = (status: string) =>
      identity.collection<{ _id: string }>('tenants').updateOne({ _id: tenant.tenantId }, { $set: { status } });
    expect((await suspend('suspended')).modifiedCount).toBe(1);
    await untilAnswered(listSurveys, 401);
    await suspend('active');
    await untilAnswered(listSurveys, 200);
  });
});
