import { describe, expect, it } from 'vitest';
import { createProgressStore, type Progress } from './progress.ts';

const progress: Progress = {
  survey: {
    id: 's',
    version: 1,
    survey_version: 1,
    metadata_fields: [],
    definition: { title: 't', supported_languages: ['en'], pages: [] },
    languages: ['en'],
  },
  answers: { a: 1 },
  page: 0,
  language: 'en',
  fileNames: {},
  startedAt: '2030-01-01T00:00:00Z',
};

function createStorage(limit = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > limit) throw new Error('the storage is full');
      items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
  };
}

function create(tab = createStorage(), device = createStorage()) {
  const open = (path = '/s/a') => createProgressStore({ tab: () => tab, device: () => device, path });
  return { tab, device, open };
}

describe('progress', () => {
  it('stays in the tab, for each survey', () => {
    const { tab, device, open } = create();
    open().save(progress);
    expect(open().load()).toEqual(progress);
    expect(open('/s/b').load()).toBeUndefined();
    expect([tab.items.size, device.items.size]).toEqual([2, 0]);
  });

  it('stays on the device if the respondent wants it, and moves back', () => {
    const { tab, device, open } = create();
    const store = open();
    store.save(progress);
    store.keep(true);
    store.save({ ...progress, page: 1 });
    expect([tab.items.size, device.items.size]).toEqual([0, 2]);
    const later = open();
    expect([later.isKept(), later.load()]).toEqual([true, { ...progress, page: 1 }]);
    later.keep(false);
    expect([tab.items.size, device.items.size]).toEqual([2, 0]);
    expect(open().load()).toEqual({ ...progress, page: 1 });
  });

  it('is complete again if another tab has cleared it', () => {
    const { device, open } = create();
    const store = open();
    store.keep(true);
    store.save(progress);
    open().clear();
    expect(device.items.size).toBe(0);
    store.save({ ...progress, page: 1 });
    expect(open().load()).toEqual({ ...progress, page: 1 });
  });

  it('of a tab is not mixed with the progress that another tab keeps on the device', () => {
    const { device, open } = create();
    const first = open();
    first.save(progress);
    const second = createProgressStore({ tab: () => createStorage(), device: () => device, path: '/s/a' });
    second.keep(true);
    second.save({ ...progress, answers: { a: 2 } });
    const reloaded = open();
    expect([reloaded.isKept(), reloaded.load()]).toEqual([false, progress]);
    reloaded.save({ ...progress, answers: { a: 3 } });
    expect(open().load()?.answers).toEqual({ a: 3 });
    reloaded.clear();
    expect(reloaded.load()).toBeUndefined();
    expect(create(undefined, device).open().load()?.answers).toEqual({ a: 2 });
  });

  it('is forgotten everywhere after the submit', () => {
    const { tab, device, open } = create();
    const store = open();
    store.save(progress);
    store.keep(true);
    store.clear();
    expect([tab.items.size, device.items.size, store.isKept()]).toEqual([0, 0, false]);
    store.keep(true);
    expect(device.items.size).toBe(0);
  });

  it('is not needed: without storage, or if it is full, nothing fails', () => {
    const forbidden = () => {
      throw new Error('the browser forbids storage');
    };
    const store = createProgressStore({ tab: forbidden, device: forbidden, path: '/s/a' });
    store.save(progress);
    store.keep(true);
    store.clear();
    expect(store.load()).toBeUndefined();
    const { open } = create(createStorage(10));
    open().save(progress);
    expect(open().load()).toBeUndefined();
  });

  it('of another form is ignored', () => {
    const { tab, open } = create();
    tab.items.set('survey-respond /s/a', '{').set('survey-respond /s/a survey', '{}');
    expect(open().load()).toBeUndefined();
  });
});
