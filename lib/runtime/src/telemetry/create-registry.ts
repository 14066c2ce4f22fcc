import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };

/**
 * Interval of the timer that measures the lag of the event loop. Measured lags include it. At 10 ms, it used a tenth of
 * an idle platform's CPU.
 */
const EVENT_LOOP_PRECISION_MS = 100;

/** Creates the registry of a process, with Node's metrics and `build_info`. */
export function createRegistry({ service }: { readonly service: string }): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  new Gauge({
    name: 'build_info',
    help: 'Version of the process and of Node; the value is always 1.',
    labelNames: ['part', 'version', 'node'],
    aggregator: 'max',
    registers: [registry],
  }).set({ part: service, version: manifest.version, node: process.version }, 1);
  return registry;
}
