/** Makes calls with the same key that come while one runs share its result. */
export function createSingleFlight<T, Context extends readonly unknown[] = []>(
  run: (key: string, ...context: Context) => Promise<T>,
): (key: string, ...context: Context) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, ...context) => {
    const known = running.get(key);
    if (known !== undefined) return known;
    const flight = run(key, ...context).finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  };
}
