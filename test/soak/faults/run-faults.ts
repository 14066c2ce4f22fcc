import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../platform.ts';
import { cut, pause } from './lines.ts';
import { diskFull, stepDown } from './mongodb.ts';
import { kill, restart, stall } from './processes.ts';
import type { FaultKind, PlannedFault } from './schedule.ts';
import type { Strike } from './strike.ts';

const strikes: Readonly<Record<FaultKind, Strike>> = {
  kill,
  stall,
  cut,
  pause,
  'disk full': diskFull,
  'step down': stepDown,
  restart,
};

interface Options {
  readonly platform: Platform;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Runs the rows of faults concurrently. Resolves when all are healed, with the number of faults by kind. */
export async function runFaults(
  rows: readonly (readonly PlannedFault[])[],
  { platform, log, signal }: Options,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const startedAt = performance.now();
  const waitUntil = async (at: number) => {
    // The end of the soak aborts waits, and faults are healed.
    await sleep(Math.max(0, at - performance.now()), undefined, { signal }).catch(() => {});
  };

  async function runRow(faults: readonly PlannedFault[]): Promise<void> {
    for (const fault of faults) {
      await waitUntil(startedAt + fault.at * 1_000);
      if (signal.aborted) return;
      const { kind, target, seconds } = fault;
      log(`${kind}: ${target}, ${seconds} s`);
      await strikes[kind](platform, fault, () => waitUntil(performance.now() + seconds * 1_000));
      const counted = kind === 'restart' || target === 'mongodb' || target === 'kafka' ? `${kind} ${target}` : kind;
      counts.set(counted, (counts.get(counted) ?? 0) + 1);
    }
  }

  const outcomes = await Promise.allSettled(rows.map(runRow));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return counts;
}
