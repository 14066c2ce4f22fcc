// Counts requests of many tenants and serves their metrics, in a process of its own, for the bench `metrics`.
import { createAdminServer } from '@survey/runtime/service/admin-server';
import { createHealth } from '@survey/runtime/service/health';
import { createRegistry } from '@survey/runtime/telemetry/metrics';
import { testLog } from '@survey/runtime/testing/test-log';
import { createLocalSource } from '../../gateway/src/metrics/metrics-sources.ts';
import { createPlatformMetrics } from '../../gateway/src/metrics/platform-metrics.ts';
import { createRequestSeries } from '../../gateway/src/metrics/request-series.ts';
import './end-with-parent.ts';

const ROUTES = 20;
const [tenants = 0, maxSeries = 0] = process.argv.slice(2).map(Number);

const registry = createRegistry({ service: 'gateway' });
const series = createRequestSeries({ registry, maxSeries });

/** Every tenant calls every route; a hundredth of the tenants calls each ten times as often. */
function countRequests(): void {
  for (let tenant = 0; tenant < tenants; tenant += 1) {
    const times = tenant % 100 === 0 ? 10 : 1;
    for (let route = 0; route < ROUTES * times; route += 1) {
      series.observe({
        method: 'GET',
        endpoint: `/v1/routes-of-usual-length/{route_${route % ROUTES}}`,
        statusCode: route % 7 === 0 ? '404' : '200',
        tenantId: `00000000-0000-4000-8000-${String(tenant).padStart(12, '0')}`,
        seconds: (route % 10) / 10,
        traceId: undefined,
      });
    }
  }
}

countRequests();
series.select();
countRequests();

const health = createHealth({ checks: {}, needed: [], registry });
const admin = createAdminServer({ health, registry, log: testLog });
const port = await admin.listen(0, '127.0.0.1');
const replicas = ['first', 'second'].map((name) => createLocalSource(name, registry));
const platform = createPlatformMetrics({ sources: replicas, registry, log: testLog });

/**
 * The longest iterations of the event loop: by the clock, and by the CPU time of its thread, which other processes of a busy
 * machine do not prolong. Milliseconds.
 */
const longest = { clock: 0, cpu: 0 };
let isWatching = false;

function watchIterations(): void {
  let [time, cpu] = [performance.now(), process.threadCpuUsage()];
  function iterate(): void {
    const used = process.threadCpuUsage(cpu);
    longest.cpu = Math.max(longest.cpu, (used.user + used.system) / 1_000);
    longest.clock = Math.max(longest.clock, performance.now() - time);
    [time, cpu] = [performance.now(), process.threadCpuUsage()];
    if (isWatching) setImmediate(iterate);
  }
  setImmediate(iterate);
}

process.on('message', (message) => {
  switch (message) {
    case 'reset':
      global.gc?.();
      Object.assign(longest, { clock: 0, cpu: 0 });
      isWatching = true;
      watchIterations();
      return process.send?.({ done: true });
    case 'former page':
      // The page as it was made before: all at once.
      return void registry.metrics().then((page) => process.send?.({ bytes: Buffer.byteLength(page) }));
    case 'platform page':
      return void platform.full().then((page) => process.send?.({ bytes: page.length }));
    default:
      isWatching = false;
      return process.send?.(longest);
  }
});
process.on('SIGTERM', () => process.exit());
process.send?.({ port });
