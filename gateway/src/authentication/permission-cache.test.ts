import { describe, expect, it } from 'vitest';
import { createPermissionCache, type Grant } from './permission-cache.ts';

const anna = { tenantId: 'tenant-1', subject: 'anna' };
const bert = { tenantId: 'tenant-1', subject: 'bert' };
const grant = (...permissions: string[]): Grant => ({ permissions: new Set(permissions), version: permissions.join() });

function setUp() {
  let time = 1_000_000;
  let asked = 0;
  let reply: () => Promise<Grant | undefined> = async () => grant('a:read');
  const cache = createPermissionCache({
    load: () => {
      asked += 1;
      return reply();
    },
    cacheKeyOf: ({ tenantId, subject }: typeof anna) => `${tenantId}/${subject}`,
    now: () => time,
  });
  return {
    cache,
    asked: () => asked,
    pass: (ms: number) => {
      time += ms;
    },
    replyWith: (next: () => Promise<Grant | undefined>) => {
      reply = next;
    },
  };
}

const away = () => Promise.reject(new Error('away'));

describe('the permission cache', () => {
  it('loads once for concurrent requests', async () => {
    const { cache, asked } = setUp();
    const grants = await Promise.all([cache.get(anna), cache.get(anna), cache.get({ ...anna })]);
    expect(grants).toEqual([grant('a:read'), grant('a:read'), grant('a:read')]);
    expect(asked()).toBe(1);
  });

  it('recalls a cached grant without loading', async () => {
    const { cache, asked, replyWith } = setUp();
    expect(cache.findCached(anna)).toBeUndefined();
    await cache.get(anna);
    replyWith(async () => undefined);
    await cache.get(bert);
    expect([cache.findCached({ ...anna }), cache.findCached(bert), asked()]).toEqual([grant('a:read'), undefined, 2]);
  });

  it('keeps principals apart', async () => {
    const { cache, replyWith } = setUp();
    await cache.get(anna);
    replyWith(async () => grant('b:read'));
    expect(await cache.get(bert)).toEqual(grant('b:read'));
    expect(await cache.get({ tenantId: 'tenant-2', subject: 'anna' })).toEqual(grant('b:read'));
    expect(await cache.get(anna)).toEqual(grant('a:read'));
  });

  it('returns a change after three seconds', async () => {
    const { cache, pass, replyWith } = setUp();
    await cache.get(anna);
    replyWith(async () => grant('a:write'));
    pass(2_999);
    expect(await cache.get(anna)).toEqual(grant('a:read'));
    pass(1);
    expect(await cache.get(anna)).toEqual(grant('a:write'));
  });

  it('caches for three seconds that a user is unknown', async () => {
    const { cache, asked, pass, replyWith } = setUp();
    replyWith(async () => undefined);
    expect(await cache.get(anna)).toBeUndefined();
    expect(await cache.get(anna)).toBeUndefined();
    expect(asked()).toBe(1);
    pass(3_000);
    replyWith(async () => grant('a:read'));
    expect(await cache.get(anna)).toEqual(grant('a:read'));
  });

  it('fails if the load fails and nothing is cached, and loads again a second later', async () => {
    const { cache, asked, pass, replyWith } = setUp();
    replyWith(away);
    await expect(cache.get(anna)).rejects.toThrow('away');
    replyWith(async () => grant('a:read'));
    pass(999);
    for (const user of [anna, bert])
      await expect(cache.get(user)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
    expect(asked()).toBe(1);
    pass(1);
    expect(await cache.get(anna)).toEqual(grant('a:read'));
  });

  it('keeps the last grant for ten minutes while loads fail', async () => {
    const { cache, pass, replyWith } = setUp();
    await cache.get(anna);
    replyWith(away);
    pass(599_999);
    expect(await cache.get(anna)).toEqual(grant('a:read'));
    pass(1);
    await expect(cache.get(anna)).rejects.toThrow('unavailable');
    pass(999);
    await expect(cache.get(anna)).rejects.toThrow('away');
  });

  it('does not make known callers wait for each failing load', async () => {
    const { cache, asked, pass, replyWith } = setUp();
    await cache.get(anna);
    await cache.get(bert);
    pass(3_000);
    replyWith(away);
    await cache.get(anna);
    await cache.get(bert);
    expect(asked()).toBe(3);
    pass(1_000);
    replyWith(async () => grant('a:write'));
    expect(await cache.get(bert)).toEqual(grant('a:write'));
  });

  it('loads known callers even while guesses fail', async () => {
    const { cache, pass, replyWith } = setUp();
    await cache.get(anna);
    pass(3_000);
    replyWith(away);
    await expect(cache.get(bert)).rejects.toThrow('away');
    replyWith(async () => undefined);
    expect(await cache.get(anna)).toBeUndefined();
  });

  it('keeps no grant longer than ten minutes, even during a pause of loads', async () => {
    const { cache, asked, pass, replyWith } = setUp();
    await cache.get(anna);
    pass(600_000);
    replyWith(away);
    await expect(cache.get(bert)).rejects.toThrow('away');
    await expect(cache.get(anna)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(asked()).toBe(2);
  });

  it('does not restore the grant of a removed user', async () => {
    const { cache, pass, replyWith } = setUp();
    await cache.get(anna);
    pass(3_000);
    replyWith(async () => undefined);
    expect(await cache.get(anna)).toBeUndefined();
    pass(3_000);
    replyWith(away);
    expect(await cache.get(anna)).toBeUndefined();
  });

  it('keeps known callers, however many unknown ones there are', async () => {
    const { cache, replyWith } = setUp();
    await cache.get(anna);
    replyWith(async () => undefined);
    for (let guess = 0; guess < 60_000; guess += 1) await cache.get({ ...anna, subject: `${guess}` });
    replyWith(away);
    expect(await cache.get(anna)).toEqual(grant('a:read'));
  });
});
