import { randomUUID } from 'node:crypto';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { topics } from '@survey/proto/catalog';
import { ApiKeyCheckService } from '@survey/proto/survey/identity/v1/api_key_check_service_pb';
import { hashApiKeySecret } from '@survey/runtime/auth/api-key-secret';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { auditEvent } from '@survey/runtime/kafka/audit-event';
import { makeEvent, toMessage } from '@survey/runtime/kafka/outbox-event';
import { createPublisher } from '@survey/runtime/kafka/publisher';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestIdentity, type TestIdentity } from './testing/test-identity.ts';

const publisher = createPublisher(createTestKafka());
let identity: TestIdentity;
let owner: { readonly tenantId: string; readonly userId: string };

beforeAll(async () => {
  identity = await startTestIdentity();
});
beforeEach(async () => {
  owner = await identity.createTenant();
});
afterAll(async () => {
  await identity.close();
  await publisher.close();
});

const asOwner = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  identity.call(owner, method, path, body, headers);
const grants = () => identity.grants(owner.tenantId, owner.userId);
const show = async () => (await identity.admin.showTenant(owner)).state;
const auditedActions = async (): Promise<readonly string[]> =>
  (await asOwner('GET', '/v1/audit-events')).body.map(({ action }: { action: string }) => action);

/** All operations of operators on an existing tenant. */
const operations = (tenantId: string) => {
  const { showTenant, suspendTenant, resumeTenant, deleteTenant, setTenantLimits } = identity.admin;
  return [
    ...[showTenant, suspendTenant, resumeTenant, deleteTenant].map((operation) => () => operation({ tenantId })),
    () => setTenantLimits({ tenantId, limits: {} }),
  ];
};

