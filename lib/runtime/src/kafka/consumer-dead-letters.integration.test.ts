import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEventRecorder, createTestConsumers, type TestConsumers } from '../testing/kafka/test-consumers.ts';
import { testLog } from '../testing/test-log.ts';
import { deadLetterTopic, ensureTopics, toTopicSpec } from './topics.ts';

const shape = { partitions: 1, replication: 1, minInsync: 1 };

describe('a message that cannot be handled', () => {
  let test: TestConsumers;

  beforeAll(async () => {
    test = await createTestConsumers();
  });
  afterEach(() => test.stopAll());
  afterAll(() => test.cleanUp());

  it('moves unreadable messages to the dead letters, with the cause, and continues', async () => {
    const topic = await test.createTopic(1);
    const registry = new Registry();
    const { events, handle } = createEventRecorder();
    const group = randomUUID();
    await test.publish(topic, 'a', 'bad one', 'b', 'bad two');
    test.start(topic, group, handle, registry);
    await test.publish(topic, 'c');
    await expect.poll(() => events).toEqual(['a', 'b', 'c']);
    const dead = await test.readTopic(deadLetterTopic(topic), 2);
    expect(dead.map(({ key, value }) => [key, String(value)])).toEqual([
      ['k', 'bad one'],
      ['k', 'bad two'],
    ]);
    expect(dead[0]?.headers).toEqual({
      ce_id: 'bad one',
      dead_letter_topic: topic,
      dead_letter_partition: '0',
      dead_letter_offset: '1',
      dead_letter_group: group,
      dead_letter_cause: 'cannot read bad one',
    });
    const labels = { group, topic, kind: 'unreadable' };
    const counted = await registry.getSingleMetric('kafka_consumer_dead_letters_total')?.get();
    expect(counted?.values).toEqual([
      { value: 2, labels },
      { value: 0, labels: { ...labels, kind: 'failing' } },
    ]);
  });

  it('is counted as a waiting dead letter', async () => {
    const topic = await test.createTopic(1);
    const registry = new Registry();
    const { events, handle } = createEventRecorder();
    await test.publish(topic, 'bad', 'a');
    test.start(topic, randomUUID(), handle, registry);
    await expect.poll(() => events).toEqual(['a']);
    const waiting = async () => (await registry.getSingleMetric('kafka_dead_letters_waiting')?.get())?.values;
    await expect.poll(waiting).toEqual([{ value: 1, labels: { topic } }]);
  });

  it('waits until the topic of dead letters exists', async () => {
    const topic = `test-${randomUUID()}`;
    const groupId = randomUUID();
    const registry = new Registry();
    const { events, handle } = createEventRecorder();
    await ensureTopics(test.kafka, [toTopicSpec(topic, shape)], testLog);
    test.deleteLater(topic);
    await test.publish(topic, 'bad', 'a');
    test.start(topic, groupId, handle, registry);
    await expect.poll(() => registry.metrics()).toMatch(/kafka_consumer_failures_total{.*} [2-9]/);
    expect(events).toEqual([]);
    expect(await test.committedOffset(topic, groupId)).toBeLessThanOrEqual(0);
    await ensureTopics(test.kafka, [toTopicSpec(deadLetterTopic(topic), shape)], testLog);
    test.deleteLater(deadLetterTopic(topic));
    await expect.poll(() => events).toEqual(['a']);
    expect((await test.readTopic(deadLetterTopic(topic), 1)).map(({ value }) => String(value))).toEqual(['bad']);
    await expect.poll(() => test.committedOffset(topic, groupId)).toBe(2);
  });

  it('becomes a dead letter if it always fails, while the others are handled', async () => {
    const topic = await test.createTopic(1);
    const groupId = randomUUID();
    const { events, handle } = createEventRecorder();
    await test.publish(topic, 'a', 'poison', 'b');
    test.start(topic, groupId, async (chunk) => {
      if (chunk.includes('poison')) throw new TypeError('cannot handle it');
      await handle(chunk);
    });
    await expect.poll(() => events).toEqual(['a', 'b']);
    const [dead] = await test.readTopic(deadLetterTopic(topic), 1);
    expect(dead).toMatchObject({ key: 'k', headers: { ce_id: 'poison', dead_letter_cause: 'cannot handle it' } });
    await expect.poll(() => test.committedOffset(topic, groupId)).toBe(3);
  });
});
