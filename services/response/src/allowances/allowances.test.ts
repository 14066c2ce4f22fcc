import { AppError } from '@survey/runtime/errors/app-error';
import { parseRanges } from '@survey/runtime/limits/client';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createAllowances } from './allowances.ts';
import { createRefusalCounter } from './refusal-metrics.ts';

function start() {
  let time = 1_000;
  const registry = new Registry();
  const allowances = createAllowances({
    submitsPerMinute: 6,
    uploadsPerMinute: 4,
    failedLookupsPerMinute: 4,
    unlimited: parseRanges(['127.0.0.0/8']),
    countRefusal: createRefusalCounter(registry),
    now: () => time,
  });
  return {
    allowances,
    registry,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

/** How many of so many go through. */
function countOf(tries: number, attempt: () => unknown): number {
  let count = 0;
  for (let index = 0; index < tries; index += 1) {
    try {
      attempt();
      count += 1;
    } catch (error) {
      expect(error).toMatchObject({ reason: 'TOO_MANY_REQUESTS' });
    }
  }
  return count;
}

const client = '192.0.2.1';
const miss = () => Promise.reject(new AppError('LINK_NOT_FOUND'));

describe('what a client may do', () => {
  it('is so many submits to each place, and tells what is used up and until when', () => {
    const { allowances } = start();
    expect(countOf(10, () => allowances.submit(client, 's1'))).toBe(3);
    expect(countOf(10, () => allowances.submit(client, 's2'))).toBe(3);
    expect(countOf(10, () => allowances.submit('192.0.2.2', 's1'))).toBe(3);
    expect(() => allowances.submit(client, 's1')).toThrow(
      expect.objectContaining({
        retryAfterSeconds: 10,
        quota: { name: 'submits', requests: 6, windowSeconds: 60 },
      }),
    );
  });

  it('is nobody else’s of the same network, which may have 2^64 addresses', () => {
    const { allowances } = start();
    const hosts = ['1', '2', '3', '4', 'ffff:ffff:ffff:ffff'].values();
    expect(countOf(5, () => allowances.submit(`2001:db8::${hosts.next().value}`, 's'))).toBe(3);
    expect(countOf(1, () => allowances.submit('2001:db8:0:1::1', 's'))).toBe(1);
  });

  it('is so many uploads at the same time, which leaves places for others', async () => {
    const { allowances } = start();
    const arrived = Promise.withResolvers<void>();
    const begin = (address: string) => allowances.uploading(address, () => arrived.promise);
    const running = Array.from({ length: 16 }, () => begin(client));
    await expect(begin(client)).rejects.toMatchObject({
      reason: 'TOO_MANY_REQUESTS',
      quota: { name: 'concurrent-uploads', requests: 16, windowSeconds: undefined },
    });
    running.push(begin('192.0.2.2'), begin('127.0.0.1'));
    arrived.resolve();
    await Promise.all(running);
    await expect(allowances.uploading(client, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await Promise.all(Array.from({ length: 16 }, () => begin(client)));
  });

  it('is counted apart for submits and uploads', () => {
    const { allowances } = start();
    expect(countOf(10, () => allowances.submit(client, 's'))).toBe(3);
    expect(countOf(10, () => allowances.upload(client, 's'))).toBe(2);
  });

  it('is not less for what was done before', () => {
    const { allowances } = start();
    expect(countOf(10, () => allowances.submit(client, 's').giveBack())).toBe(10);
    expect(countOf(10, () => allowances.submit(client, 's'))).toBe(3);
  });

  it.each(['127.0.0.1', '127.9.9.9', ''])('has no end for the address "%s"', async (address) => {
    const { allowances } = start();
    expect(countOf(50, () => allowances.submit(address, 's'))).toBe(50);
    expect(countOf(50, () => allowances.upload(address, 's'))).toBe(50);
    for (let count = 0; count < 50; count += 1)
      await expect(allowances.lookUp(address, miss)).rejects.toMatchObject({ reason: 'LINK_NOT_FOUND' });
  });

  it('shows in the metrics when it was too much', async () => {
    const { allowances, registry } = start();
    countOf(5, () => allowances.submit(client, 's'));
    expect(await registry.metrics()).toContain('response_client_refusals_total{limit="submits"} 2\n');
  });
});

describe('a look-up', () => {
  it('counts when there is no such thing, after which nothing is looked up any more for a while', async () => {
    const { allowances, pass } = start();
    const refused = { reason: 'TOO_MANY_REQUESTS', retryAfterSeconds: 15, quota: { name: 'lookups' } };
    for (let count = 0; count < 2; count += 1)
      await expect(allowances.lookUp(client, miss)).rejects.toMatchObject({ reason: 'LINK_NOT_FOUND' });
    let looks = 0;
    const look = async () => {
      looks += 1;
    };
    await expect(allowances.lookUp(client, look)).rejects.toMatchObject(refused);
    expect(looks).toBe(0);
    await allowances.lookUp('192.0.2.2', look);
    pass(15_000);
    await allowances.lookUp(client, look);
    expect(looks).toBe(2);
  });

  it('counts when what was found says so', async () => {
    const { allowances } = start();
    for (let count = 0; count < 2; count += 1)
      expect(
        await allowances.lookUp(
          client,
          async () => 'wrong',
          (found) => found === 'wrong',
        ),
      ).toBe('wrong');
    await expect(allowances.lookUp(client, async () => 'right')).rejects.toMatchObject({ reason: 'TOO_MANY_REQUESTS' });
  });

  it('counts nothing when it finds, or cannot tell, as often as it may be', async () => {
    const { allowances } = start();
    const unavailable = () => Promise.reject(new AppError('UNAVAILABLE'));
    for (let count = 0; count < 20; count += 1) {
      expect(await allowances.lookUp(client, async () => 'it')).toBe('it');
      await expect(allowances.lookUp(client, unavailable)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    }
  });

  it('of many at the same time counts each miss', async () => {
    const { allowances, pass } = start();
    const misses = Array.from({ length: 5 }, () => allowances.lookUp(client, miss).catch(() => 'missed'));
    expect(await Promise.all(misses)).toEqual(Array(5).fill('missed'));
    pass(45_000);
    await expect(allowances.lookUp(client, miss)).rejects.toMatchObject({ reason: 'TOO_MANY_REQUESTS' });
    pass(15_000);
    await expect(allowances.lookUp(client, miss)).rejects.toMatchObject({ reason: 'LINK_NOT_FOUND' });
  });
});
