/** Makes calls with the same key that come while one runs share its result. */
export function createSingleFlight<T>(run: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key) => {
    const known = running.get(key);
    if (known !== undefined) return known;
    const flight = run(key).finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  };
}
