import { randomUUID } from 'node:crypto';
import { PermissionService } from '@survey/proto/survey/identity/v1/permission_service_pb';
import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { connectService, type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import { createTestConfig } from '@survey/runtime/testing/test-config';
import { createTestKeys, type TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdentityApp } from './app.ts';
import { permissionsOf } from './users/roles.ts';

let keys: TestKeys;
let config: ReturnType<typeof createTestConfig>;
let app: Awaited<ReturnType<typeof createIdentityApp>>;
let ports: Awaited<ReturnType<typeof app.start>>;
let operator: ServiceConnection;
let gateway: ServiceConnection;

beforeAll(async () => {
  keys = await createTestKeys();
  config = createTestConfig('identity', keys);
  app = await createIdentityApp(config, testLog);
  ports = await app.start();
  const connect = async (caller: string) =>
    connectService({ name: 'identity', address: `127.0.0.1:${ports.grpcPort}`, minter: await keys.minterOf(caller) });
  operator = await connect('operator');
  gateway = await connect('gateway');
});

afterAll(async () => {
  operator.close();
  gateway.close();
  await app.stop();
  await keys.close();
  const client = new MongoClient(config.mongodbUri);
  await client.db(config.mongodbDatabase).dropDatabase();
  await client.close();
});

const admin = () => operator.client(TenantAdminService);
const createTenant = () => admin().createTenant({ name: 'Café', ownerEmail: 'owner@example.org' });
const grants = (tenantId: string, subject: string) =>
  gateway.client(PermissionService).getPermissions({}, withOnBehalf({ subject: { tenantId, subject } }));

async function get(path: string, tenantId: string, subject: string, permissions: string[] = []) {
  const token = await (await keys.minterOf('gateway')).mint('identity', { tenantId, subject, permissions });
  const response = await fetch(`http://127.0.0.1:${ports.httpPort}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  // The API answers JSON.
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('identity service', () => {
  it('makes a tenant whose owner may do everything', async () => {
    const { tenantId, userId } = await createTenant();
    const { role, permissions } = await grants(tenantId, userId);
    expect([role, permissions]).toEqual(['owner', permissionsOf('owner')]);
    expect(await get('/v1/me', tenantId, userId)).toEqual({
      status: 200,
      body: { tenant_id: tenantId, user_id: userId, role: 'owner', permissions: permissionsOf('owner') },
    });
    const tenant = await get('/v1/tenant', tenantId, userId, ['tenant:read']);
    expect(tenant.body).toMatchObject({ id: tenantId, name: 'Café', status: 'active' });
  });

  it('adds users with a role and permissions of their own', async () => {
    const { tenantId } = await createTenant();
    const { userId } = await admin().addUser({
      tenantId,
      email: 'v@example.org',
      role: 'viewer',
      permissions: ['surveys:write'],
    });
    const { permissions, version } = await grants(tenantId, userId);
    expect(permissions).toEqual([...permissionsOf('viewer'), 'surveys:write'].sort());
    const other = await admin().addUser({ tenantId, email: 'w@example.org', role: 'viewer' });
    expect((await grants(tenantId, other.userId)).version).not.toBe(version);
  });

  it('has one user for an e-mail address, however it is written and however many ask at once', async () => {
    const { tenantId } = await createTenant();
    const emails = ['New@example.org', 'new@example.org', 'NEW@EXAMPLE.ORG', 'new@Example.org'];
    const outcomes = await Promise.allSettled(
      emails.map((email) => admin().addUser({ tenantId, email, role: 'viewer' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'ALREADY_EXISTS' });
    }
  });

  it('refuses users with bad members, and of tenants that there are not', async () => {
    const { tenantId } = await createTenant();
    const user = { tenantId, email: 'a@example.org', role: 'viewer', permissions: [] as string[] };
    const codes = async (change: Partial<typeof user>) => {
      const error = await admin()
        .addUser({ ...user, ...change })
        .catch((thrown) => thrown);
      return [error.reason, error.errors.map(({ path }: { path: string }) => path)];
    };
    expect(await codes({ email: 'x', role: 'king' })).toEqual(['VALIDATION_FAILED', ['/email', '/role']]);
    expect(await codes({ permissions: ['surveys:read', 'surveys:fly'] })).toEqual([
      'VALIDATION_FAILED',
      ['/permissions/1'],
    ]);
    expect(await codes({ tenantId: randomUUID() })).toEqual(['TENANT_NOT_FOUND', []]);
  });

  it('knows nobody else', async () => {
    const [one, two] = [await createTenant(), await createTenant()];
    await expect(grants(one.tenantId, two.userId)).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
    await expect(grants(randomUUID(), one.userId)).rejects.toMatchObject({ reason: 'TENANT_NOT_FOUND' });
    expect((await get('/v1/me', one.tenantId, 'nobody')).status).toBe(404);
    expect((await get('/v1/tenant', one.tenantId, one.userId)).body).toMatchObject({
      status: 403,
      detail: "Permission 'tenant:read' required",
    });
  });

  it('takes no operation of operators over REST', async () => {
    const { tenantId, userId } = await createTenant();
    expect((await get('/survey.identity.v1.TenantAdminService/CreateTenant', tenantId, userId)).status).toBe(404);
  });
});
