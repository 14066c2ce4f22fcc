import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from './create-client.ts';
import type { ResponseChanges } from './generated/types.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const change = (id: string) => ({ id, revision: 1, deleted: false });
const reply =
  (next: string, ...ids: readonly string[]) =>
  () =>
    Response.json({ changes: ids.map(change), next_cursor: next });
const problem = (status: number, code: string) => () =>
  Response.json({ code, detail: code }, { status, headers: { 'content-type': 'application/problem+json' } });

/** Follows a feed that gives these replies, until they are used up or it fails. */
async function follow(replies: readonly (() => Response)[], options = {}) {
  const asked: string[] = [];
  const caller = new AbortController();
  const client = createClient({
    baseUrl: 'http://gateway',
    maxRetries: 0,
    fetch: async (url) => {
      asked.push(String(url).split('/changes')[1] ?? '');
      const next = replies[asked.length - 1];
      if (next === undefined) {
        caller.abort(new Error('enough'));
        throw caller.signal.reason;
      }
      return next();
    },
  });
  const got: ResponseChanges[] = [];
  const following = (async () => {
    for await (const one of client.responses.follow('s1', { ...options, signal: caller.signal })) got.push(one);
  })();
  const failure = following.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { asked, got: got.map(({ changes }) => changes.map(({ id }) => id)), failure: await failure };
}

describe('following changes', () => {
  it('asks again with each cursor, and waits', async () => {
    const { asked, got } = await follow([reply('c1', 'a', 'b'), reply('c2', 'a')], { limit: 2 });
    expect(asked).toEqual(['?wait=20&limit=2', '?wait=20&limit=2&cursor=c1', '?wait=20&limit=2&cursor=c2']);
    expect(got).toEqual([['a', 'b'], ['a']]);
  });

  it('starts at a cursor, and skips replies without anything new', async () => {
    const { asked, got } = await follow([reply('c1'), reply('c2'), reply('c2', 'a')], { cursor: 'c1' });
    expect(asked.at(0)).toBe('?wait=20&cursor=c1');
    expect(got).toEqual([[], ['a']]);
  });

  it('continues after an outage with the same cursor', async () => {
    const { asked, got } = await follow([
      reply('c1', 'a'),
      problem(503, 'UNAVAILABLE'),
      problem(429, 'TOO_MANY_REQUESTS'),
      () => {
        throw new TypeError('fetch failed');
      },
      reply('c2', 'b'),
    ]);
    expect(asked.slice(1, 5)).toEqual(Array.from({ length: 4 }, () => '?wait=20&cursor=c1'));
    expect(got).toEqual([['a'], ['b']]);
  });

  it('waits as long as Retry-After says', async () => {
    const startedAt = Date.now();
    const busy = () => Response.json({ code: 'TOO_MANY_REQUESTS' }, { status: 429, headers: { 'retry-after': '60' } });
    expect((await follow([busy, reply('c1', 'a')])).got).toEqual([['a']]);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(60_000);
  });

  it('waits longer than the time limit of other requests', async () => {
    const client = createClient({
      baseUrl: 'http://gateway',
      timeoutMs: 10_000,
      fetch: (_url, { signal } = {}) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          setTimeout(() => resolve(reply('c1', 'a')()), 20_000);
        }),
    });
    const asked = Date.now();
    const changes = client.responses.follow('s1')[Symbol.asyncIterator]().next();
    await vi.runAllTimersAsync();
    expect((await changes).value).toMatchObject({ next_cursor: 'c1' });
    expect(Date.now() - asked).toBe(20_000);
  });

  it('ends with an error that stays, and when the caller aborts', async () => {
    expect((await follow([reply('c1', 'a'), problem(410, 'CURSOR_EXPIRED')])).failure).toMatchObject({ status: 410 });
    expect((await follow([])).failure).toEqual(new Error('enough'));
  });
});
