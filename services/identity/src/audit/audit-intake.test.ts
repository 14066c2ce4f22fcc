import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import type { Erasure } from '../tenants/tenant-service.ts';
import type { AuditEvent } from './audit-event-store.ts';
import { type AuditMessage, createAuditIntake } from './audit-intake.ts';

const tenantId = toTenantId('tenant-1');
const event: AuditEvent = {
  id: 'event-1',
  tenantId,
  action: 'user.created',
  actor: 'user-1',
  resourceType: 'user',
  resourceId: 'user-2',
  changes: [],
  requestId: '',
  createdAt: new Date(0),
};
const messages: readonly AuditMessage[] = [
  { kind: 'erasure', erasure: { tenantId, service: 'survey' } },
  { kind: 'audit', event },
  { kind: 'erasure', erasure: { tenantId, service: 'import' } },
];

describe('audit intake', () => {
  it('stores changes in one write, and records erasures in order', async () => {
    const stored: (readonly AuditEvent[])[] = [];
    const recorded: Erasure[] = [];
    const intake = createAuditIntake({
      events: { insertNew: async (events) => void stored.push(events) },
      isDeleted: async () => false,
      recordErasure: async (erasure) => void recorded.push(erasure),
    });
    await intake.handle(messages);
    expect(stored).toEqual([[event]]);
    expect(recorded.map(({ service }) => service)).toEqual(['survey', 'import']);
  });

  it('stores nothing of a deleted tenant', async () => {
    const stored: (readonly AuditEvent[])[] = [];
    const other: AuditEvent = { ...event, id: 'event-2', tenantId: toTenantId('tenant-2') };
    const intake = createAuditIntake({
      events: { insertNew: async (events) => void stored.push(events) },
      isDeleted: async (id) => id === tenantId,
      recordErasure: async () => {},
    });
    await intake.handle([...messages, { kind: 'audit', event: other }]);
    expect(stored).toEqual([[other]]);
  });

  it('fails if one message fails, so all are redelivered', async () => {
    const intake = createAuditIntake({
      events: { insertNew: async () => {} },
      isDeleted: async () => false,
      recordErasure: () => Promise.reject(new Error('unavailable')),
    });
    await expect(intake.handle(messages)).rejects.toThrow('unavailable');
  });
});
