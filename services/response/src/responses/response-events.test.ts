import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { toMessage } from '@survey/runtime/kafka/outbox-event';
import { describe, expect, it } from 'vitest';
import type { ResponseFields } from './response.ts';
import { deletedEvents, onBehalfEvent, statusEvents, updatedEvents } from './response-events.ts';

const time = new Date('2026-01-02T03:04:05.678Z');
const by = { tenantId: toTenantId('t'), actor: 'user-1', requestId: 'request-1', traceparent: '' };
const head: ResponseFields = {
  id: '0198c8f0-0000-7000-8000-000000000001',
  tenantId: toTenantId('t'),
  surveyId: 's',
  surveyVersion: 1,
  status: 'completed',
  createdAt: time,
  updatedAt: time,
  startedAt: undefined,
  completedAt: time,
  language: undefined,
  linkId: undefined,
  invitationId: undefined,
  revision: 1,
};

describe('statusEvents', () => {
  it('describe a completed response', () => {
    expect(statusEvents(head, '')).toMatchObject([{ type: 'response.submitted', key: head.id, at: time }]);
  });

  it('contain the language and the link, if any', () => {
    const [event] = statusEvents({ ...head, language: 'de', linkId: 'l' }, '');
    const dataOf = (one: typeof event) => (one === undefined ? undefined : readEvent(toMessage(one)).data);
    expect(dataOf(event)).toMatchObject({ language: 'de', link_id: 'l' });
    const [plain] = statusEvents(head, '');
    expect(Object.keys(dataOf(plain) ?? {}).sort()).toEqual([
      'completed_at',
      'occurred_at',
      'response_id',
      'revision',
      'status',
      'survey_id',
      'survey_version',
    ]);
  });

  it.each([
    ['in_progress', 'response.started'],
    ['completed', 'response.submitted'],
    ['disqualified', 'response.disqualified'],
    ['abandoned', 'response.abandoned'],
  ] as const)('of the status %s is %s', (status, type) => {
    const [event] = statusEvents({ ...head, status }, '');
    expect(event.type).toBe(type);
    const members = { status, occurred_at: time.toISOString(), revision: 1 };
    expect(readEvent(toMessage(event)).data).toMatchObject(members);
  });
});

describe('onBehalfEvent', () => {
  it('contains actor and survey, and neither answers nor external id, even for a disqualified response', () => {
    const content = { data: { q: 'secret' }, metadata: { m: 'secret' }, externalId: 'secret' };
    const answered = { ...head, status: 'disqualified' as const, ...content };
    const event = onBehalfEvent(by, answered);
    expect(event).toMatchObject({ topic: 'audit.events', type: 'audit.response.created', key: head.id });
    const { data } = readEvent(toMessage(event));
    expect(data).toMatchObject({ actor: 'user-1', resource_id: head.id, request_id: 'request-1' });
    expect(JSON.stringify(data)).not.toContain('secret');
  });
});

describe('updatedEvents', () => {
  const before = { ...head, data: { kept: 'a', changed: 'a', gone: 'a' }, metadata: { m: 'a' }, externalId: 'a' };
  const later = new Date(time.getTime() + 1);

  it('name changed, added and removed answers, without content', () => {
    const data = { kept: 'a', changed: 'secret', new: 'secret' };
    const events = updatedEvents(by, before, { ...before, data, revision: 2, updatedAt: later });
    expect(events).toMatchObject([
      { topic: 'response.events', type: 'response.updated', at: later },
      { topic: 'audit.events', type: 'audit.response.updated', at: later },
    ]);
    const [, audited] = events.map((event) => readEvent(toMessage(event)).data);
    expect(audited?.['changes']).toEqual([
      { path: '/data/changed', after: '(changed)' },
      { path: '/data/gone', after: '(changed)' },
      { path: '/data/new', after: '(changed)' },
    ]);
  });

  it('contain a changed status, and whether the metadata changed', () => {
    const after = { ...before, status: 'disqualified' as const, metadata: undefined, revision: 2, updatedAt: later };
    const [published, audited] = updatedEvents(by, before, after).map((event) => readEvent(toMessage(event)).data);
    expect(published).toMatchObject({ response_id: head.id, status: 'disqualified' });
    expect(audited?.['changes']).toEqual([
      { path: '/status', before: 'completed', after: 'disqualified' },
      { path: '/metadata', after: '(changed)' },
    ]);
  });

  it('have different ids for each revision', () => {
    const ids = [2, 3].flatMap((revision) => updatedEvents(by, before, { ...before, revision }).map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
  });
});

describe('deletedEvents', () => {
  it('describe a response in progress too, which has no end', () => {
    const [event] = deletedEvents(by, { ...head, status: 'in_progress', completedAt: undefined }, time);
    expect(event.type).toBe('response.deleted');
    expect(readEvent(toMessage(event)).data).toEqual({
      response_id: head.id,
      survey_id: 's',
      survey_version: 1,
      status: 'in_progress',
      occurred_at: time.toISOString(),
      revision: head.revision + 1,
    });
  });
});
