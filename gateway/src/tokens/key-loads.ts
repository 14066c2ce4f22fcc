import { Counter, Gauge, type Registry } from 'prom-client';

/** Counts how often the keys of an issuer were had, and how often not. */
export interface KeyLoads {
  /** Gives what `load` does, and throws as it does. */
  count<T>(load: () => T | Promise<T>): Promise<T>;
}

/** Metrics of the keys of issuers, by the names under which those are told apart. */
export function createKeyLoadMetrics(registry: Registry): (issuer: string) => KeyLoads {
  const loads = new Counter({
    name: 'gateway_jwks_loads_total',
    help: 'Times that the public keys of an issuer of tokens were loaded, or could not be.',
    labelNames: ['issuer', 'outcome'],
    aggregator: 'sum',
    registers: [registry],
  });
  const lastLoad = new Gauge({
    name: 'gateway_jwks_last_load_timestamp_seconds',
    help: 'When the public keys of an issuer of tokens were loaded last; those of a file are loaded when it changes.',
    labelNames: ['issuer'],
    aggregator: 'min',
    registers: [registry],
  });

  return (issuer) => {
    for (const outcome of ['ok', 'failed']) loads.inc({ issuer, outcome }, 0);
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
