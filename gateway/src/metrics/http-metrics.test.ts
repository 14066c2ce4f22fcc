import { request as sendRequest } from 'node:http';
import { poll } from '@survey/runtime/testing/poll';
import express from 'express';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { beginCall, callOf } from '../http/call.ts';
import { send, startServer, type TestServer } from '../testing/test-server.ts';
import { createHttpMetrics } from './http-metrics.ts';
import { createRequestSeries } from './request-series.ts';

let server: TestServer;
afterEach(() => server.close());

/** A server with metrics, and a function that returns the series of a metric. */
async function start(reply: express.RequestHandler) {
  const registry = new Registry();
  const metrics = createHttpMetrics(createRequestSeries({ registry, maxSeries: 1_000 }));
  const app = express();
  app.use((request, response, next) => {
    beginCall(request, response);
    metrics.observe(request, response);
    next();
  }, reply);
  server = await startServer(app);
  const linesOf = async (name: string) =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));
  return { metrics, linesOf };
}

const ROUTE = '/v1/surveys/{survey_id}';
const replyAs = (tenantOf: (request: express.Request) => string | undefined): express.RequestHandler => {
  return (request, response) => {
    Object.assign(callOf(response), { endpoint: ROUTE, tenantId: tenantOf(request) });
    response.status(404).end();
  };
};

describe('the metrics of requests', () => {
  it('have the labels of the contract, in its order, and the template of the route in place of the address', async () => {
    const { linesOf } = await start(replyAs(() => 't-1'));
    await send(`${server.url}/v1/surveys/private?q=private`);
    await poll(async () => (await linesOf('http_requests_total')).length === 1);
    const labels = `method="GET",endpoint="${ROUTE}"`;
    expect(await linesOf('http_requests_total')).toEqual([
      `http_requests_total{${labels},status_code="404",tenant_id="t-1"} 1`,
    ]);
    expect(await linesOf('http_request_duration_seconds_count')).toEqual([
      `http_request_duration_seconds_count{${labels},tenant_id="t-1"} 1`,
    ]);
    const bounds = (await linesOf('http_request_duration_seconds_bucket')).map(
      (line) => /le="([^"]+)"/.exec(line)?.[1],
    );
    expect(bounds).toEqual(['0.1', '0.5', '2.5', '+Inf']);
  });

  it('merge unknown methods, and have no tenant if it is unknown', async () => {
    const { linesOf } = await start((_request, response) => void response.status(405).end());
    for (const method of ['PROPFIND', 'PURGE']) await send(server.url, { method });
    await poll(async () => (await linesOf('http_requests_total'))[0]?.endsWith(' 2'));
    expect(await linesOf('http_requests_total')).toEqual([
      'http_requests_total{method="other",endpoint="unknown",status_code="405",tenant_id="unknown"} 2',
    ]);
  });

  it('count a client that disconnected before the reply as 499', async () => {
    const arrived = Promise.withResolvers<void>();
    const { linesOf } = await start(() => arrived.resolve());
    const client = sendRequest(server.url);
    client.on('error', () => undefined).end();
    await arrived.promise;
    client.destroy();
    await poll(async () => (await linesOf('http_requests_total')).length === 1);
    expect((await linesOf('http_requests_total'))[0]).toContain('status_code="499"');
  });

  it('count requests that are rejected immediately, with an unknown tenant', async () => {
    const { metrics, linesOf } = await start(() => {});
    metrics.count({ method: 'POST', endpoint: ROUTE, status: 503 });
    expect(await linesOf('http_requests_total')).toEqual([
      `http_requests_total{method="POST",endpoint="${ROUTE}",status_code="503",tenant_id="unknown"} 1`,
    ]);
  });
});
