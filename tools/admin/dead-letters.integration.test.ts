import { randomUUID } from 'node:crypto';
import { countDeadLetters } from '@survey/runtime/kafka/dead-letters';
import { createPublisher } from '@survey/runtime/kafka/publisher';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { afterAll, describe, expect, it } from 'vitest';
import { createDeadLetters } from './dead-letters.ts';

const { kafka, createTopic, readTopic, cleanUp } = createTestKafka();
const publisher = createPublisher({ kafka });

const admin = kafka.admin();

afterAll(async () => {
  await admin.disconnect();
  await publisher.close();
  await cleanUp();
});

const MARKS = { dead_letter_group: 'g', dead_letter_cause: 'no event', dead_letter_offset: '7' };

describe('dead letters', () => {
  it('are listed with their cause, and republished to their topic once', async () => {
    const topic = await createTopic(2);
    const letters = createDeadLetters({ kafka, publisher, topic, newId: randomUUID });
    expect(await letters.list()).toEqual([]);
    expect(await letters.replay()).toBe(0);
    const send = (...keys: readonly string[]) =>
      publisher.publish(
        keys.map((key) => ({
          topic: deadLetterTopic(topic),
          key,
          value: Buffer.from(`value of ${key}`),
          headers: { ...MARKS, dead_letter_topic: topic, ce_id: key },
        })),
      );
    await send('a', 'b', 'c');
    await admin.connect();
    expect(await countDeadLetters(admin, topic)).toBe(3);
    const listed = await letters.list();
    expect(listed.map(({ key }) => key).sort()).toEqual(['a', 'b', 'c']);
    expect(listed[0]?.headers).toMatchObject({ dead_letter_cause: 'no event', dead_letter_topic: topic });
    expect(await letters.replay()).toBe(3);
    expect(await countDeadLetters(admin, topic)).toBe(0);
    expect(await letters.list()).toEqual([]);
    await send('d');
    expect((await letters.list()).map(({ key }) => key)).toEqual(['d']);
    expect(await letters.replay()).toBe(1);
    const again = await readTopic(topic, 4);
    expect(
      again.map(({ key, headers }) => ({ key, headers })).sort((one, other) => (one.key < other.key ? -1 : 1)),
    ).toEqual(['a', 'b', 'c', 'd'].map((key) => ({ key, headers: { ce_id: key } })));
    expect(again.map(({ value }) => Buffer.from(value).toString()).sort()).toEqual(
      ['a', 'b', 'c', 'd'].map((key) => `value of ${key}`),
    );
  });

  it('are discarded one by one, the oldest first', async () => {
    const topic = await createTopic(1);
    const letters = createDeadLetters({ kafka, publisher, topic, newId: randomUUID });
    await expect(letters.discard({ partition: 0, offset: '0' })).rejects.toThrow('no dead letter waits');
    for (const key of ['a', 'b'])
      await publisher.publish([{ topic: deadLetterTopic(topic), key, value: Buffer.from(key), headers: MARKS }]);
    await expect(letters.discard({ partition: 0, offset: '1' })).rejects.toThrow('has the offset 0');
    await letters.discard({ partition: 0, offset: '0' });
    expect((await letters.list()).map(({ key }) => key)).toEqual(['b']);
    expect(await letters.replay()).toBe(1);
  });
});
