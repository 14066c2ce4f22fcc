/**
 * Something that is asked for at most once at a time, and whose answer holds for `ms` milliseconds: who comes in
 * between gets the same. A failure is told to those who waited for it, and is not remembered.
 */
export function remembered<T>(
  ask: () => Promise<T>,
  ms: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: Promise<T> | undefined;
  let until = Number.NEGATIVE_INFINITY;

  async function askAnew(): Promise<T> {
    try {
      const answer = await ask();
      until = now() + ms;
      return answer;
    } catch (error) {
      until = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  return () => {
    if (last === undefined || now() > until) {
      until = Number.POSITIVE_INFINITY;
      last = askAnew();
    }
    return last;
  };
}
