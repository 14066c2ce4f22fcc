import type { JsonObject } from '@bufbuild/protobuf';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { auditEvent } from '@survey/runtime/kafka/audit-event';
import { makeEvent, toMessage } from '@survey/runtime/kafka/outbox-event';
import { describe, expect, it } from 'vitest';
import { decodeAuditMessage } from './audit-intake.ts';

const tenantId = toTenantId('tenant-1');
const time = new Date('2026-01-02T03:04:05.678Z');

const decode = (type: string, data: JsonObject) => {
  const event = { topic: 'audit.events', recordId: 'r', revision: 1, source: '/x', tenantId, time, traceparent: '' };
  return decodeAuditMessage(toMessage(makeEvent({ ...event, type, data })));
};
const change = {
  action: 'user.updated',
  actor: 'u',
  resource_type: 'user',
  resource_id: 'v',
  request_id: 'q',
  changes: [],
};

describe('decodeAuditMessage', () => {
  it('reads a change, and distinguishes null from absent values', () => {
    const event = auditEvent({
      context: { tenantId, actor: 'user-1', requestId: 'request-1', traceparent: '' },
      action: 'survey.updated',
      resourceType: 'survey',
      resourceId: 'survey-1',
      revision: 2,
      time,
      before: { title: 'a', settings: null, 'x/y': [1] },
      after: { settings: { open: true }, 'x/y': [1, 2] },
    });
    expect(decodeAuditMessage(toMessage(event))).toEqual({
      kind: 'audit',
      event: {
        id: event.id,
        tenantId,
        action: 'survey.updated',
        actor: 'user-1',
        resourceType: 'survey',
        resourceId: 'survey-1',
        requestId: 'request-1',
        createdAt: time,
        changes: expect.arrayContaining([
          { path: '/title', before: 'a' },
          { path: '/settings', before: null, after: { open: true } },
          { path: '/x~1y/1', after: 2 },
        ]),
      },
    });
  });

  it('reads that a service has erased a tenant', () => {
    const erasure = { tenantId, service: 'response' };
    expect(decode('tenant.erased', { service: 'response' })).toEqual({ kind: 'erasure', erasure });
  });

  it.each([
    ['another type', 'survey.created', change],
    ['an erasure by nobody', 'tenant.erased', {}],
    ['no action', 'audit.user.updated', { ...change, action: null }],
    ['an actor that is no text', 'audit.user.updated', { ...change, actor: 1 }],
    ['no changes', 'audit.user.updated', { ...change, changes: null }],
    ['invalid changes', 'audit.user.updated', { ...change, changes: [null] }],
    ['a change without its path', 'audit.user.updated', { ...change, changes: [{ before: 1 }] }],
  ])('rejects %s', (_case, type, data) => {
    expect(() => decode(type, data)).toThrow();
  });

  it('rejects other messages', () => {
    expect(() => decodeAuditMessage({ value: Buffer.from('no event'), headers: {} })).toThrow();
  });
});
