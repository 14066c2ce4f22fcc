import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createConsumerMetrics } from './consumer-metrics.ts';

describe('the metrics of a consumer group', () => {
  it('start at 0 for each topic, so that the first increase counts', async () => {
    const registry = new Registry();
    const metrics = createConsumerMetrics(registry, { group: 'g', topics: ['a', 'b'] });
    const lines = async () => (await registry.metrics()).split('\n').filter((line) => /^kafka_.*_total\{/.test(line));
    expect(await lines()).toEqual([
      'kafka_consumer_rebalances_total{group="g"} 0',
      'kafka_consumer_failures_total{group="g",topic="a"} 0',
      'kafka_consumer_failures_total{group="g",topic="b"} 0',
      'kafka_consumer_dead_letters_total{group="g",topic="a",kind="unreadable"} 0',
      'kafka_consumer_dead_letters_total{group="g",topic="a",kind="failing"} 0',
      'kafka_consumer_dead_letters_total{group="g",topic="b",kind="unreadable"} 0',
      'kafka_consumer_dead_letters_total{group="g",topic="b",kind="failing"} 0',
    ]);
    metrics.deadLettered('b', 'failing');
    expect(await lines()).toContain('kafka_consumer_dead_letters_total{group="g",topic="b",kind="failing"} 1');
  });

  it('exist for several groups in one process', async () => {
    const registry = new Registry();
    createConsumerMetrics(registry, { group: 'g', topics: [] });
    createConsumerMetrics(registry, { group: 'h', topics: [] }).rebalanced();
    const page = await registry.metrics();
    expect(page).toContain('kafka_consumer_rebalances_total{group="g"} 0');
    expect(page).toContain('kafka_consumer_rebalances_total{group="h"} 1');
  });
});
