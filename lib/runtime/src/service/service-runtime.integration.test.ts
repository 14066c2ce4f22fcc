import { afterEach, describe, expect, it } from 'vitest';
import { createPublisher } from '../kafka/publisher.ts';
import { poll } from '../testing/poll.ts';
import { createTestConfig } from '../testing/test-config.ts';
import { createTestKafka } from '../testing/test-kafka.ts';
import { createTestKeys } from '../testing/test-keys.ts';
import { testLog } from '../testing/test-log.ts';
import { createServiceRuntime } from './service-runtime.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

describe('consumers of the same name', () => {
  it('of two services both get every event, even with the same database', async () => {
    const test = createTestKafka();
    const keys = await createTestKeys();
    const publisher = createPublisher({ kafka: test.kafka });
    cleanups.push(test.cleanUp, keys.close, publisher.close);
    const topic = await test.createTopic(3);
    const { mongodbDatabase } = createTestConfig('survey', keys);

    async function consume(service: string): Promise<ReadonlySet<string>> {
      const config = { ...createTestConfig(service, keys), mongodbDatabase };
      const runtime = await createServiceRuntime(service, config, testLog);
      const seen = new Set<string>();
      const consumer = runtime.consumer<string>({
        name: 'events',
        topics: [topic],
        handler: {
          decode: ({ value }) => Buffer.from(value).toString(),
          handle: async (events) => events.forEach((event) => void seen.add(event)),
        },
      });
      consumer.start();
      cleanups.push(runtime.close, consumer.stop);
      return seen;
    }

    const both = [await consume('survey'), await consume('response')];
    const numbers = Array.from({ length: 30 }, (_, index) => String(index));
    await publisher.publish(numbers.map((number) => ({ topic, key: number, value: Buffer.from(number), headers: {} })));
    await poll(() => both.every(({ size }) => size === numbers.length), { timeoutMs: 30_000 });
    expect(both.map((seen) => [...seen].sort())).toEqual([numbers.toSorted(), numbers.toSorted()]);
  });
});
