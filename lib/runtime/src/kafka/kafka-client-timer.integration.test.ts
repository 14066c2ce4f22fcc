import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestKafka, type TestKafka } from '../testing/kafka/test-kafka.ts';
import { patchRequestQueue } from './kafka-client.ts';
import { createPublisher } from './publisher.ts';

describe('the patched request queue', () => {
  let test: TestKafka;

  beforeAll(() => {
    test = createTestKafka();
  });
  afterAll(() => test.cleanUp());

  it('sets no negative timers while messages are sent', async () => {
    const warnings: string[] = [];
    const collect = ({ name }: Error) => warnings.push(name);
    process.on('warning', collect);
    const topic = await test.createTopic(2);
    const publisher = createPublisher({ kafka: test.kafka });
    for (const key of ['a', 'b', 'c']) {
      await publisher.publish([{ topic, key, value: Buffer.from('x'), headers: {} }]);
    }
    await publisher.close();
    process.off('warning', collect);
    expect(warnings).not.toContain('TimeoutNegativeWarning');
  });

  it('can be patched twice', () => {
    expect(patchRequestQueue).not.toThrow();
  });

  it('is not patched if kafkajs has changed', () => {
    const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js');
    const [patched] = Object.getOwnPropertySymbols(prototype);
    if (patched === undefined) throw new Error('it is not patched');
    delete prototype[patched];
    // The patched method does not have the fault.
    expect(patchRequestQueue).toThrow('kafkajs has changed');
    Object.defineProperty(prototype, patched, { value: true });
  });
});
