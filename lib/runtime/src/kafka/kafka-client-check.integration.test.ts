import { afterEach, describe, expect, it } from 'vitest';
import { createTestKafka } from '../testing/kafka/test-kafka.ts';
import { testLog } from '../testing/test-log.ts';
import { createKafka, createKafkaCheck } from './kafka-client.ts';

type KafkaCheck = ReturnType<typeof createKafkaCheck>;

describe('createKafkaCheck', () => {
  const checks: KafkaCheck[] = [];
  afterEach(() => Promise.all(checks.splice(0).map((check) => check.close())));

  function create(brokers?: string[]): KafkaCheck {
    const kafka = brokers ? createKafka({ brokers, clientId: 'test', log: testLog }) : createTestKafka().kafka;
    checks.push(createKafkaCheck(kafka));
    return checks[0] as KafkaCheck; // pushed above
  }

  it('resolves while a broker replies, for repeated and concurrent calls', async () => {
    const { check } = create();
    await Promise.all([check(), check(), check()]);
    await check();
  });

  it('rejects each time while no broker replies', async () => {
    const { check } = create(['127.0.0.1:1']);
    await expect(check()).rejects.toThrow();
    await expect(check()).rejects.toThrow();
  });

  it('reconnects after it was closed', async () => {
    const { check, close } = create();
    await check();
    await close();
    await check();
  });
});
