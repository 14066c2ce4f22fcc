import { memoize } from '@survey/runtime/flow/memoize';
import type { LoadAddresses } from './name-lookup.ts';

/** Covers concurrent attempts to one host. Milliseconds. */
const TTL_MS = 100;
const MAX_NAMES = 10_000;

/**
 * Looks up a name once for concurrent attempts. Each attempt still checks the returned addresses, and connects to one of
 * them.
 */
export function shareLookups(loadAddresses: LoadAddresses): LoadAddresses {
  const lookUp = memoize(loadAddresses, { ttlMs: TTL_MS, maxKeys: MAX_NAMES });
  return (name) => lookUp(name);
}
