import { startAtZero } from '@survey/runtime/telemetry/start-at-zero';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Counts successful and failed loads of an issuer's keys. */
export interface KeyLoads {
  /** Runs a load and counts its outcome. Returns its result, or throws its error. */
  count<T>(load: () => T | Promise<T>): Promise<T>;
}

/** Creates metrics of key loads, labelled by issuer. */
export function createKeyLoadMetrics(registry: Registry): (issuer: string) => KeyLoads {
  const loads = new Counter({
    name: 'gateway_jwks_loads_total',
    help: 'Loads of the public keys of a token issuer, by outcome.',
    labelNames: ['issuer', 'outcome'],
    aggregator: 'sum',
    registers: [registry],
  });
  const lastLoad = new Gauge({
    name: 'gateway_jwks_last_load_timestamp_seconds',
    help: 'Time of the last load of the public keys of a token issuer. Keys in a file are loaded when it changes.',
    labelNames: ['issuer'],
    aggregator: 'min',
    registers: [registry],
  });

  return (issuer) => {
    startAtZero(loads, { issuer, outcome: ['ok', 'failed'] });
    return {
      async count(load) {
        try {
          const loaded = await load();
          loads.inc({ issuer, outcome: 'ok' });
          lastLoad.set({ issuer }, Math.floor(Date.now() / 1000));
          return loaded;
        } catch (error) {
          loads.inc({ issuer, outcome: 'failed' });
          throw error;
        }
      },
    };
  };
}
