import { cpuSeconds } from '../load/processes.ts';
import type { SoakProcess } from './platform.ts';

/** The CPU usage of a platform. */
export interface Cost {
  /** CPU seconds by kind of process, including ended ones; empty without /proc. */
  readonly cpuSeconds: () => ReadonlyMap<string, number>;
  stop(): void;
}

const EVERY_MS = 500;

/** Samples the CPU time of each process. The last moments before a kill are missing. */
export function watchCost(processes: readonly SoakProcess[]): Cost {
  const used = new Map<string, { readonly kind: string; readonly seconds: number }>();
  const timer = setInterval(() => {
    for (const { name, kind, pid } of processes) {
      const id = pid();
      if (id === undefined) continue;
      cpuSeconds(id).then(
        (seconds) => used.set(`${name} ${id}`, { kind, seconds }),
        // The process has ended.
        () => {},
      );
    }
  }, EVERY_MS);
  return {
    cpuSeconds() {
      const byKind = new Map<string, number>();
      for (const { kind, seconds } of used.values()) byKind.set(kind, (byKind.get(kind) ?? 0) + seconds);
      return byKind;
    },
    stop: () => clearInterval(timer),
  };
}
