import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { createEventRecorder, createTestConsumers, type TestConsumers } from '../testing/kafka/test-consumers.ts';

describe('the offsets of a consumer group', () => {
  let test: TestConsumers;

  beforeAll(async () => {
    test = await createTestConsumers();
  });
  afterEach(() => test.stopAll());
  afterAll(() => test.cleanUp());

  it('continue without repeats after a clean stop', async () => {
    const topic = await test.createTopic(1);
    const groupId = randomUUID();
    await test.publish(topic, 'a', 'b');
    const first = createEventRecorder();
    const before = test.start(topic, groupId, first.handle);
    await expect.poll(() => first.events).toEqual(['a', 'b']);
    await before.stop();
    await test.publish(topic, 'c');
    const second = createEventRecorder();
    test.start(topic, groupId, second.handle);
    await expect.poll(() => second.events).toEqual(['c']);
  });

  it('leave unhandled events to the next member of the group', async () => {
    const topic = await test.createTopic(1);
    const groupId = randomUUID();
    await test.publish(topic, 'a', 'b');
    let tried = 0;
    const failing = test.start(topic, groupId, async () => {
      tried += 1;
      throw new AppError('UNAVAILABLE');
    });
    await expect.poll(() => tried).toBeGreaterThan(1);
    await failing.stop();
    const { events, handle } = createEventRecorder();
    test.start(topic, groupId, handle);
    await expect.poll(() => events).toEqual(['a', 'b']);
  });

  it('are committed up to the handled part of a batch', async () => {
    const topic = await test.createTopic(1);
    const groupId = randomUUID();
    const gate = Promise.withResolvers<void>();
    let handled = 0;
    await test.publish(topic, ...Array.from({ length: 1_000 }, (_, index) => `e${index}`));
    test.start(topic, groupId, async (chunk) => {
      if (handled >= 800) await gate.promise;
      handled += chunk.length;
    });
    await expect.poll(() => handled).toBe(800);
    await expect.poll(() => test.committedOffset(topic, groupId)).toBe(800);
    gate.resolve();
    await expect.poll(() => test.committedOffset(topic, groupId)).toBe(1_000);
  });

  it('are not committed for unhandled events when a rebalance begins', async () => {
    const topic = await test.createTopic(1);
    const groupId = randomUUID();
    const values = Array.from({ length: 300 }, (_, index) => `e${index}`);
    const gate = Promise.withResolvers<void>();
    const handled: string[] = [];
    await test.publish(topic, ...values);
    const handle = async (chunk: readonly string[]) => {
      if (handled.length >= 100) await gate.promise;
      handled.push(...chunk);
    };
    const registry = new Registry();
    test.start(topic, groupId, handle);
    await expect.poll(() => handled.length).toBe(100);
    test.start(topic, groupId, handle, registry);
    await expect.poll(() => test.groupState(groupId)).toBe('PreparingRebalance');
    await expect.poll(() => test.committedOffset(topic, groupId)).toBe(100);
    gate.resolve();
    await expect.poll(() => test.committedOffset(topic, groupId)).toBe(300);
    expect([...new Set(handled)]).toEqual(values);
    await expect.poll(() => registry.metrics()).toMatch(/kafka_consumer_rebalances_total{.*} 1/);
  });
});
