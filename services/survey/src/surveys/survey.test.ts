import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { close, publish, remove, type Survey, titleOf } from './survey.ts';
import { surveyEvent } from './survey-events.ts';

const time = new Date('2026-01-02T03:04:05.006Z');
const later = new Date('2026-01-03T03:04:05.006Z');
const change = { actor: 'editor', time: later };
const draft: Survey = {
  id: 's-1',
  tenantId: toTenantId('t-1'),
  definition: { title: 'Lunch', supported_languages: ['en'] },
  schemaVersion: '1.0',
  version: 1,
  status: 'draft',
  revision: 1,
  createdAt: time,
  updatedAt: time,
  createdBy: 'author',
  updatedBy: 'author',
  publishedAt: undefined,
  deletedAt: undefined,
  deletedBy: undefined,
};
const conflict = expect.objectContaining({ reason: 'STATE_CONFLICT' });

describe('a survey', () => {
  it('goes draft → active → closed → active', () => {
    const active = publish(draft, change);
    expect(active).toMatchObject({
      status: 'active',
      revision: 2,
      publishedAt: later,
      updatedBy: 'editor',
      createdBy: 'author',
    });
    const closed = close(active, change);
    expect(closed).toMatchObject({ status: 'closed', revision: 3 });
    expect(publish(closed, change)).toMatchObject({ status: 'active', revision: 4 });
  });

  it('is not published twice, and not closed unless it is active', () => {
    const active = publish(draft, change);
    expect(() => publish(active, change)).toThrow(conflict);
    expect(() => close(draft, change)).toThrow(conflict);
    expect(() => close(close(active, change), change)).toThrow(conflict);
  });

  it('remembers who deleted it, and its state', () => {
    expect(remove(publish(draft, change), change)).toMatchObject({
      status: 'active',
      deletedAt: later,
      deletedBy: 'editor',
    });
  });
});

describe('titleOf', () => {
  it.each([
    [{ title: 'Lunch', supported_languages: ['en'] }, 'Lunch'],
    [{ title: { de: 'Mittag', en: 'Lunch' }, supported_languages: ['de', 'en'] }, 'Mittag'],
    [{ title: { en: 'Lunch' }, supported_languages: ['de'] }, ''],
    [{ title: '😀'.repeat(2_000), supported_languages: ['en'] }, '😀'.repeat(1_000)],
  ])('of %j', (definition, expected) => {
    expect(titleOf({ definition })).toBe(expected);
  });
});

describe('surveyEvent', () => {
  it('has the same id for the same happening, and another for another', () => {
    const event = surveyEvent('survey.created', draft, '');
    expect(surveyEvent('survey.created', { ...draft, definition: {} }, '').id).toBe(event.id);
    expect(surveyEvent('survey.created', { ...draft, revision: 2 }, '').id).not.toBe(event.id);
    expect(surveyEvent('survey.published', draft, '').id).not.toBe(event.id);
    expect(event).toMatchObject({ topic: 'survey.events', key: 's-1', type: 'survey.created', at: time, headers: {} });
  });
});
