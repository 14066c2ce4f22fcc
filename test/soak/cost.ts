import { cpuSeconds } from '../load/cpu-time.ts';
import type { SoakProcess } from './platform.ts';

/** What the processes of a platform use. */
export interface Cost {
  /** CPU seconds by kind of process, with those that have ended; empty on systems without /proc. */
  readonly cpuSeconds: () => ReadonlyMap<string, number>;
  stop(): void;
}

const EVERY_MS = 500;

/** Reads again and again what each process has used: what one used in its last moment before it was killed is missing. */
export function watchCost(processes: readonly SoakProcess[]): Cost {
  const used = new Map<string, { readonly kind: string; readonly seconds: number }>();
  const timer = setInterval(() => {
    for (const { name, kind, pid } of processes) {
      const id = pid();
      if (id === undefined) continue;
      cpuSeconds(id).then(
        (seconds) => used.set(`${name} ${id}`, { kind, seconds }),
        // It has ended.
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
