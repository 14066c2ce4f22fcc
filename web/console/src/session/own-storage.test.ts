import { expect, it } from 'vitest';
import { clearOwnStorage } from './own-storage.ts';

function createStorage(keys: readonly string[]): Storage {
  const values = new Map(keys.map((key) => [key, 'value']));
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}

it('removes the keys of the console, and leaves those of the page for respondents', () => {
  const storage = createStorage([
    'survey-console-token',
    'oidc.user:https://login.example.com:console',
    'survey-respond /s/staff',
    'oidc.1a2b',
    'tsr-scroll-restoration-v1_3',
  ]);
  clearOwnStorage(storage);
  expect([storage.length, storage.key(0)]).toEqual([1, 'survey-respond /s/staff']);
});
