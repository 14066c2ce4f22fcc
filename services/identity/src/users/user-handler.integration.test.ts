import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { permissionsOf } from './roles.ts';

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
const asAdmin = (method: string, path: string, body?: unknown) =>
  identity.call({ ...owner, permissions: permissionsOf('admin') }, method, path, body);
const newUser = (change: object = {}) => ({ email: `${randomUUID()}@example.org`, role: 'viewer', ...change });

async function createUser(change: object = {}) {
  const created = await asOwner('POST', '/v1/users', newUser(change));
  expect(created.status).toBe(201);
  return created.body;
}

describe('users', () => {
  it('are returned as they were created', async () => {
    const given = newUser({ permissions: ['surveys:write', 'surveys:write'] });
    const { status, headers, body } = await asOwner('POST', '/v1/users', given);
    expect([status, headers.get('location')]).toEqual([201, `/v1/users/${body.id}`]);
    expect(body).toMatchObject({ ...given, tenant_id: owner.tenantId, permissions: ['surveys:write'] });
    expect((await asOwner('GET', `/v1/users/${body.id}`)).body).toEqual(body);
    const { permissions } = await identity.grants(owner.tenantId, body.id);
    expect(permissions).toEqual([...permissionsOf('viewer'), 'surveys:write'].sort());
  });

  it('can have the id of the identity provider, also one that needs escaping in paths', async () => {
    const id = 'auth0|a/b%2F"\\?';
    const { headers } = await asOwner('POST', '/v1/users', newUser({ id }));
    const location = headers.get('location') ?? '';
    expect((await asOwner('GET', location)).body).toMatchObject({ id });
    expect((await identity.grants(owner.tenantId, id)).role).toBe('viewer');
    expect(await asOwner('POST', '/v1/users', newUser({ id }))).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_EXISTS' },
    });
    expect((await asOwner('DELETE', location)).status).toBe(204);
  });

  it('are listed newest first, with pagination, even with the longest ids', async () => {
    const made = [];
    for (const mark of ['"', '\\', 'c']) made.unshift((await createUser({ id: mark.repeat(255) })).id);
    const seen: string[] = [];
    let path: string | undefined = '/v1/users?limit=1';
    while (path !== undefined) {
      const { status, body, headers } = await asOwner('GET', path);
      expect([status, body.length]).toEqual([200, 1]);
      seen.push(body[0].id);
      path = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual([...made, owner.userId]);
  });

  it.each([
    ['no e-mail address', { email: 'x' }, 422, '/email'],
    ['an unknown role', { role: 'king' }, 422, '/role'],
    ['an unknown permission', { permissions: ['surveys:read', 'surveys:fly'] }, 422, '/permissions/1'],
    ['an empty id', { id: '' }, 422, '/id'],
    ['a space in the id', { id: 'a b' }, 422, '/id'],
    ['an id that is too long', { id: 'a'.repeat(256) }, 422, '/id'],
    ['an id of half a character', { id: '\ud800' }, 400, '/id'],
    ['an unknown member', { password: 'x' }, 400, '/password'],
  ])('are rejected with %s', async (_case, wrong, status, path) => {
    const reply = await asOwner('POST', '/v1/users', newUser(wrong));
    expect([reply.status, reply.body.errors?.map((problem: { path: string }) => problem.path)]).toEqual([
      status,
      [path],
    ]);
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'cursor=x'])('are not listed by %s', async (query) => {
    expect((await asOwner('GET', `/v1/users?${query}`)).status).toBeGreaterThanOrEqual(400);
  });

  it('of another tenant are not found', async () => {
    const { id } = await createUser();
    const stranger = await identity.createTenant();
    for (const [method, body] of [['GET'], ['PATCH', { role: 'admin' }], ['DELETE']] as const) {
      expect((await identity.call(stranger, method, `/v1/users/${id}`, body)).body.code).toBe('USER_NOT_FOUND');
    }
  });
});

