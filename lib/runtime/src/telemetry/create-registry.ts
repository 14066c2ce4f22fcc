import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };

/** A timer this often measures the lag of the event loop. At 10 ms it took a tenth of an idle platform's CPU. */
const EVENT_LOOP_PRECISION_MS = 50;

/** The metrics of one process: Node's own and `build_info`. Everything else is registered by its owner. */
export function createRegistry({ service }: { readonly service: string }): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  new Gauge({
    name: 'build_info',
    help: 'What is running; the value is always 1.',
    labelNames: ['part', 'version', 'node'],
    aggregator: 'max',
    registers: [registry],
  }).set({ part: service, version: manifest.version, node: process.version }, 1);
  return registry;
}
