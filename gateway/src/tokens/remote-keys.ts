import { AppError } from '@survey/runtime/errors/app-error';
import { createLocalJWKSet, createRemoteJWKSet, customFetch } from 'jose';
import type { Logger } from 'pino';
import type { KeySource } from './key-source.ts';

const TIMEOUT_MS = 3_000;
/** At most one fetch for unknown key ids in this time, whoever makes them up. */
const COOLDOWN_MS = 30_000;
/** At most one try in this time while the identity provider is away. */
const RETRY_MS = 2_000;
/** How soon a key that was withdrawn is refused. */
const REFRESH_MS = 300_000;
const MAX_BYTES = 1024 * 1024;

interface Options {
  readonly url: string;
  readonly log: Logger;
  readonly now?: () => number;
}

/** Keys from the identity provider. The known ones stay in force while it is away. */
export function createRemoteKeys({ url, log, now = Date.now }: Options): KeySource {
  let failedAt = Number.NEGATIVE_INFINITY;
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function fetchKeys(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    if (now() - failedAt < RETRY_MS) throw new Error('the key set could not be fetched a moment ago');
    try {
      const answer = await readKeySet(await fetch(input, init));
      loadedAt = now();
      return answer;
    } catch (error) {
      failedAt = now();
      log.error({ err: error, url }, 'the key set cannot be fetched');
      throw error;
    }
  }

  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    // Never stale by itself: it is refreshed below, beside the requests.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: fetchKeys,
  });

  async function ready(): Promise<void> {
    if (keys.jwks() !== undefined) return;
    try {
      await keys.reload();
    } catch (cause) {
      throw new AppError('UNAVAILABLE', { cause, retryAfterSeconds: RETRY_MS / 1000 });
    }
  }

  return {
    async find(header, token) {
      await ready();
      // What goes wrong is in the log, and the next request tries again.
      if (now() - loadedAt > REFRESH_MS && !keys.reloading) keys.reload().catch(() => undefined);
      return keys(header, token);
    },
    ready,
  };
}

/** The answer with its body read. Throws when it holds no key set. */
async function readKeySet(response: Response): Promise<Response> {
  if (response.status !== 200) throw new Error(`the answer has the status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the answer is over ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  // Throws when it is no key set, so that it counts as a failure here and not only inside of jose.
  createLocalJWKSet(JSON.parse(text));
  return new Response(text);
}
