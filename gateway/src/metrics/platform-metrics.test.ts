import { testLog } from '@survey/runtime/testing/test-log';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../testing/test-server.ts';
import { createLocalSource, createRemoteSource, metricsUrl } from './metrics-sources.ts';
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

const FIRST = { address: '127.0.0.1', family: 4 };
const SECOND = { address: '127.0.0.2', family: 4 };

const page = (sources: Parameters<typeof createPlatformMetrics>[0]['sources'], registry = new Registry()) =>
  createPlatformMetrics({ sources, registry, log: testLog }).full().then(String);

describe('the metrics of the platform', () => {
  it('merge those of all replicas and of this process by their aggregators', async () => {
    const first = await serve(createProcess({ responses: { ok: 2 }, surveys: 5, seconds: [0.5] }), '127.0.0.1');
    await serve(
      createProcess({ responses: { ok: 3, failed: 1 }, surveys: 4, seconds: [1.5, 9] }),
      '127.0.0.2',
      first.port,
    );
    const replicas = createRemoteSource('survey', `http://survey.internal:${first.port}`, {
      resolve: async () => [FIRST, SECOND],
    });
    const text = await page([replicas, createLocalSource('gateway', createProcess({ responses: { ok: 10 } }))]);
    expect(text).toContain('responses_total{status="ok"} 15\n');
    expect(text).toContain('responses_total{status="failed"} 1\n');
    expect(text).toContain('active_surveys{tenant="t"} 5\n');
    expect(text).toContain('seconds_bucket{le="1"} 1\nseconds_bucket{le="2"} 2\nseconds_bucket{le="+Inf"} 3\n');
    expect(text).toContain('seconds_sum 11\nseconds_count 3\n');
    expect(text.match(/# TYPE responses_total counter/g)).toHaveLength(1);
  });

  it('count a process with IPv4 and IPv6 addresses once', async () => {
    const { port } = await serve(createProcess({ responses: { ok: 2 } }), '127.0.0.1');
    const source = createRemoteSource('survey', `http://survey.internal:${port}`, {
      resolve: async () => [{ address: '::1', family: 6 }, FIRST, FIRST],
    });
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
    ['never replies', async () => (await serveText(undefined)).url],
  ])('exclude a process that %s, and count the failure', async (_case, open) => {
    const registry = new Registry();
    const sources = [
      createRemoteSource('import', await open()),
      createLocalSource('gateway', createProcess({ surveys: 1 })),
    ];
    expect(await page(sources, registry)).toContain('active_surveys{tenant="t"} 1\n');
    expect(await registry.metrics()).toContain('gateway_metrics_source_failures_total{part="import"} 1\n');
  });

  it.each([
    ['https://survey.internal', '10.0.0.1', 'https://10.0.0.1/metrics.json'],
    ['http://survey.internal', '10.0.0.1', 'http://10.0.0.1/metrics.json'],
    ['http://survey.internal:9090', '::1', 'http://[::1]:9090/metrics.json'],
  ])('of %s are requested from %s at %s', (adminUrl, address, url) => {
    expect(metricsUrl(adminUrl, address)).toBe(url);
  });

  describe('of changing replicas', () => {
    async function setUp() {
      const found = { addresses: [FIRST, SECOND], isKnown: true };
      const first = await serve(createProcess({ responses: { ok: 2 } }), FIRST.address);
      const second = await serve(createProcess({ responses: { ok: 40 } }), SECOND.address, first.port);
      let time = 0;
      let reads = 0;
      const everyReadLater = () => {
        reads += 10_000;
        return reads;
      };
      const source = createRemoteSource('survey', `http://survey.internal:${first.port}`, {
        resolve: async () => {
          if (!found.isKnown) throw new Error('who?');
          return found.addresses;
        },
        now: () => time,
      });
      const registry = new Registry();
      const { full } = createPlatformMetrics({ sources: [source], registry, log: testLog, now: everyReadLater });
      return {
        found,
        second,
        pass: (ms: number) => {
          time += ms;
        },
        sum: async () => Number(/^responses_total\{status="ok"\} (\d+)$/m.exec(String(await full()))?.[1]),
        async failures() {
          const metric = await registry.getSingleMetric('gateway_metrics_source_failures_total')?.get();
          return metric?.values.reduce((sum, { value }) => sum + value, 0);
        },
      };
    }

    it('include a new replica, and exclude one whose address is gone', async () => {
      const { found, sum } = await setUp();
      found.addresses = [FIRST];
      expect(await sum()).toBe(2);
      found.addresses = [FIRST, SECOND];
      expect(await sum()).toBe(42);
      found.addresses = [SECOND];
      expect(await sum()).toBe(40);
    });

    it('keep the last values of a slow replica for ten seconds, and count the failure', async () => {
      const { second, sum, pass, failures } = await setUp();
      expect(await sum()).toBe(42);
      await second.close();
      for (const ms of [1, 9_999]) {
        pass(ms);
        expect(await sum()).toBe(42);
      }
      expect(await failures()).toBe(2);
      pass(1);
      expect(await sum()).toBe(2);
    });

    it('keep their values for ten seconds while the name cannot be resolved', async () => {
      const { found, sum, pass } = await setUp();
      expect(await sum()).toBe(42);
      found.isKnown = false;
      expect(await sum()).toBe(42);
      pass(10_001);
      expect(await sum()).toBeNaN();
      found.isKnown = true;
      expect(await sum()).toBe(42);
    });
  });

  it('are read once for concurrent requests', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return [];
    };
    const metrics = createPlatformMetrics({ sources: [{ name: 'a', read }], registry: new Registry(), log: testLog });
    await Promise.all(Array.from({ length: 50 }, metrics.full));
    expect(reads).toBe(1);
  });

  it('exclude values that are not numbers', async () => {
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
