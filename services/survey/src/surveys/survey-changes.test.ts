import { describe, expect, it } from 'vitest';
import {
  close,
  discardDraft,
  publish,
  remove,
  replaceDefinition,
  restore,
  saveDraft,
  updateSettings,
} from './survey.ts';
import { defaultSettings } from './survey-settings.ts';
import { testSurvey as draft } from './testing/test-survey.ts';

const later = new Date('2026-01-03T03:04:05.006Z');
const change = { actor: 'editor', time: later };
const definition = { title: 'Dinner', supported_languages: ['en'] };
const next = { definition, schemaVersion: '1.1' };
const isConflict = (detail: unknown = expect.any(String)) =>
  expect.objectContaining({ code: 'STATE_CONFLICT', message: detail });

describe('a survey', () => {
  it('goes draft → active → closed → active', () => {
    const active = publish(draft, change);
    expect(active).toMatchObject({
      status: 'active',
      revision: 2,
      publishedVersion: 1,
      publishedAt: later,
      updatedBy: 'editor',
      createdBy: 'author',
    });
    const closed = close(active, change);
    expect(closed).toMatchObject({ status: 'closed', revision: 3 });
    expect(publish(closed, change)).toMatchObject({ status: 'active', revision: 4, version: 1 });
  });

  it('is not published twice, and not closed unless it is active', () => {
    const active = publish(draft, change);
    expect(() => publish(active, change)).toThrow(isConflict());
    expect(() => close(draft, change)).toThrow(isConflict());
    expect(() => close(close(active, change), change)).toThrow(isConflict());
  });

  it('is not published at its closes_at or after it', () => {
    const closesAt = (ms: number) =>
      updateSettings(draft, { ...draft, settings: { ...defaultSettings, closesAt: new Date(ms) } }, change);
    expect(() => publish(closesAt(later.getTime()), change)).toThrow(isConflict(expect.stringContaining('closes_at')));
    expect(publish(closesAt(later.getTime() + 1), change).status).toBe('active');
  });

  it.each(['draft', 'closed'] as const)('gets a version that is not live while it is %s', (status) => {
    const after = replaceDefinition({ ...draft, status }, next, change);
    expect(after).toMatchObject({
      ...next,
      status,
      version: 2,
      publishedVersion: undefined,
      revision: 2,
      updatedBy: 'editor',
    });
  });

  it('gets a version that is live immediately while it is active', () => {
    expect(replaceDefinition(publish(draft, change), next, change)).toMatchObject({
      version: 2,
      publishedVersion: 2,
      status: 'active',
    });
  });

  it('was published last when its live version was replaced', () => {
    const time = new Date(later.getTime() + 1);
    expect(replaceDefinition(publish(draft, change), next, { ...change, time }).publishedAt).toEqual(time);
    expect(replaceDefinition(close(publish(draft, change), change), next, { ...change, time }).publishedAt).toEqual(
      later,
    );
  });

  it('gets no version after the maximum', () => {
    expect(() => replaceDefinition({ ...draft, version: 2 ** 31 - 1 }, next, change)).toThrow(isConflict());
  });

  it('keeps its status and the deleting user', () => {
    const removed = remove(publish(draft, change), change);
    expect(removed).toMatchObject({ status: 'active', deletedAt: later, deletedBy: 'editor' });
  });

  it.each([
    ['draft', 'draft'],
    ['active', 'closed'],
    ['closed', 'closed'],
  ] as const)('comes back %s as %s', (status, expected) => {
    const restored = restore(remove({ ...draft, status }, change), change);
    expect(restored).toMatchObject({ status: expected, deletedAt: undefined, deletedBy: undefined, revision: 3 });
  });

  it('is not restored unless it is deleted', () => {
    expect(() => restore(draft, change)).toThrow(isConflict());
  });
});

describe('a pending draft', () => {
  const active = publish(draft, change);

  it('is stored next to the latest version, and replaces the previous draft', () => {
    const waiting = saveDraft(saveDraft(active, draft, change), next, change);
    expect(waiting).toMatchObject({ definition: draft.definition, version: 1, status: 'active', revision: 4 });
    expect(waiting.draft).toEqual({ ...next, basedOn: 1, updatedAt: later, updatedBy: 'editor' });
  });

  it.each([draft, active, close(active, change)])(
    'is the next version when it is published, and live ($status)',
    (survey) => {
      const published = publish(saveDraft(survey, next, change), change);
      expect(published).toMatchObject({ ...next, version: 2, publishedVersion: 2, status: 'active', draft: undefined });
      expect(published.revision).toBe(survey.revision + 2);
    },
  );

  it('survives a new version, but cannot be published', () => {
    const overtaken = replaceDefinition(saveDraft(active, next, change), draft, change);
    expect(overtaken.draft).toMatchObject({ basedOn: 1 });
    expect(() => publish(overtaken, change)).toThrow(
      expect.objectContaining({
        code: 'VERSION_CONFLICT',
        message: 'The draft is based on version 1, the latest is 2',
      }),
    );
  });

  it('survives deletion', () => {
    expect(restore(remove(saveDraft(active, next, change), change), change).draft).toMatchObject(next);
  });

  it('can be discarded, once', () => {
    const without = discardDraft(saveDraft(active, next, change), change);
    expect(without).toMatchObject({ draft: undefined, version: 1, revision: 4 });
    expect(() => discardDraft(without, change)).toThrow(expect.objectContaining({ code: 'DRAFT_NOT_FOUND' }));
  });
});
