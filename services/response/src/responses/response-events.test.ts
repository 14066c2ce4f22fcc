import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { toMessage } from '@survey/runtime/kafka/outbox-event';
import { readEvent } from '@survey/runtime/kafka/read-event';
import { describe, expect, it } from 'vitest';
import type { ResponseHead } from './response.ts';
import { createdOnBehalf, submittedEvents } from './response-events.ts';

const time = new Date('2026-01-02T03:04:05.678Z');
const head: ResponseHead = {
  id: '0198c8f0-0000-7000-8000-000000000001',
  tenantId: toTenantId('t'),
  surveyId: 's',
  surveyVersion: 1,
  status: 'completed',
  createdAt: time,
  updatedAt: time,
  startedAt: undefined,
  completedAt: time,
  externalId: undefined,
};

describe('submittedEvents', () => {
  it('tell of a response that is complete', () => {
    expect(submittedEvents(head, '')).toMatchObject([{ type: 'response.submitted', key: head.id, at: time }]);
  });

  it('are none for a disqualified one', () => {
    expect(submittedEvents({ ...head, status: 'disqualified' }, '')).toEqual([]);
  });
});

describe('createdOnBehalf', () => {
  it('tells who did it and to which survey, and no answers, also of a disqualified one', () => {
    const by = { tenantId: head.tenantId, actor: 'user-1', requestId: 'request-1', traceparent: '' };
    const answered = { ...head, status: 'disqualified' as const, data: { q: 'secret' }, metadata: { m: 'secret' } };
    const event = createdOnBehalf(by, answered);
    expect(event).toMatchObject({ topic: 'audit.events', type: 'audit.response.created', key: head.id });
    const { data } = readEvent(toMessage(event));
    expect(data).toMatchObject({ actor: 'user-1', resource_id: head.id, request_id: 'request-1' });
    expect(JSON.stringify(data)).not.toContain('secret');
  });
});
