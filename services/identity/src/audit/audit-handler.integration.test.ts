import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { type AuditEvent, createAuditEventStore } from './audit-event-store.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.close());

const event = (tenantId: string, change: Partial<AuditEvent> = {}): AuditEvent => ({
  id: randomUUID(),
  tenantId: toTenantId(tenantId),
  action: 'survey.updated',
  actor: 'user-1',
  resourceType: 'survey',
  resourceId: 'survey-1',
  changes: [
    { path: '/title', before: 'a', after: 'b' },
    { path: '/project_id', before: 'p', after: null },
    { path: '/pages/1', after: { questions: [] } },
  ],
  requestId: 'request-1',
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  ...change,
});
const store = (events: readonly AuditEvent[]) =>
  createAuditEventStore(identity.db.collection('audit_events')).insertNew(events);
const list = (caller: { tenantId: string; userId: string; permissions?: readonly string[] }, query = '') =>
  identity.call(caller, 'GET', `/v1/audit-events${query}`);

describe('audit events', () => {
  it('have the actor, the action, the record and the differences', async () => {
    const owner = await identity.createTenant();
    const listed = event(owner.tenantId);
    await store([listed, event(randomUUID())]);
    expect(await list(owner)).toMatchObject({ status: 200 });
    expect((await list(owner, '?resource_id=survey-1')).body).toEqual([
      {
        id: listed.id,
        action: 'survey.updated',
        actor: 'user-1',
        resource_type: 'survey',
        resource_id: 'survey-1',
        changes: listed.changes,
        request_id: 'request-1',
        created_at: '2026-01-02T03:04:05.678Z',
      },
    ]);
  });

  it('are written for each change of users and keys, including for equal ids in two tenants and for re-added users', async () => {
    const owners = [await identity.createTenant(), await identity.createTenant()];
    const user = { id: 'auth0|same', email: 'same@example.org', role: 'viewer' };
    const path = `/v1/users/${encodeURIComponent(user.id)}`;
    for (const owner of owners) {
      await identity.call(owner, 'POST', '/v1/users', user);
      await identity.call(owner, 'PATCH', path, {});
      await identity.call(owner, 'PATCH', path, { role: 'admin' });
      await identity.call(owner, 'DELETE', path);
      await identity.call(owner, 'POST', '/v1/users', user);
    }
    for (const owner of owners) {
      const listed = await poll(async () => {
        const { body } = await list(owner, '?resource_id=auth0%7Csame');
        return body.length === 4 && body;
      });
      expect(listed.map(({ action }: AuditEvent) => action).sort()).toEqual([
        'user.created',
        'user.created',
        'user.deleted',
        'user.updated',
      ]);
      expect(new Set(listed.map(({ actor }: AuditEvent) => actor))).toEqual(new Set([owner.userId]));
      const updated = listed.find(({ action }: AuditEvent) => action === 'user.updated');
      expect(updated.changes).toContainEqual({ path: '/role', before: 'viewer', after: 'admin' });
    }
    const [owner] = owners;
    if (owner === undefined) return;
    const { body: key } = await identity.call(owner, 'POST', '/v1/api-keys', {
      name: 'nightly',
      permissions: ['surveys:read'],
    });
    await identity.call(owner, 'DELETE', `/v1/api-keys/${key.id}`);
    const listed = await poll(async () => {
      const { body } = await list(owner, '?resource_type=api_key');
      return body.length === 2 && body;
    });
    const changesOf = (asked: string) => listed.find(({ action }: AuditEvent) => action === asked).changes;
    expect(changesOf('api_key.created')).toContainEqual({ path: '/prefix', after: key.prefix });
    expect(changesOf('api_key.deleted')).toContainEqual({ path: '/prefix', before: key.prefix });
    expect(JSON.stringify(listed)).not.toContain(key.secret);
  });

  it('can be filtered, with pagination', async () => {
    const owner = await identity.createTenant();
    const mine = { actor: 'user 9|a', action: 'link.created', resourceType: 'link', resourceId: 'link-1' };
    const events = [1, 2, 3].map((day) =>
      event(owner.tenantId, { ...mine, createdAt: new Date(Date.UTC(2025, 0, day)) }),
    );
    await store([...events, event(owner.tenantId)]);
    const query =
      '?actor=user%209%7Ca&action=link.created&resource_type=link&resource_id=link-1' +
      '&since=2025-01-01T00:00:00Z&until=2025-01-03T00:00:00Z&limit=1';
    const first = await list(owner, query);
    expect(first.body.map(({ id }: { id: string }) => id)).toEqual([events[1]?.id]);
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await identity.call(owner, 'GET', next);
    expect(second.body.map(({ id }: { id: string }) => id)).toEqual([events[0]?.id]);
    expect(second.headers.get('link')).toBeNull();
    expect((await list(owner, '?actor=')).body).toEqual([]);
  });

  it.each(['limit=0', 'limit=1001', 'cursor=x', 'since=yesterday', 'until=1', 'colour=red', 'actor=a&actor=b'])(
    'are not listed by %s',
    async (query) => {
      const owner = await identity.createTenant();
      expect((await list(owner, `?${query}`)).status).toBe(400);
    },
  );

  it('need the permission audit:read', async () => {
    const owner = await identity.createTenant();
    expect(await list({ ...owner, permissions: ['users:read'] })).toMatchObject({
      status: 403,
      body: { detail: "Permission 'audit:read' required" },
    });
  });
});
