import { timestampDate } from '@bufbuild/protobuf/wkt';
import { ApiKeyCheckService } from '@survey/proto/survey/identity/v1/api_key_check_service_pb';
import { hashApiKeySecret } from '@survey/runtime/auth/api-key-secret';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { permissionsOf } from '../users/roles.ts';

let identity: TestIdentity;
let owner: { readonly tenantId: string; readonly userId: string };

beforeAll(async () => {
  identity = await startTestIdentity();
});
beforeEach(async () => {
  owner = await identity.createTenant();
});
afterAll(() => identity.close());

const asOwner = (method: string, path: string, body?: unknown) => identity.call(owner, method, path, body);
const newKey = (change: object = {}) => ({ name: 'nightly', permissions: ['surveys:read'], ...change });
const check = (secret: string) =>
  identity.gateway.client(ApiKeyCheckService).checkApiKey({ secretHash: hashApiKeySecret(secret) });

async function createKey(change: object = {}, caller = owner) {
  const { status, body } = await identity.call(caller, 'POST', '/v1/api-keys', newKey(change));
  expect(status).toBe(201);
  return body;
}

/** Creates an admin, who can create keys. */
async function createAdmin() {
  const { body } = await asOwner('POST', '/v1/users', { id: 'admin', email: 'a@example.org', role: 'admin' });
  return { tenantId: owner.tenantId, userId: body.id, permissions: permissionsOf('admin') };
}

