import { randomUUID } from 'node:crypto';
import {
  createEventRecorder,
  createTestConsumers,
  type TestConsumers,
} from '@survey/runtime/testing/kafka/test-consumers';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resetOffsets } from './reset-offsets.ts';

const PAST = new Date('2020-01-01T00:00:00Z');

describe('resetOffsets', () => {
  const { kafka } = createTestKafka();
  let test: TestConsumers;

  beforeAll(async () => {
    test = await createTestConsumers();
  });
  afterEach(() => test.stopAll());
  afterAll(() => test.cleanUp());

  /** Consumes one message of each topic as this group, and commits. */
  async function consume(groupId: string, ...topics: readonly string[]): Promise<void> {
    for (const topic of topics) {
      const { events, handle } = createEventRecorder();
      const consumer = test.start(topic, groupId, handle);
      await expect.poll(() => events).toEqual(['a']);
      await consumer.stop();
      expect(await test.committedOffset(topic, groupId)).toBe(1);
    }
  }

  it('changes only the given groups on their topics, even if others share Kafka and topics', async () => {
    const [topic, foreignTopic] = [await test.createTopic(1), await test.createTopic(1)];
    const [ours, theirs] = [randomUUID(), randomUUID()];
    for (const name of [topic, foreignTopic]) await test.publish(name, 'a');
    await consume(ours, topic, foreignTopic);
    await consume(theirs, topic, foreignTopic);
    const groups = [{ groupId: ours, topics: [topic] }];
    const changes = [{ group: ours, topic, partition: 0, from: '1', to: '0' }];
    expect(await resetOffsets(kafka, { groups, to: PAST, execute: false })).toEqual(changes);
    expect(await test.committedOffset(topic, ours)).toBe(1);
    expect(await resetOffsets(kafka, { groups, to: PAST, execute: true })).toEqual(changes);
    expect(await test.committedOffset(topic, ours)).toBe(0);
    expect(await test.committedOffset(foreignTopic, ours)).toBe(1);
    for (const name of [topic, foreignTopic]) expect(await test.committedOffset(name, theirs)).toBe(1);
  });

  it('skips groups and topics that do not exist, and goes to the end if no message is that new', async () => {
    const topic = await test.createTopic(1);
    const groupId = randomUUID();
    await test.publish(topic, 'a');
    await consume(groupId, topic);
    const groups = [
      { groupId, topics: [topic, randomUUID()] },
      { groupId: randomUUID(), topics: [topic] },
    ];
    const to = new Date(Date.now() + 3_600_000);
    expect(await resetOffsets(kafka, { groups, to, execute: true })).toEqual([
      { group: groupId, topic, partition: 0, from: '1', to: '1' },
    ]);
  });

  it('changes nothing while a group has members', async () => {
    const topic = await test.createTopic(1);
    const groupId = randomUUID();
    await test.publish(topic, 'a');
    const { events, handle } = createEventRecorder();
    test.start(topic, groupId, handle);
    await expect.poll(() => events).toEqual(['a']);
    const groups = [{ groupId, topics: [topic] }];
    expect(await resetOffsets(kafka, { groups, to: PAST, execute: false })).toHaveLength(1);
    const reset = resetOffsets(kafka, { groups, to: PAST, execute: true });
    await expect(reset).rejects.toThrow(`stop the services first: ${groupId}`);
  });
});
