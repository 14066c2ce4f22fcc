import { readConfig } from '@survey/runtime/config/settings';
import { describe, expect, it } from 'vitest';
import { settings } from './config.ts';

const { allowHttp, allowedRanges, refusedRanges, allowedPorts, dnsServers } = settings;
const { timeoutMs, concurrency, retrySeconds, disableOnGone, disableAfterDays, retentionDays, headerPrefix } = settings;
const targets = { allowHttp, allowedRanges, refusedRanges, allowedPorts, dnsServers };
const sending = { timeoutMs, concurrency, retrySeconds, disableOnGone, disableAfterDays, retentionDays, headerPrefix };
const own = { ...targets, ...sending };
const read = (env: NodeJS.ProcessEnv) => readConfig(own, env);

describe('the settings of webhooks', () => {
  it('are strict by default', () => {
    const config = read({ WEBHOOK_ALLOWED_RANGES: '' });
    expect(config).toEqual({
      allowHttp: false,
      allowedRanges: [],
      refusedRanges: [],
      allowedPorts: new Set(),
      dnsServers: [],
      timeoutMs: 30_000,
      concurrency: 4,
      retrySeconds: [5, 20, 80, 320, 600],
      disableOnGone: true,
      disableAfterDays: 5,
      retentionDays: 30,
      headerPrefix: 'X-Service',
    });
  });

  it('are read', () => {
    const config = read({
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8, ::1/128',
      WEBHOOK_REFUSED_RANGES: '203.0.113.0/24',
      WEBHOOK_ALLOWED_PORTS: '8443,9000',
      WEBHOOK_DNS_SERVERS: '192.0.2.1, [2001:db8::1]:53',
      WEBHOOK_RETRY_SECONDS: '0.5,1',
    });
    expect(config.allowedRanges.map(([first, bits]) => `${first}/${bits}`)).toEqual(['127.0.0.0/8', '::1/128']);
    expect(config.refusedRanges.map(([first, bits]) => `${first}/${bits}`)).toEqual(['203.0.113.0/24']);
    expect(config).toMatchObject({ allowedPorts: new Set([8443, 9000]), retrySeconds: [0.5, 1] });
    expect(config.dnsServers).toEqual(['192.0.2.1', '[2001:db8::1]:53']);
    expect(read({ WEBHOOK_ALLOWED_PORTS: '*' }).allowedPorts).toBe('any');
  });

  it.each([
    ['WEBHOOK_ALLOWED_RANGES', '127.0.0.1'],
    ['WEBHOOK_REFUSED_RANGES', '10.0.0.0/33'],
    ['WEBHOOK_ALLOWED_PORTS', '80,http'],
    ['WEBHOOK_ALLOWED_PORTS', '0'],
    ['WEBHOOK_ALLOWED_PORTS', '*,80'],
    ['WEBHOOK_DNS_SERVERS', 'dns.example.org'],
    ['WEBHOOK_ALLOW_HTTP', 'yes'],
    ['WEBHOOK_TIMEOUT_MS', '30001'],
    ['WEBHOOK_CONCURRENCY', '0'],
    ['WEBHOOK_DISABLE_ON_GONE', 'no'],
    ['WEBHOOK_DISABLE_AFTER_DAYS', '0'],
    ['WEBHOOK_RETENTION_DAYS', '0'],
    ['WEBHOOK_RETRY_SECONDS', '1,2,3,4,5,6'],
    ['WEBHOOK_RETRY_SECONDS', '601'],
    ['WEBHOOK_RETRY_SECONDS', '-1'],
    ['WEBHOOK_RETRY_SECONDS', 'soon'],
    ['WEBHOOK_HEADER_PREFIX', 'X Service'],
    ['WEBHOOK_HEADER_PREFIX', 'X:\r\n'],
  ])('%s=%s is rejected', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(name);
  });
});