describe('operators', () => {
  it('get an error for an unknown tenant or an invalid id', async () => {
    for (const call of operations(randomUUID()))
      await expect(call()).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
    for (const call of operations('x')) await expect(call()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('can list all tenants in pages, oldest first', async () => {
    const other = await identity.createTenant();
    const ids: string[] = [];
    let hasMore = true;
    while (hasMore) {
      const after = ids.at(-1);
      const page = await identity.admin.listTenants({ limit: 1, ...(after === undefined ? {} : { after }) });
      expect(page.states).toHaveLength(1);
      ids.push(...page.states.map(({ tenant }) => tenant?.id ?? ''));
      hasMore = page.hasMore;
    }
    expect(ids).toEqual(expect.arrayContaining([owner.tenantId, other.tenantId]));
    expect(ids.indexOf(owner.tenantId)).toBeLessThan(ids.indexOf(other.tenantId));
    await expect(identity.admin.listTenants({ limit: 501 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(identity.admin.listTenants({ after: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('can read the state of a tenant', async () => {
    expect(await show()).toMatchObject({
      tenant: { id: owner.tenantId, name: 'Café', status: 'active', limits: {} },
      erasedBy: [],
    });
  });
});

describe('a suspended tenant', () => {
  it('has no access by tokens or API keys until it is resumed', async () => {
    const { body: key } = await asOwner('POST', '/v1/api-keys', { name: 'nightly', permissions: ['surveys:read'] });
    const secretHash = hashApiKeySecret(key.secret);
    const checkKey = () => identity.gateway.client(ApiKeyCheckService).checkApiKey({ secretHash });
    expect((await identity.admin.suspendTenant(owner)).state?.tenant?.status).toBe('suspended');
    await expect(grants()).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
    await expect(checkKey()).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
    expect((await identity.admin.resumeTenant(owner)).state?.tenant?.status).toBe('active');
    expect((await grants()).role).toBe('owner');
    expect((await checkKey()).userId).toBe(owner.userId);
  });

  it('can be suspended and resumed repeatedly', async () => {
    await identity.admin.suspendTenant(owner);
    expect((await identity.admin.suspendTenant(owner)).state?.tenant?.status).toBe('suspended');
    await identity.admin.resumeTenant(owner);
    expect((await identity.admin.resumeTenant(owner)).state?.tenant?.status).toBe('active');
    const expected = ['tenant.resumed', 'tenant.suspended', 'tenant.created', 'user.created'];
    await poll(async () => (await auditedActions()).length === expected.length);
    expect((await auditedActions()).toSorted()).toEqual(expected.toSorted());
  });
});

describe('limits of a tenant', () => {
  it('replace existing limits, and are visible to its users', async () => {
    const { tenantId } = owner;
    const shown = async () => (await asOwner('GET', '/v1/tenant')).body.limits;
    expect(await shown()).toEqual({});
    await identity.admin.setTenantLimits({ tenantId, limits: { requestsPerMinute: 600, concurrentRequests: 5 } });
    expect(await shown()).toEqual({ requests_per_minute: 600, concurrent_requests: 5 });
    await identity.admin.setTenantLimits({ tenantId, limits: { concurrentRequests: 7 } });
    expect(await shown()).toEqual({ concurrent_requests: 7 });
    expect((await show())?.tenant?.limits).toMatchObject({ concurrentRequests: 7 });
  });

  it.each([
    ['no limits', undefined],
    ['none at all', { requestsPerMinute: 0 }],
    ['fewer than none', { concurrentRequests: -1 }],
  ])('are rejected with %s', async (_case, limits) => {
    const call = identity.admin.setTenantLimits({ tenantId: owner.tenantId, ...(limits && { limits }) });
    await expect(call).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('updating a tenant', () => {
  const rename = (name: string, ifMatch?: string) =>
    asOwner('PATCH', '/v1/tenant', { name }, ifMatch === undefined ? {} : { 'if-match': ifMatch });

  it('requires the revision of If-Match, and returns the next one', async () => {
    const etag = (await asOwner('GET', '/v1/tenant')).headers.get('etag') ?? '';
    const renamed = await rename('Bistro', etag);
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Bistro' } });
    expect(renamed.headers.get('etag')).not.toBe(etag);
    expect(await rename('Bar', etag)).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect((await rename('Bar', renamed.headers.get('etag') ?? '')).status).toBe(200);
    expect((await rename('Inn', 'nonsense')).status).toBe(400);
  });

  it('succeeds once for concurrent updates of the same revision', async () => {
    const etag = (await asOwner('GET', '/v1/tenant')).headers.get('etag') ?? '';
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => rename(`Name ${index}`, etag)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
  });

  it('is audited with the previous values', async () => {
    await rename('Bistro');
    const find = async () =>
      (await asOwner('GET', '/v1/audit-events?action=tenant.updated')).body.find(
        ({ actor }: { actor: string }) => actor === owner.userId,
      );
    expect(await poll(find)).toMatchObject({
      resource_type: 'tenant',
      resource_id: owner.tenantId,
      changes: [{ path: '/name', before: 'Café', after: 'Bistro' }],
    });
  });
});

describe('a deleted tenant', () => {
  const tenantsOwn = ['users', 'api_keys', 'revoked_tokens', 'audit_events', 'idempotency_keys', 'data_keys'];
  const countLeft = async () => {
    const { tenantId } = owner;
    const counts = tenantsOwn.map((name) => identity.db.collection(name).countDocuments({ tenant_id: tenantId }));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count);
  };

  /** Publishes the event of a service that has erased the tenant. */
  const publishErasure = (service: string) =>
    publisher.publish([
      toMessage(
        makeEvent({
          topic: topics.audit,
          recordId: `${owner.tenantId} ${service}`,
          revision: 2,
          type: 'tenant.erased',
          source: '/tenants',
          tenantId: toTenantId(owner.tenantId),
          time: new Date(),
          data: { service },
          traceparent: '',
        }),
      ),
    ]);

  it('has no access immediately, and cannot be restored', async () => {
    expect((await identity.admin.deleteTenant(owner)).state?.tenant?.status).toBe('deleting');
    await expect(grants()).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
    const { tenantId } = owner;
    const user = { tenantId, email: 'a@example.org', role: 'viewer' };
    await expect(identity.admin.addUser(user)).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
    const rejected = { code: 'STATE_CONFLICT', message: expect.stringMatching(/^The tenant is delet(ing|ed)$/) };
    await expect(identity.admin.resumeTenant(owner)).rejects.toMatchObject(rejected);
    await expect(identity.admin.suspendTenant(owner)).rejects.toMatchObject(rejected);
    await expect(identity.admin.setTenantLimits({ tenantId, limits: {} })).rejects.toMatchObject(rejected);
    expect((await identity.admin.deleteTenant(owner)).state?.tenant?.status).toBe('deleting');
    expect(await asOwner('PATCH', '/v1/tenant', { name: 'New' })).toMatchObject({ status: 404 });
  });

  it('is erased here, and only its id remains when all services have erased it', async () => {
    const stranger = await identity.createTenant();
    const key = { name: 'nightly', permissions: ['surveys:read'] };
    const created = await asOwner('POST', '/v1/api-keys', key, { 'idempotency-key': 'k' });
    expect(created.status).toBe(201);
    await poll(async () => (await auditedActions()).includes('api_key.created'));
    await identity.admin.revokeToken({ ...owner, tokenId: 'j1', expiresAt: timestampFromMs(Date.now() + 60_000) });
    await identity.admin.deleteTenant(owner);
    await poll(async () => (await show())?.erasedBy.includes('identity'));
    expect(await countLeft()).toBe(0);
    // Services of other test files may also erase the tenant.
    const erasedBy = expect.arrayContaining(['identity']);
    expect(await show()).toMatchObject({ tenant: { status: 'deleting', name: 'Café' }, erasedBy });

    for (const service of ['survey', 'response', 'webhook', 'import']) await publishErasure(service);
    await poll(async () => (await show())?.tenant?.status === 'deleted');
    const all = ['identity', 'import', 'response', 'survey', 'webhook'];
    expect(await show()).toMatchObject({ tenant: { id: owner.tenantId, name: '' }, erasedBy: all });
    expect((await identity.admin.deleteTenant(owner)).state?.tenant?.status).toBe('deleted');
    expect((await identity.grants(stranger.tenantId, stranger.userId)).role).toBe('owner');
  });

  it('has the actor and time of its deletion', async () => {
    expect(await show()).not.toHaveProperty('deletedBy');
    const { state } = await identity.admin.deleteTenant(owner);
    expect(state).toMatchObject({ deletedAt: expect.anything(), deletedBy: 'operator' });
    await poll(async () => (await show())?.erasedBy.includes('identity'));
    expect(await show()).toMatchObject({ deletedAt: state?.deletedAt, deletedBy: 'operator' });
  });

  it('is erased again when it is deleted again', async () => {
    await identity.admin.deleteTenant(owner);
    await poll(async () => (await show())?.erasedBy.includes('identity'));
    const left = { _id: randomUUID() as never, tenant_id: owner.tenantId };
    await identity.db.collection('api_keys').insertOne(left);
    await identity.admin.deleteTenant(owner);
    await poll(async () => (await countLeft()) === 0);
  });

  it('gets no data from late events', async () => {
    const stranger = await identity.createTenant();
    await identity.admin.deleteTenant(owner);
    await poll(async () => (await show())?.erasedBy.includes('identity'));
    // The events have the same key, so they arrive in order.
    await publisher.publish([surveyClosed(owner.tenantId), surveyClosed(stranger.tenantId)]);
    await poll(async () => (await identity.call(stranger, 'GET', '/v1/audit-events?action=survey.closed')).body[0]);
    expect(await countLeft()).toBe(0);
  });

  const surveyClosed = (tenantId: string) => {
    const event = auditEvent({
      context: { tenantId: toTenantId(tenantId), actor: 'survey', requestId: '', traceparent: '' },
      action: 'survey.closed',
      resourceType: 'survey',
      resourceId: randomUUID(),
      revision: 2,
      time: new Date(),
      before: {},
      after: {},
    });
    return { ...toMessage(event), key: 'late' };
  };
});
