import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseKeyring } from '../crypto/keyring.ts';
import { expiriesOf } from '../crypto/parse-certificates.ts';
import { createPublisher } from '../kafka/publisher.ts';
import { createTestKafka } from '../testing/kafka/test-kafka.ts';
import { poll } from '../testing/poll.ts';
import { certificatesOf } from '../testing/test-certificates.ts';
import { createTestConfig } from '../testing/test-config.ts';
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
    await poll(() => both.every(({ size }) => size === numbers.length));
    expect(both.map((seen) => [...seen].sort())).toEqual([numbers.toSorted(), numbers.toSorted()]);
  });
});

describe('the secrets of a service', () => {
  it('have their ends and failed reloads as metrics', async () => {
    const keys = await createTestKeys();
    const folder = await mkdtemp(join(tmpdir(), 'survey-secrets-'));
    cleanups.push(keys.close, () => rm(folder, { recursive: true }));
    const file = (name: string) => join(folder, name);
    await cp(certificatesOf('first'), folder, { recursive: true });
    const key = { ...keys.privateKeyOf('survey'), exp: 2_000_000_000 };
    const keyring = JSON.stringify({
      active: 'k1',
      keys: { k1: Buffer.alloc(32, 1).toString('base64') },
      rotate_by: '2033-05-18T03:33:20Z',
    });
    await writeFile(file('key.json'), JSON.stringify(key));
    await writeFile(file('keyring.json'), keyring);
    const internalKey = { value: key, file: file('key.json'), parse: (text: string) => JSON.parse(text) };
    const config = { ...createTestConfig('survey', keys), internalKey, tlsDir: folder };
    const runtime = await createServiceRuntime('survey', config, testLog);
    cleanups.push(runtime.close);
    await runtime.envelope({ value: parseKeyring(keyring), file: file('keyring.json'), parse: parseKeyring });

    const valuesOf = async (name: string) => (await runtime.registry.getSingleMetric(name)?.get())?.values ?? [];
    const failing = async () => {
      const values = await valuesOf('secret_reload_failing');
      return values.filter(({ value }) => value === 1).map(({ labels }) => labels['secret']);
    };
    const end = async (name: string) => {
      const found = expiriesOf(name, await readFile(file(name), 'utf8'))[name];
      return (found?.getTime() ?? 0) / 1_000;
    };
    const expiries = await valuesOf('secret_expiry_timestamp_seconds');
    expect(expiries.map(({ labels, value }) => [labels['secret'], labels['key'], value])).toEqual([
      ['internal_key', 'survey-1', 2_000_000_000],
      ['tls', 'tls.crt', await end('tls.crt')],
      ['tls', 'ca.crt', await end('ca.crt')],
      ['encryption_keyring', 'k1', 2_000_000_000],
    ]);
    expect(await failing()).toEqual([]);

    // Only the metric reads the secrets while their files are unusable.
    for (const name of ['key.json', 'keyring.json', 'tls.crt']) await writeFile(file(name), 'half written');
    await poll(async () => (await failing()).length === 3);
    expect((await failing()).sort()).toEqual(['encryption_keyring', 'internal_key', 'tls']);
    await writeFile(file('keyring.json'), keyring);
    await poll(async () => !(await failing()).includes('encryption_keyring'));
  });
});
