import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { expiriesOf } from '../crypto/parse-certificates.ts';
import { createSecretMetrics } from '../telemetry/secret-metrics.ts';
import { certificatesOf } from '../testing/test-certificates.ts';
import { testLog } from '../testing/test-log.ts';
import { watchKafkaCertificates } from './kafka-security.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Watches certificates of a folder. Returns functions that read their expiries, in seconds, and the failure. */
async function watch(kafkaTls: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'survey-kafka-tls-'));
  folders.push(folder);
  await cp(certificatesOf('first'), folder, { recursive: true });
  const registry = new Registry();
  const config = {
    kafkaTls,
    kafkaTlsCaFile: join(folder, 'ca.crt'),
    kafkaTlsCertFile: join(folder, 'tls.crt'),
    kafkaTlsKeyFile: join(folder, 'tls.key'),
  };
  await watchKafkaCertificates(config, testLog, createSecretMetrics(registry));
  const read = async () => {
    const metric = await registry.getSingleMetric('secret_expiry_timestamp_seconds')?.get();
    return (metric?.values ?? []).map(({ labels, value }) => [labels['secret'], labels['key'], value]);
  };
  const isFailing = async () => {
    const metric = await registry.getSingleMetric('secret_reload_failing')?.get();
    return metric?.values.map(({ labels, value }) => [labels['secret'], value]);
  };
  return { read, isFailing, folder };
}

const pemOf = (name: 'first' | 'stranger', file: string) => readFileSync(join(certificatesOf(name), file), 'utf8');
const end = (name: 'first' | 'stranger', file: string) =>
  (expiriesOf('it', pemOf(name, file))['it']?.getTime() ?? 0) / 1_000;

describe('the watch of certificates for Kafka', () => {
  it('has the end of each certificate', async () => {
    const { read } = await watch(true);
    expect(await read()).toEqual([
      ['kafka_tls', 'ca.crt', end('first', 'ca.crt')],
      ['kafka_tls', 'tls.crt', end('first', 'tls.crt')],
    ]);
  });

  it.each(['ca.crt', 'tls.crt', 'tls.key'])('reports an unusable %s', async (file) => {
    const { isFailing, folder } = await watch(true);
    expect(await isFailing()).toEqual([['kafka_tls', 0]]);
    await writeFile(join(folder, file), 'no certificate');
    await expect.poll(isFailing).toEqual([['kafka_tls', 1]]);
    await cp(join(certificatesOf('first'), file), join(folder, file));
    await expect.poll(isFailing).toEqual([['kafka_tls', 0]]);
  });

  it('reports a key of another certificate', async () => {
    const { isFailing, folder } = await watch(true);
    await cp(join(certificatesOf('stranger'), 'tls.key'), join(folder, 'tls.key'));
    await expect.poll(isFailing).toEqual([['kafka_tls', 1]]);
  });

  it('watches no files without TLS', async () => {
    expect(await (await watch(false)).read()).toEqual([]);
  });
});

describe('the ends of a bundle', () => {
  it('are those of all its certificates', () => {
    const bundle = pemOf('first', 'ca.crt') + pemOf('stranger', 'ca.crt');
    expect(Object.keys(expiriesOf('ca.crt', bundle))).toEqual(['ca.crt', 'ca.crt 2']);
    expect(expiriesOf('ca.crt', bundle)['ca.crt 2']?.getTime()).toBe(end('stranger', 'ca.crt') * 1_000);
    expect(() => expiriesOf('ca.crt', 'no certificate')).toThrow('contains no certificate');
  });
});
