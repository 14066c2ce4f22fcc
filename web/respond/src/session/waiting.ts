/** A wait that can end early. */
export interface Waiting {
  wait(ms: number): Promise<void>;
  /** Ends the current wait. */
  wake(): void;
}

export function createWaiting(): Waiting {
  let wake = (): void => undefined;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => wake(),
  };
}
