import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import type { ResponseHead } from './response.ts';
import { submittedEvent } from './response-events.ts';

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

describe('submittedEvent', () => {
  it('tells of a response that is complete', () => {
    expect(submittedEvent(head, '')).toMatchObject({ type: 'response.submitted', key: head.id, at: time });
  });

  it('is none for a disqualified one', () => {
    expect(submittedEvent({ ...head, status: 'disqualified' }, '')).toBeUndefined();
  });
});
