import { Counter, Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { send } from './testing/test-server.ts';

let gateway: TestGateway;
afterEach(() => gateway.close());

async function read(sub: string) {
  const authorization = `Bearer ${await gateway.issuer.sign({ sub })}`;
  return send(`${gateway.url}/v1/surveys`, { headers: { authorization } });
}

const open = async (env?: Record<string, string>, metrics = '[]') => {
  const pages: Readonly<Record<string, string>> = { '/metrics.json': metrics };
  gateway = await createTestGateway(({ url = '' }, response) => response.end(pages[url] ?? '[]'), env);
  gateway.grants.set('tenant-1/anna', ['surveys:read']);
};

describe('a gateway without identity', () => {
  it('serves known callers, and replies 503 to others', async () => {
    await open();
    expect((await read('anna')).status).toBe(200);
    await gateway.stopIdentity();
    expect((await read('anna')).status).toBe(200);
    const reply = await read('bert');
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
    expect((await send(`${gateway.url}/v1/public/surveys/1`)).status).toBe(200);
  });

  it('calls identity once for concurrent requests of a user', async () => {
    await open();
    const replies = await Promise.all(Array.from({ length: 20 }, () => read('anna')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(gateway.identityCalls()).toBe(1);
  });
});

describe('/health', () => {
  it('is 503 with the failed checks', async () => {
    gateway = await createTestGateway((_request, response) =>
      response.writeHead(503).end('{"ready":false,"checks":{"database":true,"queue":false}}'),
    );
    const { status, body } = await send(`${gateway.url}/health`);
    expect([status, JSON.parse(body)]).toEqual([
      503,
      { status: 'unhealthy', checks: { database: true, queue: false } },
    ]);
  });

  it('is 200 if all checks pass', async () => {
    gateway = await createTestGateway((_request, response) =>
      response.end('{"ready":true,"checks":{"database":true,"queue":true}}'),
    );
    const { status, body } = await send(`${gateway.url}/health`);
    expect([status, body]).toEqual([200, '{"status":"healthy","checks":{"database":true,"queue":true}}']);
  });
});

describe('/metrics without a token', () => {
  const page = async (METRICS_PAGE: string) => {
    await open({ METRICS_PAGE });
    await send(`${gateway.url}/v1/me`);
    return send(`${gateway.url}/metrics`);
  };

  it('is off by default', async () => {
    const reply = await page('off');
    expect([reply.status, JSON.parse(reply.body).detail]).toEqual([404, 'No operation is GET /metrics']);
  });

  it('has totals over all tenants and surveys', async () => {
    const { status, body } = await page('totals');
    expect(status).toBe(200);
    expect(body).toMatch(/^http_requests_total\{.*tenant_id="all"\} 1$/m);
    expect(body).not.toMatch(/tenant_id="(?!all")/);
    expect(body).not.toMatch(/survey_id="(?!all")/);
  });
});

describe('/metrics with a token', () => {
  it.each([
    ['none', {}, 401, 'The header Authorization is missing'],
    ['another', { authorization: 'Bearer wrong' }, 401, 'Invalid token'],
    ['a longer one', { authorization: 'Bearer scrape-me-please' }, 401, 'Invalid token'],
    ['the right one', { authorization: 'Bearer scrape-me' }, 200, undefined],
  ])('replies to a caller with %s by %o', async (_case, headers, status, detail) => {
    await open({ METRICS_TOKEN: 'scrape-me' });
    const reply = await send(`${gateway.url}/metrics`, { headers: { ...headers } });
    expect(reply.status).toBe(status);
    if (status === 401) expect(JSON.parse(reply.body)).toMatchObject({ detail });
  });

  it('has the labels tenant_id and survey_id of the specification', async () => {
    const registry = new Registry();
    const labels = { tenant_id: 'tenant-1', survey_id: 'survey-1' };
    new Counter({
      name: 'survey_responses_total',
      help: 'Responses.',
      labelNames: ['tenant_id', 'survey_id'],
      aggregator: 'sum',
      registers: [registry],
    }).inc(labels);
    await open({ METRICS_TOKEN: 'scrape-me' }, JSON.stringify(await registry.getMetricsAsJSON()));
    await read('anna');
    const { body } = await send(`${gateway.url}/metrics`, { headers: { authorization: 'Bearer scrape-me' } });
    expect(body).toMatch(/^survey_responses_total\{tenant_id="tenant-1",survey_id="survey-1"\} \d+$/m);
    expect(body).toMatch(/^http_requests_total\{.*tenant_id="tenant-1"\} 1$/m);
  });
});
