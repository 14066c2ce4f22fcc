import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { InfraOptions } from './infra.ts';
import { type Kafka, startKafka } from './kafka.ts';
import { probeKafka } from './kafka-probe.ts';

let dataDir: string;
let lines: string[];
let running: Kafka[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kafka-'));
  lines = [];
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((kafka) => kafka.stop()));
  await rm(dataDir, { recursive: true });
});

async function start(options: Partial<InfraOptions> = {}): Promise<Kafka> {
  const kafka = await startKafka({
    dataDir,
    log: (line) => lines.push(line),
    // Exclude variables that select an existing server.
    env: { PATH: process.env.PATH },
    ...options,
  });
  running.push(kafka);
  return kafka;
}

describe('startKafka', () => {
  it('starts a broker, logs its origin, and can restart on another port', async () => {
    const first = await start();
    await expect(probeKafka(first.brokers)).resolves.toBeUndefined();
    expect(lines.at(-1)).toMatch(/^Kafka: /);
    await first.stop();
    await expect(probeKafka(first.brokers)).rejects.toThrow();
    const second = await start({ port: (first.port ?? 0) + 500 });
    await expect(probeKafka(second.brokers)).resolves.toBeUndefined();
  });

  it('uses the brokers in KAFKA_BROKERS, even if only one is reachable', async () => {
    const brokers = inject('kafkaBrokers');
    const external = await start({ env: { KAFKA_BROKERS: `127.0.0.1:1,${brokers}` } });
    expect(external.brokers).toBe(`127.0.0.1:1,${brokers}`);
    await external.stop();
    await expect(probeKafka(brokers)).resolves.toBeUndefined();
  });
});
