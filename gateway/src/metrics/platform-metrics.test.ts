import { testLog } from '@survey/runtime/testing/test-log';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../testing/test-server.ts';
import { createLocalSource, createRemoteSource } from './metrics-sources.ts';
import { createPlatformMetrics } from './platform-metrics.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

interface Values {
  readonly responses?: Readonly<Record<string, number>>;
  readonly surveys?: number;
  readonly seconds?: readonly number[];
}

function createProcess({ responses = {}, surveys, seconds = [] }: Values): Registry {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({
    name: 'responses_total',
    help: 'c',
    labelNames: ['status'],
    aggregator: 'sum',
    registers,
  });
  for (const [status, count] of Object.entries(responses)) counter.inc({ status }, count);
  const gauge = new Gauge({ name: 'active_surveys', help: 'g', labelNames: ['tenant'], aggregator: 'max', registers });
  if (surveys !== undefined) gauge.set({ tenant: 't' }, surveys);
  const histogram = new Histogram({ name: 'seconds', help: 'h', buckets: [1, 2], aggregator: 'sum', registers });
  for (const value of seconds) histogram.observe(value);
  return registry;
}

async function serve(registry: Registry, host: string, port = 0): Promise<TestServer> {
  const server = await startServer(
    async (request, response) => {
      response.statusCode = request.url === '/metrics.json' ? 200 : 404;
      response.end(JSON.stringify(await registry.getMetricsAsJSON()));
    },
    port,
    host,
  );
  opened.push(server);
  return server;
}

const page = (sources: Parameters<typeof createPlatformMetrics>[0]['sources'], registry = new Registry()) =>
  createPlatformMetrics({ sources, registry, log: testLog })();

describe('the metrics of the platform', () => {
  it('sum or maximise those of all replicas and of this process, as each is defined', async () => {
    const first = await serve(createProcess({ responses: { ok: 2 }, surveys: 5, seconds: [0.5] }), '127.0.0.1');
    await serve(
      createProcess({ responses: { ok: 3, failed: 1 }, surveys: 4, seconds: [1.5, 9] }),
      '127.0.0.2',
      first.port,
    );
    const replicas = createRemoteSource('survey', `http://survey.internal:${first.port}`, async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]);
    const text = await page([replicas, createLocalSource('gateway', createProcess({ responses: { ok: 10 } }))]);
    expect(text).toContain('responses_total{status="ok"} 15\n');
    expect(text).toContain('responses_total{status="failed"} 1\n');
    expect(text).toContain('active_surveys{tenant="t"} 5\n');
    expect(text).toContain('seconds_bucket{le="1"} 1\nseconds_bucket{le="2"} 2\nseconds_bucket{le="+Inf"} 3\n');
    expect(text).toContain('seconds_sum 11\nseconds_count 3\n');
    expect(text.match(/# TYPE responses_total counter/g)).toHaveLength(1);
  });

  it('count a process once that has an address in each family', async () => {
    const { port } = await serve(createProcess({ responses: { ok: 2 } }), '127.0.0.1');
    const source = createRemoteSource('survey', `http://survey.internal:${port}`, async () => [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
    expect(await page([source])).toContain('responses_total{status="ok"} 2\n');
  });

  it.each<[string, () => Promise<string>]>([
    ['is away', async () => 'http://127.0.0.1:9'],
    ['has a name that nobody knows', async () => 'http://nobody.invalid:80'],
    ['sends something else', async () => (await serveText('hello')).url],
    [
      'sends metrics that cannot be merged',
      async () => (await serveText('[{"name":"a","help":"","type":"gauge","aggregator":"magic","values":[]}]')).url,
    ],
    ['never answers', async () => (await serveText(undefined)).url],
  ])('leave out a process that %s, and count it', async (_case, open) => {
    const registry = new Registry();
    const sources = [
      createRemoteSource('import', await open()),
      createLocalSource('gateway', createProcess({ surveys: 1 })),
    ];
    expect(await page(sources, registry)).toContain('active_surveys{tenant="t"} 1\n');
    expect(await registry.metrics()).toContain('gateway_metrics_source_failures_total{service="import"} 1\n');
  });

  it('are read once for many that ask at the same time', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return [];
    };
    const metrics = createPlatformMetrics({ sources: [{ name: 'a', read }], registry: new Registry(), log: testLog });
    await Promise.all(Array.from({ length: 50 }, metrics));
    expect(reads).toBe(1);
  });

  it('leave out values that are no numbers', async () => {
    const broken = createProcess({ surveys: Number.NaN });
    const { url } = await serve(broken, '127.0.0.1');
    expect(await page([createRemoteSource('survey', url)])).not.toMatch(/active_surveys\{/);
  });
});

async function serveText(body: string | undefined): Promise<TestServer> {
  const server = await startServer((_request, response) => {
    if (body !== undefined) response.end(body);
  });
  opened.push(server);
  return server;
}
