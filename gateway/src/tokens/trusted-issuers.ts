import { followFiles } from '@survey/runtime/config/follow-files';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/memoize';
import { startAtZero } from '@survey/runtime/telemetry/metrics';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type KeySet, readKeySet } from './key-set.ts';
import type { IssuerConfig } from './token-settings.ts';

export interface TrustedIssuer extends Omit<IssuerConfig, 'jwksFile' | 'jwksUrl'> {
  readonly keys: KeySource;
}

interface Options {
  readonly configs: readonly IssuerConfig[];
  readonly registry: Registry;
  readonly log: Logger;
}

/** Creates the configured issuers. Rejects if a key file is unusable. */
export async function createTrustedIssuers({ configs, registry, log }: Options): Promise<readonly TrustedIssuer[]> {
  const loadMetricsOf = createKeyLoadMetrics(registry);
  return Promise.all(
    configs.map(async ({ jwksFile, jwksUrl, ...issuer }) => {
      const options = { algorithms: issuer.algorithms, loads: loadMetricsOf(issuer.name ?? 'default'), log };
      const file = jwksFile === undefined ? undefined : await createFileKeys({ file: jwksFile, ...options });
      return { ...issuer, keys: file ?? createRemoteKeys({ url: jwksUrl ?? '', ...options }) };
    }),
  );
}

/** Resolves when the keys of any issuer are loaded. */
export async function warmKeys(issuers: readonly Pick<TrustedIssuer, 'keys'>[]): Promise<void> {
  await Promise.any(issuers.map(({ keys }) => keys.usable()));
}

/** The public keys of an issuer. A changed set of keys is a new `KeySet` object. */
export interface KeySource {
  /** The cached keys; undefined if they were never loaded. */
  readonly current: () => KeySet | undefined;
  /** Returns cached keys, and reloads old ones in the background. Throws `UNAVAILABLE` if there are none. */
  readonly usable: () => Promise<KeySet>;
  /** Reloads the keys because one is missing, unless they were loaded recently. */
  readonly reload: () => Promise<KeySet>;
}

interface KeyLoads {
  /** Runs a load and counts its outcome. Returns its result, or throws its error. */
  run<T>(load: () => T | Promise<T>): Promise<T>;
}

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
      async run(load) {
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

/** Minimum time between fetches for unknown key ids. Anybody can send such ids. */
const COOLDOWN_MS = 30_000;
/** Minimum time between attempts while the identity provider fails. */
const RETRY_MS = 2_000;
/** Time after which keys are fetched again, so that withdrawn keys are rejected. */
const REFRESH_MS = 300_000;

interface RemoteKeysOptions {
  readonly url: string;
  readonly algorithms: readonly string[];
  readonly loads: KeyLoads;
  readonly log: Logger;
  readonly now?: () => number;
  /** Timeout of a fetch. */
  readonly timeoutMs?: number;
}

/** Fetches keys from the identity provider. If a fetch fails, the last keys stay valid. */
export function createRemoteKeys(options: RemoteKeysOptions): KeySource {
  const { url, algorithms, loads, log, now = () => performance.now(), timeoutMs = 3_000 } = options;
  let cached: { readonly text: string; readonly keySet: KeySet } | undefined;
  let lastAttempt = { at: Number.NEGATIVE_INFINITY, isFailed: false };

  /** Never rejects. */
  const load = createSingleFlight(async (): Promise<void> => {
    let isFailed = false;
    try {
      cached = await loads.run(async () => toCached(await fetchText(url, timeoutMs)));
    } catch (error) {
      isFailed = true;
      log.error({ err: error, url }, 'cannot fetch the signing keys of a token issuer');
    }
    lastAttempt = { at: now(), isFailed };
  });

  /** Keeps the `KeySet` object if the text is the same: cached tokens compare these objects. */
  function toCached(text: string) {
    return text === cached?.text ? cached : { text, keySet: readKeySet(text, algorithms, log) };
  }

  function isDue(pauseMs: number): boolean {
    return now() - lastAttempt.at >= (lastAttempt.isFailed ? RETRY_MS : pauseMs);
  }

  function requireKeys(): KeySet {
    if (cached === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: RETRY_MS / 1000 });
    return cached.keySet;
  }

  return {
    current: () => cached?.keySet,
    async usable() {
      // Do not wait for the load if keys are cached.
      if (isDue(REFRESH_MS)) {
        const loaded = load();
        if (cached === undefined) await loaded;
      }
      return requireKeys();
    },
    async reload() {
      if (load.isRunning() || isDue(COOLDOWN_MS)) await load();
      return requireKeys();
    },
  };
}

const MAX_BYTES = 1024 * 1024;

/** Rejects redirects, statuses other than 200, texts over 1 MiB and invalid UTF-8. Also rejects after `timeoutMs`. */
async function fetchText(url: string, timeoutMs: number): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the reply has the status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the reply is over ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

interface FileKeysOptions {
  readonly file: string;
  readonly algorithms: readonly string[];
  readonly loads: KeyLoads;
  readonly log: Logger;
  readonly now?: () => number;
}

/** Reads keys whenever the file changes. If a read fails, the last keys stay valid. The first read must succeed. */
export async function createFileKeys({ file, algorithms, loads, ...options }: FileKeysOptions): Promise<KeySource> {
  const latest = await followFiles({
    ...options,
    files: [file],
    load: (contents) => loads.run(() => readKeySet(contents.join(''), algorithms, options.log)),
  });
  let keySet = await latest();
  if (keySet.isEmpty) throw new Error(`${file} has no usable key`);

  async function read() {
    keySet = await latest();
    return keySet;
  }
  return { current: () => keySet, usable: read, reload: read };
}
