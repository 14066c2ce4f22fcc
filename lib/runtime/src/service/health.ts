import { Gauge, type Registry } from 'prom-client';
import { memoize } from '../flow/memoize.ts';

/** What a process depends on, and whether it may be sent work. */
export interface Health {
  /** Result of each check by its name: true when the dependency answers. Bounded in time, remembered for a second. */
  check(): Promise<Readonly<Record<string, boolean>>>;
  /** Whether the process may be sent work: what it cannot serve without answers, and it is neither starting nor stopping. */
  isReady(): Promise<boolean>;
  setServing(serving: boolean): void;
}

/** Resolves when the dependency answers, rejects when it does not. */
export type HealthCheck = () => Promise<void>;

/** Below the two seconds that who asks this process waits for its answer. */
const TIMEOUT_MS = 1_500;
const TTL_MS = 1_000;

/** The health of a process, which its metrics tell too. */
export function createHealth({
  checks,
  needed,
  registry,
  now = () => performance.now(),
}: {
  readonly checks: Readonly<Record<string, HealthCheck>>;
  /** Names of the checks without which nothing can be served. The others are told, and do not make it unready. */
  readonly needed: readonly string[];
  readonly registry: Registry;
  readonly now?: () => number;
}): Health {
  let serving = false;

  async function runAll(): Promise<Readonly<Record<string, boolean>>> {
    const entries = Object.entries(checks).map(async ([name, check]) => [name, await holds(check)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
  const check = memoize(runAll, { ttlMs: TTL_MS, now });

  async function isReady(): Promise<boolean> {
    const results = await check();
    return serving && needed.every((name) => results[name]);
  }

  new Gauge({
    name: 'process_ready',
    help: 'Whether the process may be sent work, 1 or 0.',
    aggregator: 'sum',
    registers: [registry],
    async collect() {
      this.set(Number(await isReady()));
    },
  });
  new Gauge({
    name: 'dependency_up',
    help: 'Whether what the process depends on answers it, 1 or 0.',
    labelNames: ['dependency'],
    aggregator: 'sum',
    registers: [registry],
    async collect() {
      for (const [dependency, answers] of Object.entries(await check())) this.set({ dependency }, Number(answers));
    },
  });

  return {
    check,
    isReady,
    setServing(value) {
      serving = value;
    },
  };
}

async function holds(check: HealthCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, false);
  });
  const answer = check().then(
    () => true,
    () => false, // the caller reports it; what is wrong is in the log of the connection
  );
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
