import { Gauge, type Registry } from 'prom-client';
import type { FileObserver, ReadLatest } from '../config/follow-files.ts';

/** A followed secret: the values of the label `secret`. */
type SecretName = 'encryption_keyring' | 'internal_jwks' | 'internal_key' | 'kafka_tls' | 'tls';

export type ObserverOf = (secret: SecretName) => FileObserver;

/** Registers the metrics of secrets that a process follows while it runs. */
export function createSecretMetrics(registry: Registry): ObserverOf {
  const checks = new Set<ReadLatest<unknown>>();
  const failing = new Gauge({
    name: 'secret_reload_failing',
    help: 'Whether the files of a secret are unusable now, so that their last good contents stay in use.',
    labelNames: ['secret'],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      // Reading the latest values checks the files, and reports the results to `onChecked`.
      await Promise.all([...checks].map((latest) => latest()));
    },
  });
  const expiry = new Gauge({
    name: 'secret_expiry_timestamp_seconds',
    help: 'Unix time when a certificate or key ends, if it has an end.',
    labelNames: ['secret', 'key'],
    aggregator: 'min',
    registers: [registry],
  });

  return (secret) => {
    let known: readonly string[] = [];
    failing.set({ secret }, 0);
    return {
      onChecked: (isUsable) => failing.set({ secret }, isUsable ? 0 : 1),
      setExpiries(expiries) {
        for (const key of known) expiry.remove({ secret, key });
        const finite = Object.entries(expiries).flatMap(([key, end]) =>
          end === undefined ? [] : [[key, end] as const],
        );
        for (const [key, end] of finite) expiry.set({ secret, key }, end.getTime() / 1_000);
        known = finite.map(([key]) => key);
      },
      checkOnScrape: (latest) => checks.add(latest),
    };
  };
}