describe('updating a user', () => {
  it('keeps missing members, and takes effect', async () => {
    const user = await createUser({ permissions: ['surveys:write'] });
    const path = `/v1/users/${user.id}`;
    expect((await asOwner('PATCH', path, {})).body).toEqual(user);
    const changed = await asOwner('PATCH', path, { role: 'analyst' });
    expect(changed.body).toEqual({ ...user, role: 'analyst', updated_at: expect.any(String) });
    expect((await asOwner('PATCH', path, { permissions: null })).body).toMatchObject({
      role: 'analyst',
      permissions: [],
    });
    expect((await asOwner('PATCH', path, { email: 'New@example.org' })).body).toMatchObject({
      email: 'New@example.org',
    });
    expect((await identity.grants(owner.tenantId, user.id)).permissions).toEqual(permissionsOf('analyst'));
  });

  it('with equal values changes nothing', async () => {
    const user = await createUser({ permissions: ['surveys:write'] });
    const { email, role, permissions } = user;
    for (const body of [{ role }, { email, role, permissions }, { permissions: [...permissions, ...permissions] }]) {
      const same = await asOwner('PATCH', `/v1/users/${user.id}`, body);
      expect([same.status, same.body, same.headers.get('etag')]).toEqual([200, user, '"1"']);
    }
  });

  it('with invalid members is rejected, and changes nothing', async () => {
    const [user, other] = [await createUser(), await createUser()];
    const patch = async (body: unknown) => (await asOwner('PATCH', `/v1/users/${user.id}`, body)).status;
    expect(await patch({ role: null })).toBe(422);
    expect(await patch({ email: '' })).toBe(422);
    expect(await patch({ permissions: ['nothing:read'] })).toBe(422);
    expect(await patch({ email: other.email.toUpperCase() })).toBe(409);
    expect(await patch({ id: 'other' })).toBe(400);
    expect(await patch([])).toBe(400);
    expect((await asOwner('GET', `/v1/users/${user.id}`)).body).toEqual(user);
  });

  it('succeeds for all concurrent requests', async () => {
    const { id } = await createUser();
    const roles = ['analyst', 'editor', 'admin'];
    const replies = await Promise.all(roles.map((role) => asOwner('PATCH', `/v1/users/${id}`, { role })));
    expect(replies.map(({ status, body }) => [status, body.role])).toEqual(roles.map((role) => [200, role]));
    expect(new Set(replies.map(({ headers }) => headers.get('etag')))).toEqual(new Set(['"2"', '"3"', '"4"']));
  });
});

describe('a user with If-Match', () => {
  const withTag = (tag: string, method: string, id: string, body?: unknown) =>
    identity.call(owner, method, `/v1/users/${id}`, body, { 'if-match': tag });

  it('is changed by one of several concurrent requests', async () => {
    const created = await asOwner('POST', '/v1/users', newUser());
    const { id } = created.body;
    const tag = created.headers.get('etag') ?? '';
    expect((await asOwner('GET', `/v1/users/${id}`)).headers.get('etag')).toBe(tag);
    const roles = ['analyst', 'editor', 'admin'];
    const replies = await Promise.all(roles.map((role) => withTag(tag, 'PATCH', id, { role })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const winner = replies.find(({ status }) => status === 200);
    const now = await asOwner('GET', `/v1/users/${id}`);
    expect([now.body, now.headers.get('etag')]).toEqual([winner?.body, winner?.headers.get('etag')]);
  });

  it('is removed only with its current ETag', async () => {
    const { id } = await createUser();
    await asOwner('PATCH', `/v1/users/${id}`, { role: 'editor' });
    expect(await withTag('"1"', 'DELETE', id)).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect((await withTag('"1", "2"', 'DELETE', id)).status).toBe(204);
    expect((await withTag('*', 'DELETE', id)).status).toBe(404);
  });

  it('is not changed by an empty patch or a malformed tag', async () => {
    const { id } = await createUser();
    expect((await withTag('"7"', 'PATCH', id, {})).status).toBe(412);
    const same = await withTag('"1"', 'PATCH', id, {});
    expect([same.status, same.headers.get('etag')]).toEqual([200, '"1"']);
    expect((await withTag('1', 'PATCH', id, { role: 'admin' })).status).toBe(400);
  });
});

describe('a creation with an Idempotency-Key', () => {
  const create = (key: string, body: unknown) =>
    identity.call(owner, 'POST', '/v1/users', body, { 'idempotency-key': key });

  it('creates one user for repeated and concurrent requests', async () => {
    const body = newUser();
    const replies = await Promise.all([1, 2, 3, 4].map(() => create('key-1', body)));
    const replay = await create('key-1', body);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(replay.headers.get('etag')).toBe('"1"');
    for (const { status, headers, body: user } of replies) {
      expect([status, headers.get('location'), user]).toEqual([201, `/v1/users/${replay.body.id}`, replay.body]);
    }
    expect((await asOwner('GET', '/v1/users')).body).toHaveLength(2);
    expect(await create('key-1', newUser())).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await create('key 1', body)).status).toBe(400);
  });

  it('returns the current user and ETag if the first reply was lost', async () => {
    const body = newUser();
    const { id } = (await create('key-3', body)).body;
    const used = identity.db.collection('idempotency_keys');
    await used.updateOne({ tenant_id: owner.tenantId }, { $set: { answer: null } });
    const changed = await asOwner('PATCH', `/v1/users/${id}`, { role: 'editor' });
    for (const _ of [1, 2]) {
      const repeated = await create('key-3', body);
      expect([repeated.status, repeated.body, repeated.headers.get('etag')]).toEqual([201, changed.body, '"2"']);
    }
  });

  it('can be repeated after an error', async () => {
    const taken = await createUser();
    const body = newUser({ email: taken.email });
    expect((await create('key-2', body)).body.code).toBe('ALREADY_EXISTS');
    await asOwner('DELETE', `/v1/users/${taken.id}`);
    expect((await create('key-2', body)).status).toBe(201);
  });
});

