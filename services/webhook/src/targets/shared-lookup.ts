import { remembered } from '@survey/runtime/service/remembered';
import type { LoadAddresses } from './name-lookup.ts';

/** Long enough for what is sent to one host at about the same time. Milliseconds. */
const MOMENT_MS = 100;
const MAX_NAMES = 10_000;

/**
 * Looks a name up once for all who ask for it at about the same time. Every attempt still has its own answer checked,
 * and goes to an address of that answer.
 */
export function shareLookups(loadAddresses: LoadAddresses): LoadAddresses {
  const names = new Map<string, () => Promise<readonly string[]>>();
  return (name) => {
    const ask = names.get(name) ?? remembered(() => loadAddresses(name), MOMENT_MS);
    names.set(name, ask);
    if (names.size > MAX_NAMES) names.delete(names.keys().next().value ?? '');
    return ask();
  };
}
