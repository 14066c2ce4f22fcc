/**
 * Lets concurrent calls with the same key, or all without one, share one run of `load`, and its result or failure.
 *
 * @param load gets the further arguments of the call that starts it
 */
export function createSingleFlight<T, Context extends readonly unknown[] = []>(
  load: (key: string, ...context: Context) => Promise<T>,
): (key?: string, ...context: Context) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key = '', ...context) => {
    const known = running.get(key);
    if (known !== undefined) return known;
    const flight = load(key, ...context).finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  };
}
