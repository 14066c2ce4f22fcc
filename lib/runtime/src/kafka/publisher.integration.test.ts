import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestKafka, type TestKafka } from '../testing/kafka/test-kafka.ts';
import { testLog } from '../testing/test-log.ts';
import { createKafka } from './kafka-client.ts';
import { createPublisher, type Publisher } from './publisher.ts';

describe('a publisher', () => {
  let test: TestKafka;
  let publisher: Publisher;

  beforeAll(() => {
    test = createTestKafka();
    publisher = createPublisher({ kafka: test.kafka });
  });
  afterAll(async () => {
    await publisher.close();
    await test.cleanUp();
  });

  const messageOf = (topic: string, key: string, value: string | Uint8Array, headers = {}) => ({
    topic,
    key,
    value: typeof value === 'string' ? Buffer.from(value) : value,
    headers,
  });

  it('publishes with key, value and headers, in order for a key', async () => {
    const topic = await test.createTopic(3);
    const messages = ['a', 'b', 'a', 'b', 'a'].map((key, index) =>
      messageOf(topic, key, String(index), { ce_id: `e${index}` }),
    );
    await Promise.all([publisher.publish(messages.slice(0, 3)), publisher.publish(messages.slice(3))]);
    const read = await test.readTopic(topic, 5);
    expect(read.filter(({ key }) => key === 'a').map(({ headers }) => headers['ce_id'])).toEqual(['e0', 'e2', 'e4']);
    expect(read.filter(({ key }) => key === 'b').map(({ value }) => String(value))).toEqual(['1', '3']);
  });

  it('publishes only the bytes of a view, not its whole buffer', async () => {
    const topic = await test.createTopic(1);
    await publisher.publish([messageOf(topic, 'k', new Uint8Array(Buffer.from('__view__')).subarray(2, 6))]);
    expect(String((await test.readTopic(topic, 1))[0]?.value)).toBe('view');
  });

  it('splits batches that are too large for a broker', async () => {
    const topic = await test.createTopic(1);
    const big = Array.from({ length: 5 }, (_, index) => messageOf(topic, 'k', Buffer.alloc(400_000, index)));
    await publisher.publish(big);
    const many = Array.from({ length: 1_200 }, (_, index) => messageOf(topic, 'k', String(index)));
    await publisher.publish(many);
    const read = await test.readTopic(topic, 1_205);
    expect(read.slice(0, 5).map(({ value }) => value[0])).toEqual([0, 1, 2, 3, 4]);
    expect(read.slice(5).map(({ value }) => Number(String(value)))).toEqual(many.map((_, index) => index));
  });

  it('splits batches that are too large because of headers', async () => {
    const topic = await test.createTopic(1);
    const headers = { ce_id: 'x'.repeat(36), ce_type: 'response.submitted', other: 'x'.repeat(300) };
    const messages = Array.from({ length: 500 }, () => messageOf(topic, 'k'.repeat(36), Buffer.alloc(1_799), headers));
    await publisher.publish(messages);
    expect(await test.readTopic(topic, 500)).toHaveLength(500);
  });

  it('forwards binary data, missing keys and values, and repeated headers', async () => {
    const topic = await test.createTopic(1);
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    const headers = { binary: [bytes], twice: [Buffer.from('1'), Buffer.from('2')] };
    await publisher.forward([
      { topic, key: bytes, value: bytes, headers },
      { topic, key: null, value: null, headers: {} },
    ]);
    const [first, second] = await test.readRaw(topic, 2);
    expect(first).toMatchObject({ key: bytes, value: bytes, headers: { ...headers, binary: bytes } });
    expect(second).toMatchObject({ key: null, value: null, headers: {} });
  });

  it('sends nothing for no messages', async () => {
    await publisher.publish([]);
  });

  it('rejects what it cannot send, and continues', async () => {
    const topic = await test.createTopic(1);
    await expect(publisher.publish([messageOf('test-not-there', 'k', 'x')])).rejects.toThrow();
    await publisher.publish([messageOf(topic, 'k', 'x')]);
  });

  it('rejects without a broker', async () => {
    const kafka = createKafka({ brokers: ['127.0.0.1:1'], clientId: 'test', log: testLog });
    const lonely = createPublisher({ kafka });
    await expect(lonely.publish([messageOf('x', 'k', 'x')])).rejects.toThrow();
    await lonely.close();
  });
});
