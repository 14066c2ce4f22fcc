import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PreviewedSurvey } from './preview.ts';
import { createPreviewSession, createSession } from './session.ts';

function previewOf(...ids: string[]): PreviewedSurvey {
  const questions = ids.map((id) => ({ id, type: 'text' as const, title: id }));
  const definition = { title: 't', supported_languages: ['en'], pages: [{ questions }] };
  const survey = { id: 'preview', version: 1, survey_version: 1, definition, languages: ['en'], metadata_fields: [] };
  return { survey, language: 'en' };
}

describe('a session', () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  beforeEach(() => {
    items.clear();
    vi.stubGlobal('sessionStorage', storage);
    vi.stubGlobal('localStorage', { ...storage, getItem: () => null });
  });
  afterEach(() => void vi.unstubAllGlobals());

  /** Opens an address, and returns the session and the address that is shown afterwards. */
  function open(path: string) {
    const location = new URL(path, 'https://surveys.example.com');
    const history = {
      replaceState: (_state: unknown, _title: string, address: string) => {
        location.href = address;
      },
    };
    // A session needs no other members.
    const window = { location, history, navigator: { languages: ['en'] } } as unknown as Window;
    return { session: createSession({ kind: 'link', slug: 'a' }, window), shown: location.href };
  }
  const progress = {
    survey: previewOf('dish').survey,
    answers: {},
    page: 0,
    language: 'en',
    fileNames: {},
    startedAt: '2030-01-01T00:00:00Z',
  };
  const metadata = { source: 'mail' };

  it('finds what was in the address after a reload, until the progress has it', () => {
    const { session, shown } = open('/s/a?lang=de&m.source=mail#token=abc&a.dish=Soup');
    const personal = { token: 'abc', metadata, prefill: [['dish', 'Soup']] };
    expect(session).toMatchObject({ personal, isSingleUse: true });
    expect(shown).toBe('https://surveys.example.com/s/a?lang=de');
    const { session: reloaded } = open('/s/a');
    expect(reloaded).toMatchObject({ personal, isSingleUse: true });
    reloaded.store.save(progress);
    expect(reloaded.store.load()).toMatchObject({ singleUseToken: 'abc' });
    const { session: later } = open('/s/a');
    expect(later).toMatchObject({ personal: undefined, isSingleUse: true });
    later.store.clear();
    expect([open('/s/a').session.isSingleUse, items.size]).toEqual([false, 0]);
  });

  it('keeps the token if another address has none', () => {
    open('/s/a#token=abc');
    expect(open('/s/a#m.source=mail').session).toMatchObject({ personal: { metadata }, isSingleUse: true });
    expect(open('/s/a').session).toMatchObject({ personal: { metadata }, isSingleUse: true });
  });

  it('forgets all of another respondent', () => {
    open('/s/a#token=abc&m.source=mail');
    expect(open('/s/a#token=other').session.personal).toEqual({ token: 'other', metadata: {}, prefill: [] });
    open('/s/a#token=abc').session.store.save(progress);
    expect(open('/s/a#token=abc&m.source=mail').session.store.load()?.answers).toEqual({});
    expect(open('/s/a#token=other').session.store.load()).toBeUndefined();
  });
});

describe('a preview of a new definition', () => {
  it('keeps the answers to questions that it still has', () => {
    const first = createPreviewSession(previewOf('kept', 'removed'), undefined);
    first.store.save({
      survey: previewOf('kept', 'removed').survey,
      answers: { kept: 'a', removed: 'b' },
      page: 0,
      language: 'en',
      fileNames: {},
      startedAt: '2030-01-01T00:00:00Z',
    });
    const second = createPreviewSession(previewOf('kept', 'new'), first);
    expect(second.store.load()?.answers).toEqual({ kept: 'a' });
    const third = createPreviewSession({ ...previewOf('kept'), language: 'en_GB' }, second);
    expect(third.store.load()?.language).toBe('en');
  });
});
