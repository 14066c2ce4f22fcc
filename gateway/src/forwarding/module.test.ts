import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { observeBackends } from './module.ts';

describe('the metrics of backends', () => {
  it('report requests in flight and the limit at the time of the scrape', async () => {
    const registry = new Registry();
    let count = 0;
    const wait = { count: 2, limit: 32 };
    const proxies = {
      survey: { inFlight: () => ({ message: { count, limit: 512 }, stream: { count: 1, limit: 64 }, wait }) },
      response: { inFlight: () => ({ message: { count: 7, limit: 128 }, stream: { count: 0, limit: 64 }, wait }) },
    };
    observeBackends(proxies, registry);
    await registry.metrics();
    count = 3;
    const page = await registry.metrics();
    expect(page).toContain('gateway_requests_in_flight{backend="survey",kind="message"} 3\n');
    expect(page).toContain('gateway_requests_in_flight{backend="survey",kind="stream"} 1\n');
    expect(page).toContain('gateway_requests_in_flight{backend="response",kind="message"} 7\n');
    expect(page).toContain('gateway_requests_in_flight_limit{backend="response",kind="message"} 128\n');
    expect(page).toContain('gateway_requests_in_flight_limit{backend="response",kind="stream"} 64\n');
    expect(page).toContain('gateway_requests_in_flight{backend="response",kind="wait"} 2\n');
  });
});
