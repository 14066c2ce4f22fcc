import { randomUUID } from 'node:crypto';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

const HOUR_MS = 3_600_000;
const SOON = Date.now() + HOUR_MS;

let identity: TestIdentity;
let owner: { readonly tenantId: string; readonly userId: string };

beforeAll(async () => {
  identity = await startTestIdentity();
});
beforeEach(async () => {
  owner = await identity.createTenant();
});
afterAll(() => identity.close());

const revoke = (change: object = {}) =>
  identity.admin.revokeToken({ ...owner, tokenId: 'j1', expiresAt: timestampFromMs(SOON), ...change });
const revokedOf = async ({ tenantId, userId } = owner) => (await identity.grants(tenantId, userId)).revokedTokenIds;
const stored = () => identity.db.collection('revoked_tokens').findOne({ tenant_id: owner.tenantId });

describe('a revoked token', () => {
  it('is returned with the permissions of its user only', async () => {
    const other = await identity.createTenant();
    const { userId: viewer } = await identity.admin.addUser({ ...owner, email: 'v@example.org', role: 'viewer' });
    expect(await revokedOf()).toEqual([]);
    await revoke();
    await revoke({ tokenId: 'j2' });
    expect([...(await revokedOf())].sort()).toEqual(['j1', 'j2']);
    expect(await revokedOf({ ...owner, userId: viewer })).toEqual([]);
    expect(await revokedOf(other)).toEqual([]);
  });

  it('is audited once, and kept until the latest expiry', async () => {
    await revoke();
    await revoke({ expiresAt: timestampFromMs(SOON + HOUR_MS) });
    await revoke({ expiresAt: timestampFromMs(SOON - 1_000) });
    expect(await revokedOf()).toEqual(['j1']);
    expect(await stored()).toMatchObject({ expires_at: new Date(SOON + HOUR_MS) });
    const events = await poll(async () => {
      const { body } = await identity.call(owner, 'GET', '/v1/audit-events?action=token.revoked');
      return body.length > 0 && body;
    });
    expect(events).toMatchObject([{ actor: 'operator', resource_type: 'token', resource_id: 'j1' }]);
  });

  it('is not returned after its expiry', async () => {
    await revoke();
    const ended = { $set: { expires_at: new Date(Date.now() - 1) } };
    await identity.db.collection('revoked_tokens').updateOne({ tenant_id: owner.tenantId }, ended);
    expect(await revokedOf()).toEqual([]);
  });

  it('stays revoked when its user is removed and added again', async () => {
    const user = { email: 'a@example.org', role: 'admin', id: 'anna' };
    const add = () => identity.call(owner, 'POST', '/v1/users', user);
    expect((await add()).status).toBe(201);
    await revoke({ userId: 'anna' });
    expect((await identity.call(owner, 'DELETE', '/v1/users/anna')).status).toBe(204);
    expect((await add()).status).toBe(201);
    expect(await revokedOf({ ...owner, userId: 'anna' })).toEqual(['j1']);
  });

  it('can belong to a removed user, and is rejected when the user is added again', async () => {
    const add = () => identity.call(owner, 'POST', '/v1/users', { email: 'b@example.org', role: 'admin', id: 'bert' });
    expect((await add()).status).toBe(201);
    expect((await identity.call(owner, 'DELETE', '/v1/users/bert')).status).toBe(204);
    await revoke({ userId: 'bert' });
    expect((await add()).status).toBe(201);
    expect(await revokedOf({ ...owner, userId: 'bert' })).toEqual(['j1']);
  });

  it.each([
    ['no tenant', { tenantId: randomUUID() }, 'TENANT_NOT_FOUND'],
    ['one that has ended', { expiresAt: timestampFromMs(Date.now() - 1) }, 'VALIDATION_FAILED'],
    ['no end', { expiresAt: undefined }, 'VALIDATION_FAILED'],
    ['no id', { tokenId: '' }, 'VALIDATION_FAILED'],
    ['an id that is too long', { tokenId: 'j'.repeat(256) }, 'VALIDATION_FAILED'],
  ])('is rejected: of %s', async (_case, change, code) => {
    await expect(revoke(change)).rejects.toMatchObject({ code });
    expect(await stored()).toBeNull();
  });

  it('cannot be stored for a tenant that is being deleted', async () => {
    await identity.admin.deleteTenant(owner);
    await expect(revoke()).rejects.toMatchObject({ code: 'TENANT_NOT_FOUND' });
    expect(await stored()).toBeNull();
  });

  it('is one of at most 1,000 of its user', async () => {
    const { tenantId: tenant_id, userId: user_id } = owner;
    const expires_at = new Date(SOON);
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      tenant_id,
      user_id,
      token_id: `t${index}`,
      expires_at,
      slot: index,
    }));
    const tokens = identity.db.collection('revoked_tokens');
    await tokens.insertMany(many);
    await expect(revoke()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await tokens.updateOne({ tenant_id, slot: 7 }, { $set: { expires_at: new Date(Date.now() - 1) } });
    await revoke();
    expect(await revokedOf()).toHaveLength(1_000);
  });
});
