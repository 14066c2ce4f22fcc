/**
 * Concurrent calls with the same key share one run of a load: its result or its error. Nothing is kept after the run;
 * `memoize` keeps results for a time. The context of calls that join a run is not used.
 */
interface SingleFlight<T, Context extends readonly unknown[]> {
  (key?: string, ...context: Context): Promise<T>;
  isRunning(key?: string): boolean;
}

/** @param load gets the additional arguments of the call that starts it */
export function createSingleFlight<T, Context extends readonly unknown[] = []>(
  load: (key: string, ...context: Context) => Promise<T>,
): SingleFlight<T, Context> {
  const running = new Map<string, Promise<T>>();

  function run(key = '', ...context: Context): Promise<T> {
    const known = running.get(key);
    if (known !== undefined) return known;
    const flight = load(key, ...context).finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  }

  return Object.assign(run, { isRunning: (key = '') => running.has(key) });
}
