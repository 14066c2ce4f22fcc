import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestIdentity, type TestIdentity } from './testing/test-identity.ts';
import { permissionsOf } from './users/roles.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.close());

const createTenant = () => identity.createTenant();
const grants: TestIdentity['grants'] = (tenantId, subject) => identity.grants(tenantId, subject);
const get = (path: string, tenantId: string, userId: string, permissions: readonly string[] = []) =>
  identity.call({ tenantId, userId, permissions }, 'GET', path);

describe('identity service', () => {
  it('creates a tenant with an owner who has all permissions', async () => {
    const { tenantId, userId } = await createTenant();
    const { role, permissions } = await grants(tenantId, userId);
    expect([role, permissions]).toEqual(['owner', permissionsOf('owner')]);
    expect(await get('/v1/me', tenantId, userId, ['surveys:write', 'surveys:read'])).toMatchObject({
      status: 200,
      body: { tenant_id: tenantId, user_id: userId, role: 'owner', permissions: ['surveys:read', 'surveys:write'] },
    });
    const tenant = await get('/v1/tenant', tenantId, userId, ['tenant:read']);
    expect(tenant.body).toMatchObject({ id: tenantId, name: 'Café', status: 'active' });
  });

  it('adds users with a role and permissions of their own', async () => {
    const { tenantId } = await createTenant();
    const { userId } = await identity.admin.addUser({
      tenantId,
      email: 'v@example.org',
      role: 'viewer',
      permissions: ['surveys:write'],
    });
    const { permissions, version } = await grants(tenantId, userId);
    expect(permissions).toEqual([...permissionsOf('viewer'), 'surveys:write'].sort());
    const other = await identity.admin.addUser({ tenantId, email: 'w@example.org', role: 'viewer' });
    expect((await grants(tenantId, other.userId)).version).not.toBe(version);
  });

  it('has one user per e-mail address, for any spelling and concurrent requests', async () => {
    const { tenantId } = await createTenant();
    const emails = ['New@example.org', 'new@example.org', 'NEW@EXAMPLE.ORG', 'new@Example.org'];
    const outcomes = await Promise.allSettled(
      emails.map((email) => identity.admin.addUser({ tenantId, email, role: 'viewer' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ALREADY_EXISTS' });
    }
  });

  it('rejects users with invalid members or of unknown tenants', async () => {
    const { tenantId } = await createTenant();
    const user = { tenantId, email: 'a@example.org', role: 'viewer', permissions: [] as string[] };
    const codes = async (change: Partial<typeof user>) => {
      const error = await identity.admin.addUser({ ...user, ...change }).catch((thrown) => thrown);
      return [error.code, error.errors.map(({ path }: { path: string }) => path)];
    };
    expect(await codes({ email: 'x', role: 'king' })).toEqual(['VALIDATION_FAILED', ['/email', '/role']]);
    expect(await codes({ permissions: ['surveys:read', 'surveys:fly'] })).toEqual([
      'VALIDATION_FAILED',
      ['/permissions/1'],
    ]);
    expect(await codes({ tenantId: randomUUID() })).toEqual(['TENANT_NOT_FOUND', []]);
  });

  it('does not find unknown users', async () => {
    const [one, two] = [await createTenant(), await createTenant()];
    await expect(grants(one.tenantId, two.userId)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await expect(grants(randomUUID(), one.userId)).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
    expect((await get('/v1/me', one.tenantId, 'nobody')).status).toBe(404);
    expect((await get('/v1/tenant', one.tenantId, one.userId)).body).toMatchObject({
      status: 403,
      detail: "Permission 'tenant:read' required",
    });
  });

  it('lets a tenant change only its name', async () => {
    const { tenantId, userId } = await createTenant();
    const patch = (body: unknown) => identity.call({ tenantId, userId }, 'PATCH', '/v1/tenant', body);
    const before = (await get('/v1/tenant', tenantId, userId, ['tenant:read'])).body;
    expect((await patch({})).body).toEqual(before);
    for (const [body, status, path] of [
      [{ name: '' }, 422, '/name'],
      [{ name: null }, 422, '/name'],
      [{ name: 'x'.repeat(201) }, 422, '/name'],
      [{ status: 'creating' }, 400, '/status'],
      [{ id: randomUUID() }, 400, '/id'],
    ] as const) {
      expect(await patch(body)).toMatchObject({ status, body: { errors: [{ path }] } });
    }
    const after = { ...before, name: 'Zoë & Co' };
    expect(await patch({ name: 'Zoë & Co' })).toMatchObject({ status: 200, body: after });
    expect((await get('/v1/tenant', tenantId, userId, ['tenant:read'])).body).toEqual(after);
  });

  it('takes no operation of operators over REST', async () => {
    const { tenantId, userId } = await createTenant();
    expect((await get('/survey.identity.v1.TenantAdminService/CreateTenant', tenantId, userId)).status).toBe(404);
  });
});
