import { setTimeout as delay } from 'node:timers/promises';

export interface SupervisedProcess {
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

interface SuperviseOptions<T extends SupervisedProcess> {
  readonly name: string;
  readonly first: T;
  /** Restarts the process at the same addresses. */
  readonly restart: (signal: AbortSignal) => Promise<T>;
  readonly onRestarted: (running: T) => void;
  readonly isRestartPaused: () => boolean;
  readonly log: (line: string) => void;
}

/** Pause before a restart: limits the load of a process that cannot start, but stays below one second. */
const PAUSE_MS = 400;

/** Restarts a process whenever it ends, until `stop`. */
export function supervise<T extends SupervisedProcess>(
  options: SuperviseOptions<T>,
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  let running = options.first;

  async function keepRunning(): Promise<void> {
    for (;;) {
      const exitReason = await running.exited;
      if (stopping.signal.aborted) return;
      options.log(`${options.name} ended (${exitReason}), restarting`);
      const next = await restart();
      if (next === undefined) return;
      if (stopping.signal.aborted) return next.stop();
      running = next;
      options.onRestarted(next);
    }
  }

  /** Retries until the process runs. Returns undefined if `stop` is called meanwhile. */
  async function restart(): Promise<T | undefined> {
    for (;;) {
      // An abort ends the pause early; the next line checks for it.
      await delay(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return undefined;
      if (options.isRestartPaused()) continue;
      try {
        return await options.restart(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        options.log(`cannot restart ${options.name}: ${error instanceof Error ? error.message : String(error)}`);
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
