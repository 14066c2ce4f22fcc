import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import type { Logger } from 'pino';
import { fetchText } from './fetch-text.ts';
import type { KeyLoads } from './key-loads.ts';
import { type KeySet, readKeySet } from './key-set.ts';
import type { KeySource } from './key-source.ts';

/** At most one fetch for unknown key ids in this time, whoever makes them up. */
const COOLDOWN_MS = 30_000;
/** At most one try in this time while the identity provider is away. */
const RETRY_MS = 2_000;
/** How soon a key that was withdrawn is refused. */
const REFRESH_MS = 300_000;

interface Options {
  readonly url: string;
  readonly algorithms: readonly string[];
  readonly loads: KeyLoads;
  readonly log: Logger;
  readonly now?: () => number;
  /** How long the identity provider may take. */
  readonly timeoutMs?: number;
}

/** Keys from the identity provider. The known ones stay in force while it is away, or sends anything else. */
export function createRemoteKeys(options: Options): KeySource {
  const { url, algorithms, loads, log, now = () => performance.now(), timeoutMs = 3_000 } = options;
  let known: { readonly text: string; readonly keySet: KeySet } | undefined;
  let tried = { at: Number.NEGATIVE_INFINITY, isFailed: false };

  /** Never rejects. */
  const load = createSingleFlight(async (): Promise<void> => {
    let isFailed = false;
    try {
      known = await loads.count(async () => readAgain(await fetchText(url, timeoutMs)));
    } catch (error) {
      isFailed = true;
      log.error({ err: error, url }, 'the keys of an issuer of tokens cannot be fetched');
    }
    tried = { at: now(), isFailed };
  });

  /** The same object for the same text: what was verified with it holds on. */
  function readAgain(text: string) {
    return text === known?.text ? known : { text, keySet: readKeySet(text, algorithms, log) };
  }

  function isDue(pauseMs: number): boolean {
    return now() - tried.at >= (tried.isFailed ? RETRY_MS : pauseMs);
  }

  function get(): KeySet {
    if (known === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: RETRY_MS / 1000 });
    return known.keySet;
  }

  return {
    current: () => known?.keySet,
    async latest() {
      // Nobody has to wait for newer ones.
      if (isDue(REFRESH_MS)) {
        const loaded = load();
        if (known === undefined) await loaded;
      }
      return get();
    },
    async renewed() {
      if (load.isRunning() || isDue(COOLDOWN_MS)) await load();
      return get();
    },
  };
}