describe('API keys', () => {
  it('show the secret once, and store its hash', async () => {
    const expires_at = '2999-01-01T00:00:00.000Z';
    const given = newKey({ permissions: ['surveys:write', 'surveys:read', 'surveys:read'], expires_at });
    const { status, headers, body } = await asOwner('POST', '/v1/api-keys', given);
    const { secret, ...shown } = body;
    expect([status, headers.get('location')]).toEqual([201, `/v1/api-keys/${shown.id}`]);
    expect(shown).toEqual({
      id: expect.any(String),
      tenant_id: owner.tenantId,
      name: 'nightly',
      prefix: secret.slice(0, 12),
      permissions: ['surveys:read', 'surveys:write'],
      created_by: owner.userId,
      created_at: expect.any(String),
      expires_at,
    });
    expect((await asOwner('GET', '/v1/api-keys')).body).toEqual([shown]);
    const stored = await identity.db.collection('api_keys').findOne({ tenant_id: owner.tenantId });
    expect(stored).toMatchObject({ secret_hash: hashApiKeySecret(secret).toString('base64') });
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it.each([
    ['no name', { name: '' }, 422, '/name'],
    ['no permissions', { permissions: [] }, 422, '/permissions'],
    ['an unknown permission', { permissions: ['surveys:fly'] }, 422, '/permissions/0'],
    ['an end that is over', { expires_at: '2020-01-01T00:00:00Z' }, 422, '/expires_at'],
    ['an end that is no time', { expires_at: 'tomorrow' }, 400, '/expires_at'],
    ['a secret of their own', { secret: 'x' }, 400, '/secret'],
  ])('are rejected with %s', async (_case, wrong, status, path) => {
    expect(await asOwner('POST', '/v1/api-keys', newKey(wrong))).toMatchObject({
      status,
      body: { errors: [{ path }] },
    });
  });

  it('have no more permissions than their user', async () => {
    const body = newKey({ permissions: ['surveys:read', 'tenant:write'] });
    expect(await identity.call(await createAdmin(), 'POST', '/v1/api-keys', body)).toMatchObject({
      status: 403,
      body: { detail: "Permission 'tenant:write' required" },
    });
  });

  it('are listed newest first, with pagination', async () => {
    const made = [];
    for (const name of ['a', 'b', 'c']) made.unshift((await createKey({ name })).id);
    const first = await asOwner('GET', '/v1/api-keys?limit=2');
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const ids = [...first.body, ...(await asOwner('GET', next)).body].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(made);
  });

  it('of another tenant are not found', async () => {
    const { id } = await createKey();
    const stranger = await identity.createTenant();
    expect((await identity.call(stranger, 'DELETE', `/v1/api-keys/${id}`)).body.code).toBe('API_KEY_NOT_FOUND');
    expect((await identity.call(stranger, 'GET', '/v1/api-keys')).body).toEqual([]);
  });
});

describe('an API key with keys:write', () => {
  const permissions = ['keys:read', 'keys:write', 'surveys:read'];
  const soon = new Date(Date.now() + 3_600_000);
  const later = new Date(soon.getTime() + 1);

  async function createCaller(expiresAt?: Date) {
    const { id } = await createKey({ permissions, ...(expiresAt && { expires_at: expiresAt.toISOString() }) });
    return { ...owner, permissions, apiKeyId: id };
  }
  const create = (caller: object, change: object = {}, headers = {}) =>
    identity.call({ ...owner, ...caller }, 'POST', '/v1/api-keys', newKey(change), headers);
  const remove = (caller: object, { id }: { id: string }) =>
    identity.call({ ...owner, ...caller }, 'DELETE', `/v1/api-keys/${id}`);

  it('creates no key with more permissions, or that ends later', async () => {
    const caller = await createCaller(soon);
    const lacking = { status: 403, body: { code: 'PERMISSION_DENIED', detail: "Permission 'surveys:write' required" } };
    expect(await create(caller, { permissions: ['surveys:write'], expires_at: soon })).toMatchObject(lacking);
    const tooLate = { status: 422, body: { errors: [{ path: '/expires_at', code: 'ENDS_TOO_LATE' }] } };
    for (const change of [{}, { expires_at: later }]) expect(await create(caller, change)).toMatchObject(tooLate);
    expect((await create(caller, { expires_at: soon })).status).toBe(201);
    expect((await create(await createCaller())).status).toBe(201);
  });

  it('does not get the secret of a key that ends later by repeating its creation', async () => {
    const caller = await createCaller(soon);
    const headers = { 'idempotency-key': 'k' };
    expect((await create({ permissions }, {}, headers)).status).toBe(201);
    expect((await create(caller, {}, headers)).status).toBe(422);
  });

  it('creates no key after it was deleted', async () => {
    const caller = await createCaller();
    expect((await remove({}, { id: caller.apiKeyId })).status).toBe(204);
    expect((await create(caller)).status).toBe(401);
  });

  it('deletes only itself and keys without more permissions', async () => {
    const caller = await createCaller();
    const [weak, strong] = [await createKey(), await createKey({ permissions: ['surveys:write'] })];
    expect(await remove(caller, strong)).toMatchObject({ status: 403, body: { code: 'PERMISSION_DENIED' } });
    expect((await remove(caller, weak)).status).toBe(204);
    // The user of the key has lost a permission.
    const weakened = { ...caller, permissions: ['keys:write'] };
    expect((await remove(weakened, { id: caller.apiKeyId })).status).toBe(204);
  });

  it('is deleted by every user who may delete keys', async () => {
    expect(
      (await remove({ permissions: ['keys:write'] }, await createKey({ permissions: ['tenant:write'] }))).status,
    ).toBe(204);
  });

  it('is named to the gateway', async () => {
    const { id, secret } = await createKey();
    expect((await check(secret)).keyId).toBe(id);
  });
});

describe('a creation with an Idempotency-Key', () => {
  const create = (body: unknown) => identity.call(owner, 'POST', '/v1/api-keys', body, { 'idempotency-key': 'k' });

  it('creates one key, and returns its secret each time', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => create(newKey())));
    const replay = await create(newKey());
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    for (const { body, headers } of replies) {
      expect([body, headers.get('location')]).toEqual([replay.body, `/v1/api-keys/${replay.body.id}`]);
    }
    expect((await asOwner('GET', '/v1/api-keys')).body).toHaveLength(1);
    expect((await check(replay.body.secret)).permissions).toEqual(['surveys:read']);
    expect((await create(newKey({ name: 'other' }))).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('does not return the secret to a weaker key of the same user', async () => {
    await create(newKey());
    const weaker = { ...owner, permissions: ['keys:write'] };
    const replay = await identity.call(weaker, 'POST', '/v1/api-keys', newKey(), { 'idempotency-key': 'k' });
    expect(replay).toMatchObject({ status: 403, body: { code: 'PERMISSION_DENIED' } });
  });

  it('returns the secret of a key that has expired since', async () => {
    const expiresAt = new Date(Date.now() + 1_000);
    const body = newKey({ expires_at: expiresAt.toISOString() });
    const first = await create(body);
    const used = identity.db.collection('idempotency_keys');
    await used.updateOne({ tenant_id: owner.tenantId }, { $set: { answer: null } });
    await poll(() => Date.now() > expiresAt.getTime());
    expect((await create(body)).body).toEqual(first.body);
  });

  it('returns the secret of the stored key if the first reply was lost', async () => {
    const first = await create(newKey());
    const used = identity.db.collection('idempotency_keys');
    await used.updateOne({ tenant_id: owner.tenantId }, { $set: { answer: null } });
    expect((await create(newKey())).body).toEqual(first.body);
    expect((await check(first.body.secret)).userId).toBe(owner.userId);
  });
});

describe('a key with If-Match', () => {
  it('is deleted only with its current ETag', async () => {
    const { headers, body } = await asOwner('POST', '/v1/api-keys', newKey());
    const remove = (tag: string) =>
      identity.call(owner, 'DELETE', `/v1/api-keys/${body.id}`, undefined, { 'if-match': tag });
    expect((await remove('"9"')).status).toBe(412);
    expect((await remove(headers.get('etag') ?? '')).status).toBe(204);
    expect((await remove('*')).status).toBe(404);
  });
});

describe('checking a key', () => {
  it('returns its user, and records its use at most once a minute', async () => {
    const { secret, id } = await createKey();
    const lastUse = async () => (await asOwner('GET', '/v1/api-keys')).body[0].last_used_at;
    expect(await lastUse()).toBeUndefined();
    const { tenantId, userId } = owner;
    expect(await check(secret)).toMatchObject({ tenantId, userId, permissions: ['surveys:read'] });
    const first = await lastUse();
    expect(first).toEqual(expect.any(String));
    await check(secret);
    expect(await lastUse()).toBe(first);
    const longAgo = new Date(Date.now() - 61_000);
    const keys = identity.db.collection<{ _id: string }>('api_keys');
    await keys.updateOne({ _id: id }, { $set: { last_used_at: longAgo } });
    await check(secret);
    expect(Date.parse(await lastUse())).toBeGreaterThan(longAgo.getTime());
  });

  it('follows changes of permissions of its user', async () => {
    const admin = await createAdmin();
    const { secret } = await createKey({ permissions: ['surveys:read', 'users:write'] }, admin);
    const before = await check(secret);
    expect(before.permissions).toEqual(['surveys:read', 'users:write']);
    await asOwner('PATCH', '/v1/users/admin', { role: 'viewer' });
    const after = await check(secret);
    expect(after.permissions).toEqual(['surveys:read']);
    expect(after.version).not.toBe(before.version);
    await asOwner('PATCH', '/v1/users/admin', { role: 'admin' });
    expect((await check(secret)).permissions).toEqual(before.permissions);
  });

  it('fails when its user was removed, even if a user with the same id was added', async () => {
    const { secret } = await createKey({}, await createAdmin());
    await asOwner('DELETE', '/v1/users/admin');
    await expect(check(secret)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await createAdmin();
    await expect(check(secret)).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
  });

  it('tells when the key has expired, so that the gateway can say so', async () => {
    const { id, secret } = await createKey();
    const expiresAt = new Date();
    const keys = identity.db.collection<{ _id: string }>('api_keys');
    await keys.updateOne({ _id: id }, { $set: { expires_at: expiresAt } });
    const { expiresAt: told } = await check(secret);
    expect(told && timestampDate(told)).toEqual(expiresAt);
  });

  it('fails when it is deleted, unknown, or its tenant is not active', async () => {
    const [deleted, working] = [await createKey(), await createKey()];
    expect((await asOwner('DELETE', `/v1/api-keys/${deleted.id}`)).status).toBe(204);
    expect((await asOwner('DELETE', `/v1/api-keys/${deleted.id}`)).status).toBe(404);
    for (const secret of [deleted.secret, 'svk_unknown'])
      await expect(check(secret)).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
    const tenants = identity.db.collection<{ _id: string }>('tenants');
    await tenants.updateOne({ _id: owner.tenantId }, { $set: { status: 'suspended' } });
    await expect(check(working.secret)).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
  });
});
