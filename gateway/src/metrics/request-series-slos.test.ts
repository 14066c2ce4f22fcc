import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createSloCounters } from './request-series.ts';

const SUBMIT = { method: 'POST', endpoint: '/v1/public/surveys/{survey_id}/responses', statusCode: '201' };

function setUp() {
  const registry = new Registry();
  const observe = createSloCounters(registry);
  const valuesOf = async (name: string) =>
    (await registry.getSingleMetric(name)?.get())?.values.map(({ value }) => value);
  /** Requests and errors of answers, then those of submits. */
  const counts = async () => [await valuesOf('slo_requests_total'), await valuesOf('slo_errors_total')];
  return { observe, counts };
}

describe('the counters of SLOs', () => {
  it('start at 0, so that Prometheus sees the first error', async () => {
    expect(await setUp().counts()).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('count 5xx of the API, without pages for probes and operators', async () => {
    const { observe, counts } = setUp();
    const get = { method: 'GET', endpoint: '/v1/surveys', seconds: 9 };
    for (const statusCode of ['200', '404', '500', '503']) observe({ ...get, statusCode });
    for (const endpoint of ['/health', '/metrics']) observe({ ...get, endpoint, statusCode: '503' });
    expect(await counts()).toEqual([
      [4, 0],
      [2, 0],
    ]);
  });

  it('count slow submits of respondents', async () => {
    const { observe, counts } = setUp();
    for (const seconds of [0.01, 0.5, 0.51]) observe({ ...SUBMIT, seconds });
    observe({ ...SUBMIT, method: 'GET', seconds: 2 });
    observe({ ...SUBMIT, endpoint: '/v1/surveys/{survey_id}/responses', seconds: 2 });
    expect(await counts()).toEqual([
      [5, 3],
      [0, 1],
    ]);
  });
});
