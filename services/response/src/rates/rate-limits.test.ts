import { AppError } from '@survey/runtime/errors/app-error';
import { parseRanges } from '@survey/runtime/flow/client-address';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createRateLimits, createRejectionCounter } from './rate-limits.ts';

function start() {
  let time = 1_000;
  const registry = new Registry();
  const rateLimits = createRateLimits({
    submitsPerMinute: 6,
    uploadsPerMinute: 4,
    failedLookupsPerMinute: 4,
    unlimitedRanges: parseRanges(['127.0.0.0/8']),
    countRejection: createRejectionCounter(registry),
    now: () => time,
  });
  return {
    rateLimits,
    registry,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

function countOf(tries: number, attempt: () => unknown): number {
  let count = 0;
  for (let index = 0; index < tries; index += 1) {
    try {
      attempt();
      count += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    }
  }
  return count;
}

const client = '192.0.2.1';
const miss = () => Promise.reject(new AppError('LINK_NOT_FOUND'));

describe('rate limits', () => {
  it('limit submits per target, and report the quota and when to retry', () => {
    const { rateLimits } = start();
    expect(countOf(10, () => rateLimits.permitSubmit(client, 's1'))).toBe(3);
    expect(countOf(10, () => rateLimits.permitSubmit(client, 's2'))).toBe(3);
    expect(countOf(10, () => rateLimits.permitSubmit('192.0.2.2', 's1'))).toBe(3);
    expect(() => rateLimits.permitSubmit(client, 's1')).toThrow(
      expect.objectContaining({
        retryAfterSeconds: 10,
        quota: { name: 'submits', requests: 6, windowSeconds: 60 },
      }),
    );
  });

  it('treat all addresses of a /64 network as one client', () => {
    const { rateLimits } = start();
    const hosts = ['1', '2', '3', '4', 'ffff:ffff:ffff:ffff'].values();
    expect(countOf(5, () => rateLimits.permitSubmit(`2001:db8::${hosts.next().value}`, 's'))).toBe(3);
    expect(countOf(1, () => rateLimits.permitSubmit('2001:db8:0:1::1', 's'))).toBe(1);
  });

  it('allow a number of concurrent uploads, which leaves slots for other clients', async () => {
    const { rateLimits } = start();
    const arrived = Promise.withResolvers<void>();
    const begin = (address: string) => rateLimits.runUpload(address, () => arrived.promise);
    const running = Array.from({ length: 16 }, () => begin(client));
    await expect(begin(client)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      quota: { name: 'concurrent-uploads', requests: 16, windowSeconds: undefined },
    });
    running.push(begin('192.0.2.2'), begin('127.0.0.1'));
    arrived.resolve();
    await Promise.all(running);
    await expect(rateLimits.runUpload(client, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await Promise.all(Array.from({ length: 16 }, () => begin(client)));
  });

  it('are separate for submits and uploads', () => {
    const { rateLimits } = start();
    expect(countOf(10, () => rateLimits.permitSubmit(client, 's'))).toBe(3);
    expect(countOf(10, () => rateLimits.permitUpload(client, 's'))).toBe(2);
  });

  it('do not count returned permits', () => {
    const { rateLimits } = start();
    expect(countOf(10, () => rateLimits.permitSubmit(client, 's').giveBack())).toBe(10);
    expect(countOf(10, () => rateLimits.permitSubmit(client, 's'))).toBe(3);
  });

  it.each(['127.0.0.1', '127.9.9.9', ''])('do not apply to the address "%s"', async (address) => {
    const { rateLimits } = start();
    expect(countOf(50, () => rateLimits.permitSubmit(address, 's'))).toBe(50);
    expect(countOf(50, () => rateLimits.permitUpload(address, 's'))).toBe(50);
    for (let count = 0; count < 50; count += 1)
      await expect(rateLimits.lookUp(address, miss)).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
  });

  it('count rejections in the metrics', async () => {
    const { rateLimits, registry } = start();
    countOf(5, () => rateLimits.permitSubmit(client, 's'));
    expect(await registry.metrics()).toContain('response_client_refusals_total{limit="submits"} 2\n');
  });
});

describe('a lookup', () => {
  it('counts if there is no such thing; above the limit, nothing is looked up for a while', async () => {
    const { rateLimits, pass } = start();
    const rejected = { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 15, quota: { name: 'lookups' } };
    for (let count = 0; count < 2; count += 1)
      await expect(rateLimits.lookUp(client, miss)).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
    let looks = 0;
    const look = async () => {
      looks += 1;
    };
    await expect(rateLimits.lookUp(client, look)).rejects.toMatchObject(rejected);
    expect(looks).toBe(0);
    await rateLimits.lookUp('192.0.2.2', look);
    pass(15_000);
    await rateLimits.lookUp(client, look);
    expect(looks).toBe(2);
  });

  it('counts if its result is a miss', async () => {
    const { rateLimits } = start();
    for (let count = 0; count < 2; count += 1)
      expect(
        await rateLimits.lookUp(
          client,
          async () => 'wrong',
          (found) => found === 'wrong',
        ),
      ).toBe('wrong');
    await expect(rateLimits.lookUp(client, async () => 'right')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  it('does not count if it finds something or fails', async () => {
    const { rateLimits } = start();
    const unavailable = () => Promise.reject(new AppError('UNAVAILABLE'));
    for (let count = 0; count < 20; count += 1) {
      expect(await rateLimits.lookUp(client, async () => 'it')).toBe('it');
      await expect(rateLimits.lookUp(client, unavailable)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
  });

  it('counts each concurrent miss', async () => {
    const { rateLimits, pass } = start();
    const misses = Array.from({ length: 5 }, () => rateLimits.lookUp(client, miss).catch(() => 'missed'));
    expect(await Promise.all(misses)).toEqual(Array(5).fill('missed'));
    pass(45_000);
    await expect(rateLimits.lookUp(client, miss)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    pass(15_000);
    await expect(rateLimits.lookUp(client, miss)).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
  });
});
