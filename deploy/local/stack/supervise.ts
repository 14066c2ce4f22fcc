import { setTimeout as delay } from 'node:timers/promises';

export interface Running {
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

interface SuperviseOptions<T extends Running> {
  readonly name: string;
  readonly first: T;
  /** Starts it again, at the same addresses. */
  readonly restart: (signal: AbortSignal) => Promise<T>;
  readonly onRestarted: (running: T) => void;
  /** Whether it is to stay away for now, although it is to run. */
  readonly isHeld: () => boolean;
  readonly log: (line: string) => void;
}

/** Long enough that a part that cannot start does not eat the machine; below the second that is promised. */
const PAUSE_MS = 400;

/** Starts a part again whenever it ends, until told to stop it. */
export function supervise<T extends Running>(options: SuperviseOptions<T>): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  let running = options.first;

  async function keepRunning(): Promise<void> {
    for (;;) {
      const manner = await running.exited;
      if (stopping.signal.aborted) return;
      options.log(`${options.name} ended (${manner}); starting it again`);
      const next = await restart();
      if (next === undefined) return;
      if (stopping.signal.aborted) return next.stop();
      running = next;
      options.onRestarted(next);
    }
  }

  /** Undefined when told to stop meanwhile. */
  async function restart(): Promise<T | undefined> {
    for (;;) {
      // An aborted pause ends early; the check below sees why.
      await delay(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return undefined;
      if (options.isHeld()) continue;
      try {
        return await options.restart(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        options.log(
          `${options.name} cannot be started again: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }

  const ended = keepRunning();
  return {
    stop: async () => {
      stopping.abort();
      await running.stop();
      await ended;
    },
  };
}
