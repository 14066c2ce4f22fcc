import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { toMessage } from '@survey/runtime/kafka/outbox-event';
import { readTenantState } from '@survey/runtime/tenants/tenant-state';
import { describe, expect, it } from 'vitest';
import { activate, newTenant, remove, rename, setLimits, suspend } from './tenant.ts';
import { tenantEvents } from './tenant-service.ts';

const tenantId = toTenantId('t');
const by = { tenantId, actor: 'operator', requestId: 'r', traceparent: '' };
const time = new Date('2026-02-01T00:00:00Z');
const creating = newTenant(tenantId, 'T', new Date('2026-01-01T00:00:00Z'));
const active = activate(creating, time);

describe('tenant events', () => {
  it('have its state for other services', () => {
    const state = (status: string, revision: number) => ({ tenantId, status, revision, time });
    const stateOf = (...change: Parameters<typeof tenantEvents>) => {
      const [event] = tenantEvents(...change).map(toMessage);
      return event && [event.topic, event.key, event.headers['ce_type'], readTenantState(event)];
    };
    const topic = 'tenant.events';
    const created = stateOf(by, 'tenant.created', creating, active);
    expect(created).toEqual([topic, 't', 'tenant.created', state('active', 2)]);
    const suspended = stateOf(by, 'tenant.suspended', active, suspend(active, time));
    expect(suspended).toEqual([topic, 't', 'tenant.suspended', state('suspended', 3)]);
    const deleted = stateOf(by, 'tenant.deleted', active, remove(active, 'operator', time));
    expect(deleted).toEqual([topic, 't', 'tenant.deleted', state('deleted', 3)]);
  });

  it('have the actor and the changes for the audit', () => {
    const [, audit] = tenantEvents(by, 'tenant.updated', active, rename(active, 'New', time)).map(toMessage);
    expect(audit && readEvent(audit)).toMatchObject({
      type: 'audit.tenant.updated',
      tenantId,
      data: {
        actor: 'operator',
        request_id: 'r',
        resource_id: 't',
        changes: [{ path: '/name', before: 'T', after: 'New' }],
      },
    });
    const limits = { requestsPerMinute: 5, concurrentRequests: undefined };
    const [event, ofLimits] = tenantEvents(by, 'tenant.limits_changed', active, setLimits(active, limits, time));
    expect([event?.type, ofLimits?.type]).toEqual(['tenant.updated', 'audit.tenant.limits_changed']);
    const changes = [{ path: '/limits/requests_per_minute', after: 5 }];
    expect(ofLimits && readEvent(toMessage(ofLimits)).data).toMatchObject({ changes });
  });

  it('have no audit event for a deletion, which also deletes the audit', () => {
    expect(tenantEvents(by, 'tenant.deleted', active, remove(active, 'operator', time))).toHaveLength(1);
  });
});
