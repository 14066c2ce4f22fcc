import { formatMetrics, readMetricParts } from '@survey/runtime/telemetry/metrics-text';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createLocalSource } from './metrics-sources.ts';
import { createPlatformMetrics } from './platform-metrics.ts';
import { createRequestSeries } from './request-series.ts';

const MAX_SERIES = 1_000;
/** Four buckets, sum, count and one status. */
const SERIES_OF_ROUTE = 7;
const FIT = Math.floor(MAX_SERIES / SERIES_OF_ROUTE);

function setUp({ maxSeries = MAX_SERIES } = {}) {
  let time = 0;
  const registry = new Registry();
  const series = createRequestSeries({ registry, maxSeries, now: () => time });

  function send(tenantId: string, { endpoint = '/v1/surveys', statusCode = '200', seconds = 0.01, traceId = '' } = {}) {
    const observation = { method: 'GET', endpoint, statusCode, tenantId, seconds };
    series.observe({ ...observation, traceId: traceId === '' ? undefined : traceId });
  }

  async function page(format: 'text' | 'openmetrics' = 'text'): Promise<readonly string[]> {
    const texts = await Array.fromAsync(formatMetrics(readMetricParts(registry), format));
    return texts.join('').split('\n');
  }
  /** The values of a counter by tenant. */
  async function requests(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const line of await page()) {
      const [, tenant = '', value] = /^http_requests_total\{.*tenant_id="([^"]*)"\} (\d+)$/.exec(line) ?? [];
      if (value !== undefined) found.set(tenant, (found.get(tenant) ?? 0) + Number(value));
    }
    return found;
  }
  const countSeries = async () =>
    (await page()).filter((line) => /^http_.*tenant_id=/.test(line) && !/tenant_id="other"/.test(line)).length;
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, count) => all + count, 0);
  return {
    registry,
    series,
    send,
    page,
    requests,
    countSeries,
    sum,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

const names = (count: number, prefix = 't') => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Uses up all series. Every tenant has two requests except the last one, which is returned. */
function fill(send: (tenantId: string) => void): string {
  for (const tenant of names(FIT)) send(tenant);
  for (const tenant of names(FIT - 1)) send(tenant);
  return `t${FIT - 1}`;
}

describe('the series of requests', () => {
  it('belong to tenants up to the maximum of series, then to the label other, each request once', async () => {
    const { send, requests, countSeries, sum } = setUp();
    for (const tenant of names(500)) send(tenant);
    const counts = await requests();
    expect(counts.size).toBe(FIT + 1);
    expect(counts.get('other')).toBe(500 - FIT);
    expect(sum(counts)).toBe(500);
    expect(await countSeries()).toBeLessThanOrEqual(MAX_SERIES);
  });

  it('are limited for one tenant with many routes and statuses too', async () => {
    const { send, requests, countSeries, sum } = setUp();
    for (let index = 0; index < 300; index += 1) send('t', { endpoint: `/${index}`, statusCode: String(200 + index) });
    for (let status = 0; status < 300; status += 1) send('t', { endpoint: '/0', statusCode: String(600 + status) });
    expect(await countSeries()).toBeLessThanOrEqual(MAX_SERIES);
    expect(sum(await requests())).toBe(600);
  });

  it('move to the busiest tenants, after the last values of others could be read', async () => {
    const { series, send, requests, pass } = setUp();
    const last = fill(send);
    for (let times = 0; times < 9; times += 1) send('busy');
    expect((await requests()).get('busy')).toBeUndefined();
    const found = async () =>
      [...(await requests())].filter(([tenant]) => ['t0', last, 'busy', 'other'].includes(tenant));
    series.select();
    for (const tenant of ['t0', last, 'busy']) send(tenant);
    // The series of the last tenant stays as it was, so that Prometheus sees no reset.
    expect(await found()).toEqual([
      ['t0', 3],
      [last, 1],
      ['other', 11],
    ]);
    pass(3 * 60_000);
    series.select();
    for (const tenant of ['t0', last, 'busy']) send(tenant);
    expect(await found()).toEqual([
      ['t0', 4],
      ['other', 12],
      ['busy', 1],
    ]);
  });

  it('stay with a tenant until another is twice as busy', async () => {
    const { series, send, requests, pass } = setUp();
    const last = fill(send);
    for (let minutes = 0; minutes < 5; minutes += 1) {
      for (const tenant of names(FIT - 1)) send(tenant);
      send('as busy');
      series.select();
      pass(60_000);
    }
    send('as busy');
    const counts = await requests();
    expect(counts.get(last)).toBeUndefined();
    expect(counts.get('as busy')).toBeUndefined();
  });

  it('are found for a busy tenant among more rare ones than are counted', async () => {
    const { series, send, requests, pass } = setUp();
    for (let minute = 0; minute < 5; minute += 1) {
      for (let rare = 0; rare < 3_000; rare += 1) {
        send(`rare ${minute} ${rare}`);
        if (rare % 10 === 0) send('busy');
      }
      series.select();
      pass(60_000);
    }
    send('busy');
    expect((await requests()).get('busy')).toBeGreaterThan(0);
  });

  it('stay with idle tenants while others are less busy and all can be counted', async () => {
    const { series, send, requests } = setUp({ maxSeries: 6_000 });
    for (const tenant of names(700)) for (let count = 0; count < 4; count += 1) send(tenant);
    series.select();
    for (const tenant of names(200, 'new')) send(tenant);
    series.select();
    send('t600');
    expect((await requests()).get('t600')).toBe(5);
  });

  it('never lower totals over all tenants when they are removed', async () => {
    // With so few series, no tenant can be selected.
    const { registry, series, send, pass } = setUp({ maxSeries: SERIES_OF_ROUTE + 1 });
    const sources = [createLocalSource('gateway', registry)];
    const totals = async () => {
      const metrics = createPlatformMetrics({ sources, registry: new Registry(), log: testLog });
      const lines = (await metrics.totals()).toString().split('\n');
      return lines.filter((line) => /^http_.*(_total|le="0.5".*|_count)\{|^http_.*le="0.5"/.test(line));
    };
    for (const statusCode of ['200', '503', '503']) send('t', { statusCode, seconds: 0.2 });
    const labels = 'method="GET",endpoint="/v1/surveys"';
    const expected = [
      `http_requests_total{${labels},status_code="200",tenant_id="all"} 1`,
      `http_requests_total{${labels},status_code="503",tenant_id="all"} 2`,
      `http_request_duration_seconds_bucket{le="0.5",${labels},tenant_id="all"} 3`,
      `http_request_duration_seconds_count{${labels},tenant_id="all"} 3`,
    ];
    expect(await totals()).toEqual(expected);
    series.select();
    pass(3 * 60_000);
    series.select();
    expect(await totals()).toEqual(expected);
  });

  it('return to a tenant that is selected again in time', async () => {
    const { series, send, requests } = setUp();
    const last = fill(send);
    series.select();
    for (let times = 0; times < 9; times += 1) send(last);
    series.select();
    send(last);
    const counts = await requests();
    expect([counts.get(last), counts.get('other')]).toEqual([2, 9]);
  });

  it('have cumulative buckets, and trace ids of slow requests in OpenMetrics', async () => {
    const { send, page } = setUp();
    for (const seconds of [0.05, 0.3, 1.5, 60]) send('t', { seconds, traceId: `trace-of-${seconds}` });
    const buckets = (await page('openmetrics')).filter((line) => line.includes('_bucket'));
    expect(buckets.map((line) => line.replace(/\{[^}]*le="([^"]*)"[^}]*\}/, ' $1').replace(/ [\d.]+$/, ''))).toEqual([
      'http_request_duration_seconds_bucket 0.1',
      'http_request_duration_seconds_bucket 0.5',
      'http_request_duration_seconds_bucket 2.5 3 # {trace_id="trace-of-1.5"} 1.5',
      'http_request_duration_seconds_bucket +Inf 4 # {trace_id="trace-of-60"} 60',
    ]);
    const text = await page();
    expect(text.join()).not.toContain('trace_id');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",endpoint="/v1/surveys",tenant_id="t"} 4');
  });
});
