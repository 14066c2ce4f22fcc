import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import type { Logger } from 'pino';
import { fetchText } from './fetch-text.ts';
import type { KeyLoads } from './key-loads.ts';
import { type KeySet, readKeySet } from './key-set.ts';
import type { KeySource } from './key-source.ts';

/** Minimum time between fetches for uncached key ids, which anybody can make up. */
const COOLDOWN_MS = 30_000;
/** Minimum time between attempts while the identity provider fails. */
const RETRY_MS = 2_000;
/** Time after which keys are fetched again, so that withdrawn keys are rejected. */
const REFRESH_MS = 300_000;

interface Options {
  readonly url: string;
  readonly algorithms: readonly string[];
  readonly loads: KeyLoads;
  readonly log: Logger;
  readonly now?: () => number;
  /** Timeout of a fetch. */
  readonly timeoutMs?: number;
}

/** Fetches keys from the identity provider. If that fails, the last keys stay valid. */
export function createRemoteKeys(options: Options): KeySource {
  const { url, algorithms, loads, log, now = () => performance.now(), timeoutMs = 3_000 } = options;
  let cached: { readonly text: string; readonly keySet: KeySet } | undefined;
  let lastAttempt = { at: Number.NEGATIVE_INFINITY, isFailed: false };

  /** Never rejects. */
  const load = createSingleFlight(async (): Promise<void> => {
    let isFailed = false;
    try {
      cached = await loads.count(async () => toCached(await fetchText(url, timeoutMs)));
    } catch (error) {
      isFailed = true;
      log.error({ err: error, url }, 'cannot fetch the signing keys of a token issuer');
    }
    lastAttempt = { at: now(), isFailed };
  });

  /** Keeps the object if the text has not changed, so that cached tokens stay valid. */
  function toCached(text: string) {
    return text === cached?.text ? cached : { text, keySet: readKeySet(text, algorithms, log) };
  }

  function isDue(pauseMs: number): boolean {
    return now() - lastAttempt.at >= (lastAttempt.isFailed ? RETRY_MS : pauseMs);
  }

  function get(): KeySet {
    if (cached === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: RETRY_MS / 1000 });
    return cached.keySet;
  }

  return {
    current: () => cached?.keySet,
    async latest() {
      // Cached keys are used during the reload.
      if (isDue(REFRESH_MS)) {
        const loaded = load();
        if (cached === undefined) await loaded;
      }
      return get();
    },
    async reload() {
      if (load.isRunning() || isDue(COOLDOWN_MS)) await load();
      return get();
    },
  };
}
