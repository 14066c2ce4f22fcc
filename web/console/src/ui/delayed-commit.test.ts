import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDelayedCommit } from './delayed-commit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function record() {
  const committed: string[] = [];
  return { committed, delayed: createDelayedCommit((text) => committed.push(text), 300) };
}

it('commits the last text once, after a pause', () => {
  const { committed, delayed } = record();
  delayed.schedule('l');
  vi.advanceTimersByTime(299);
  delayed.schedule('li');
  vi.advanceTimersByTime(299);
  expect([committed, delayed.isWaiting()]).toEqual([[], true]);
  vi.advanceTimersByTime(1);
  expect([committed, delayed.isWaiting()]).toEqual([['li'], false]);
});

it('commits immediately when asked, and nothing after that', () => {
  const { committed, delayed } = record();
  delayed.flush();
  delayed.schedule('life');
  delayed.flush();
  delayed.flush();
  vi.runAllTimers();
  expect(committed).toEqual(['life']);
});

it('can drop a text', () => {
  const { committed, delayed } = record();
  delayed.schedule('life');
  delayed.cancel();
  vi.runAllTimers();
  expect(committed).toEqual([]);
});
