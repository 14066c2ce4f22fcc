import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createSecretMetrics } from './secret-metrics.ts';

/** The registry's series without help texts. */
async function seriesOf(registry: Registry): Promise<readonly string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('the metrics of secrets', () => {
  it('have whether the last check failed, and recheck when they are read', async () => {
    const registry = new Registry();
    const observer = createSecretMetrics(registry)('internal_key');
    let isUsable = true;
    observer.checkOnScrape(async () => observer.onChecked(isUsable));
    expect(await seriesOf(registry)).toEqual(['secret_reload_failing{secret="internal_key"} 0']);
    isUsable = false;
    expect(await seriesOf(registry)).toEqual(['secret_reload_failing{secret="internal_key"} 1']);
  });

  it('have the ends of the current keys and certificates only', async () => {
    const registry = new Registry();
    const observer = createSecretMetrics(registry)('tls');
    observer.setExpiries({ old: new Date(1_000_000), without: undefined });
    observer.setExpiries({ 'tls.crt': new Date(2_000_000), 'ca.crt': new Date(3_000_000) });
    expect(await seriesOf(registry)).toEqual([
      'secret_reload_failing{secret="tls"} 0',
      'secret_expiry_timestamp_seconds{secret="tls",key="tls.crt"} 2000',
      'secret_expiry_timestamp_seconds{secret="tls",key="ca.crt"} 3000',
    ]);
  });
});