describe('a removed user', () => {
  it('can be added again immediately, with the same id and address', async () => {
    const given = newUser({ id: 'auth0|again' });
    for (const role of ['viewer', 'editor', 'admin']) {
      expect((await asOwner('POST', '/v1/users', { ...given, role })).status).toBe(201);
      expect((await asOwner('DELETE', '/v1/users/auth0%7Cagain')).status).toBe(204);
    }
  });
});

describe('users cannot give or take away permissions that they lack', () => {
  const rejection = { status: 403, body: { detail: "Permission 'tenant:write' required" } };

  it('an admin cannot create an owner, by role or by permission', async () => {
    expect(await asAdmin('POST', '/v1/users', newUser({ role: 'owner' }))).toMatchObject(rejection);
    expect(await asAdmin('POST', '/v1/users', newUser({ permissions: ['tenant:write'] }))).toMatchObject(rejection);
    const { id } = (await asAdmin('POST', '/v1/users', newUser({ role: 'admin' }))).body;
    expect(await asAdmin('PATCH', `/v1/users/${id}`, { role: 'owner' })).toMatchObject(rejection);
    expect(await asAdmin('PATCH', `/v1/users/${id}`, { permissions: ['tenant:write'] })).toMatchObject(rejection);
    expect((await identity.grants(owner.tenantId, id)).permissions).toEqual(permissionsOf('admin'));
  });

  it('an admin cannot change or remove an owner', async () => {
    const { id } = await createUser({ role: 'owner' });
    expect(await asAdmin('PATCH', `/v1/users/${id}`, { role: 'viewer' })).toMatchObject(rejection);
    expect(await asAdmin('DELETE', `/v1/users/${id}`)).toMatchObject(rejection);
  });

  it('a user with only users:write cannot give roles', async () => {
    const caller = { ...owner, permissions: ['users:write'] };
    const { status } = await identity.call(caller, 'POST', '/v1/users', newUser());
    expect(status).toBe(403);
  });
});

describe('the last owner', () => {
  it('can be neither removed nor demoted, unlike others', async () => {
    const second = await createUser({ role: 'owner' });
    expect((await asOwner('DELETE', `/v1/users/${second.id}`)).status).toBe(204);
    expect((await asOwner('GET', `/v1/users/${second.id}`)).status).toBe(404);
    const path = `/v1/users/${owner.userId}`;
    for (const reply of [await asOwner('DELETE', path), await asOwner('PATCH', path, { role: 'admin' })])
      expect(reply).toMatchObject({ status: 409, body: { code: 'LAST_OWNER' } });
    expect((await asOwner('PATCH', path, { email: 'boss@example.org' })).status).toBe(200);
  });

  it('remains if two owners demote each other at the same time', async () => {
    const second = await createUser({ role: 'owner' });
    const demote = (id: string) => asOwner('PATCH', `/v1/users/${id}`, { role: 'viewer' });
    const replies = await Promise.all([demote(owner.userId), demote(second.id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { body } = await asOwner('GET', '/v1/users');
    expect(body.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1);
  });
});
