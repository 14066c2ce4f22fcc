import { Gauge, type Registry } from 'prom-client';
import { memoize } from '../flow/memoize.ts';
import { withTimeLimit } from '../flow/retry.ts';

export type Health = ReturnType<typeof createHealth>;

/** Rejects if the dependency is down. */
export type HealthCheck = () => Promise<void>;

/** Shorter than the timeout of each probe, which is at least two seconds. */
const TIMEOUT_MS = 1_500;
const TTL_MS = 1_000;

/** The state of the dependencies and the readiness of a process, with their metrics. */
export function createHealth({
  checks,
  needed,
  registry,
  now = () => performance.now(),
}: {
  readonly checks: Readonly<Record<string, HealthCheck>>;
  /** Names of the required checks. Other checks are only reported. */
  readonly needed: readonly string[];
  readonly registry: Registry;
  readonly now?: () => number;
}) {
  let serving = false;

  async function runAll(): Promise<Readonly<Record<string, boolean>>> {
    const entries = Object.entries(checks).map(async ([name, check]) => [name, await succeeds(check)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
  /** Results of the checks by name, true if the dependency is up. Takes limited time, and is cached for a second. */
  const check = memoize(runAll, { ttlMs: TTL_MS, now });

  /** Whether the process can serve: it is neither starting nor stopping, and all required dependencies are up. */
  async function isReady(): Promise<boolean> {
    const results = await check();
    return serving && needed.every((name) => results[name]);
  }

  new Gauge({
    name: 'process_ready',
    help: 'Whether the process is ready for requests, 1 or 0.',
    aggregator: 'sum',
    registers: [registry],
    async collect() {
      this.set(Number(await isReady()));
    },
  });
  new Gauge({
    name: 'dependency_up',
    help: 'Whether a dependency of the process is up, 1 or 0.',
    labelNames: ['dependency'],
    aggregator: 'sum',
    registers: [registry],
    async collect() {
      for (const [dependency, isUp] of Object.entries(await check())) this.set({ dependency }, Number(isUp));
    },
  });

  return {
    check,
    isReady,
    setServing(value: boolean): void {
      serving = value;
    },
  };
}

function succeeds(check: HealthCheck): Promise<boolean> {
  const result = check().then(
    () => true,
    () => false, // the connection logs the cause
  );
  return withTimeLimit(result, TIMEOUT_MS, () => false);
}
