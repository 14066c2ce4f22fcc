/** What a process depends on, and whether it may be sent work. */
export interface Health {
  /** Result of each check by its name: true when the dependency answers. Bounded in time, remembered for a second. */
  check(): Promise<Readonly<Record<string, boolean>>>;
  /** Whether every check holds and the process is neither starting nor stopping. */
  isReady(): Promise<boolean>;
  /** The last known state, without asking again. */
  readonly ready: boolean;
  setServing(serving: boolean): void;
}

/** Resolves when the dependency answers, rejects when it does not. */
export type HealthCheck = () => Promise<void>;

const TIMEOUT_MS = 2_000;
const REMEMBERED_MS = 1_000;

export function createHealth(checks: Readonly<Record<string, HealthCheck>>, now: () => number = Date.now): Health {
  let serving = false;
  let ready = false;
  let last: { readonly at: number; readonly results: Promise<Readonly<Record<string, boolean>>> } | undefined;

  async function runAll(): Promise<Readonly<Record<string, boolean>>> {
    const entries = Object.entries(checks).map(async ([name, check]) => [name, await holds(check)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  const health: Health = {
    check() {
      if (last === undefined || now() - last.at > REMEMBERED_MS) last = { at: now(), results: runAll() };
      return last.results;
    },
    async isReady() {
      const results = await health.check();
      ready = serving && Object.values(results).every(Boolean);
      return ready;
    },
    get ready() {
      return ready;
    },
    setServing(value) {
      serving = value;
      ready = value;
    },
  };
  return health;
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
