import { describe, expect, it } from 'vitest';
import { createPermissionCache, type Grant } from './permission-cache.ts';

const anna = { tenantId: 'tenant-1', subject: 'anna' };
const bert = { tenantId: 'tenant-1', subject: 'bert' };
const grant = (...permissions: string[]): Grant => ({ permissions: new Set(permissions), version: permissions.join() });

function setUp() {
  let time = 1_000_000;
  let asked = 0;
  let answer: () => Promise<Grant | undefined> = async () => grant('a:read');
  const cache = createPermissionCache({
    load: () => {
      asked += 1;
      return answer();
    },
    idOf: ({ tenantId, subject }: typeof anna) => `${tenantId}/${subject}`,
    now: () => time,
  });
  return {
    cache,
    asked: () => asked,
    pass: (ms: number) => {
      time += ms;
    },
    answers: (next: () => Promise<Grant | undefined>) => {
      answer = next;
    },
  };
}

const away = () => Promise.reject(new Error('away'));

describe('the permission cache', () => {
  it('asks once for many that come at the same time', async () => {
    const { cache, asked } = setUp();
    const grants = await Promise.all([cache.get(anna), cache.get(anna), cache.get({ ...anna })]);
    expect(grants).toEqual([grant('a:read'), grant('a:read'), grant('a:read')]);
    expect(asked()).toBe(1);
  });

  it('tells whom it knows, without asking', async () => {
    const { cache, asked, answers } = setUp();
    expect(cache.recall(anna)).toBeUndefined();
    await cache.get(anna);
    answers(async () => undefined);
    await cache.get(bert);
    expect([cache.recall({ ...anna }), cache.recall(bert), asked()]).toEqual([grant('a:read'), undefined, 2]);
  });

  it('keeps principals apart', async () => {
    const { cache, answers } = setUp();
    await cache.get(anna);
    answers(async () => grant('b:read'));
    expect(await cache.get(bert)).toEqual(grant('b:read'));
    expect(await cache.get({ tenantId: 'tenant-2', subject: 'anna' })).toEqual(grant('b:read'));
    expect(await cache.get(anna)).toEqual(grant('a:read'));
  });

  it('tells a change after three seconds', async () => {
    const { cache, pass, answers } = setUp();
    await cache.get(anna);
    answers(async () => grant('a:write'));
    pass(2_999);
    expect(await cache.get(anna)).toEqual(grant('a:read'));
    pass(1);
    expect(await cache.get(anna)).toEqual(grant('a:write'));
  });

  it('remembers for three seconds that there is no such user', async () => {
    const { cache, asked, pass, answers } = setUp();
    answers(async () => undefined);
    expect(await cache.get(anna)).toBeUndefined();
    expect(await cache.get(anna)).toBeUndefined();
    expect(asked()).toBe(1);
    pass(3_000);
    answers(async () => grant('a:read'));
    expect(await cache.get(anna)).toEqual(grant('a:read'));
  });

  it('fails when nobody can tell and nothing is known, and asks again a second later', async () => {
    const { cache, asked, pass, answers } = setUp();
    answers(away);
    await expect(cache.get(anna)).rejects.toThrow('away');
    answers(async () => grant('a:read'));
    pass(999);
    for (const who of [anna, bert])
      await expect(cache.get(who)).rejects.toMatchObject({ reason: 'UNAVAILABLE', retryAfterSeconds: 1 });
    expect(asked()).toBe(1);
    pass(1);
    expect(await cache.get(anna)).toEqual(grant('a:read'));
  });

  it('gives what was known last for ten minutes while nobody can tell', async () => {
    const { cache, pass, answers } = setUp();
    await cache.get(anna);
    answers(away);
    pass(599_999);
    expect(await cache.get(anna)).toEqual(grant('a:read'));
    pass(1);
    await expect(cache.get(anna)).rejects.toThrow('cannot answer');
    pass(999);
    await expect(cache.get(anna)).rejects.toThrow('away');
  });

  it('does not let those that are known wait for one failure after the other', async () => {
    const { cache, asked, pass, answers } = setUp();
    await cache.get(anna);
    await cache.get(bert);
    pass(3_000);
    answers(away);
    await cache.get(anna);
    await cache.get(bert);
    expect(asked()).toBe(3);
    pass(1_000);
    answers(async () => grant('a:write'));
    expect(await cache.get(bert)).toEqual(grant('a:write'));
  });

  it('asks for those that it knows, however often guesses fail', async () => {
    const { cache, pass, answers } = setUp();
    await cache.get(anna);
    pass(3_000);
    answers(away);
    await expect(cache.get(bert)).rejects.toThrow('away');
    answers(async () => undefined);
    expect(await cache.get(anna)).toBeUndefined();
  });

  it('keeps nobody longer than ten minutes, though it asks for nobody for a moment', async () => {
    const { cache, asked, pass, answers } = setUp();
    await cache.get(anna);
    pass(600_000);
    answers(away);
    await expect(cache.get(bert)).rejects.toThrow('away');
    await expect(cache.get(anna)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect(asked()).toBe(2);
  });

  it('does not bring back what a user had before it was removed', async () => {
    const { cache, pass, answers } = setUp();
    await cache.get(anna);
    pass(3_000);
    answers(async () => undefined);
    expect(await cache.get(anna)).toBeUndefined();
    pass(3_000);
    answers(away);
    expect(await cache.get(anna)).toBeUndefined();
  });

  it('keeps those that it knows, however many there are that nobody knows', async () => {
    const { cache, answers } = setUp();
    await cache.get(anna);
    answers(async () => undefined);
    for (let guess = 0; guess < 60_000; guess += 1) await cache.get({ ...anna, subject: `${guess}` });
    answers(away);
    expect(await cache.get(anna)).toEqual(grant('a:read'));
  });
});
