import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AuditEvent,
  type AuditEventDocument,
  type AuditEventStore,
  type AuditQuery,
  auditEventIndexes,
  createAuditEventStore,
} from './audit-event-store.ts';

let database: TestDatabase;
let collection: Collection<AuditEventDocument>;
let store: AuditEventStore;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { audit_events: auditEventIndexes });
  collection = database.db.collection<AuditEventDocument>('audit_events');
  store = createAuditEventStore(collection);
});

afterAll(() => database.drop());

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
const newEvent = (change: Partial<AuditEvent> = {}): AuditEvent => ({
  id: randomUUID(),
  tenantId: toTenantId(randomUUID()),
  action: 'survey.published',
  actor: 'user-1',
  resourceType: 'survey',
  resourceId: 'survey-1',
  changes: [{ path: '/definition/$ref', before: { $where: [null] }, after: null }, { path: '/__proto__' }],
  requestId: 'request-1',
  createdAt: at(0),
  ...change,
});
const anything: AuditQuery = {
  limit: 50,
  actor: undefined,
  action: undefined,
  resourceType: undefined,
  resourceId: undefined,
  since: undefined,
  until: undefined,
};

describe('audit event store', () => {
  it('returns an event as it was stored, even after a repeated insert', async () => {
    const event = newEvent();
    await store.insertNew([]);
    await store.insertNew([event, event]);
    await store.insertNew([event, { ...event, action: 'other' }]);
    expect(await store.list(event.tenantId, anything)).toEqual({ items: [event] });
  });

  it('returns only events of the tenant', async () => {
    const [one, two] = [newEvent(), newEvent()];
    await store.insertNew([one, two]);
    expect((await store.list(one.tenantId, anything)).items).toEqual([one]);
  });

  it('sorts pages by the time of events, not of their insertion, newest first', async () => {
    const tenantId = toTenantId(randomUUID());
    const events = [3, 1, 2, 2, 5, 4].map((seconds) => newEvent({ tenantId, createdAt: at(seconds) }));
    for (const event of events) await store.insertNew([event]);
    const seen: AuditEvent[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list(tenantId, { ...anything, limit: 2, cursor });
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.map(({ createdAt }) => createdAt)).toEqual([5, 4, 3, 2, 2, 1].map(at));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(6);
  });

  const other = { actor: 'user-2', action: 'user.created', resourceType: 'user', resourceId: 'user-9' };
  const filters: [string, Partial<AuditQuery>, string][] = [
    ['actor', { actor: 'user-2' }, 'by_actor'],
    ['action', { action: 'user.created' }, 'by_action'],
    ['kind of record', { resourceType: 'user' }, 'by_resource_type'],
    ['record', { resourceId: 'user-9' }, 'by_resource'],
    ['beginning', { since: at(100) }, 'newest_first'],
    ['end', { since: at(50), until: at(101) }, 'newest_first'],
    ['everything at once', { ...other, since: at(100), until: at(101) }, ''],
  ];

  it.each(filters)('filters by %s with an index, and examines only returned events', async (_case, filter, index) => {
    const tenantId = toTenantId(randomUUID());
    const common = Array.from({ length: 40 }, (_, seconds) => newEvent({ tenantId, createdAt: at(seconds) }));
    const [found, foreign] = [newEvent({ tenantId, ...other, createdAt: at(100) }), newEvent(other)];
    await store.insertNew([...common, found, foreign]);
    const commands: { filter: object; sort: object }[] = [];
    database.client.on('commandStarted', ({ command }) => {
      if (command['find'] === 'audit_events') commands.push(command as (typeof commands)[number]);
    });
    expect((await store.list(tenantId, { ...anything, ...filter })).items).toEqual([found]);
    database.client.removeAllListeners('commandStarted');
    const [asked] = commands;
    const plan = await collection
      .find(asked?.filter ?? {})
      .sort((asked?.sort ?? {}) as Record<string, 1>)
      .explain('executionStats');
    expect(JSON.stringify(plan['queryPlanner'].winningPlan)).toContain(`"indexName":"${index}`);
    expect(JSON.stringify(plan['queryPlanner'].winningPlan)).not.toMatch(/"(SORT|COLLSCAN)"/);
    expect(plan['executionStats'].totalDocsExamined).toBe(1);
  });

  it('treats since as inclusive and until as exclusive', async () => {
    const event = newEvent();
    await store.insertNew([event]);
    const found = async (times: Partial<AuditQuery>) =>
      (await store.list(event.tenantId, { ...anything, ...times })).items.length;
    expect(await found({ since: at(0) })).toBe(1);
    expect(await found({ until: at(0) })).toBe(0);
    expect(await found({ since: at(1), until: at(0) })).toBe(0);
  });
});
