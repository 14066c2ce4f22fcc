import type { LoadModel, LoadTask } from '../load-task.ts';
import { lunchBody } from '../lunch-load.ts';
import { measureLoad, type Pids, type Round } from '../measured-load.ts';

/** A server that accepts submissions. */
export interface Target {
  readonly origins: readonly string[];
  readonly path: string;
  readonly internalKey?: NonNullable<LoadTask['internalKey']>;
  /** Processes whose CPU time is reported. */
  readonly pids: Pids;
}

/** Full load: closed loop with 64 connections. */
export const FULL: LoadModel = { kind: 'closed', connections: 64 };

/** Loads a target, after a warm-up of some seconds. */
export function load({ pids, ...target }: Target, model: LoadModel, seconds = 10): Promise<Round> {
  return measureLoad({ ...target, body: lunchBody, model, warmUpMs: 3_000, measureMs: seconds * 1000 }, pids);
}

/** Warms up targets without measuring. */
export async function warmUp(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await load(target, FULL, 12);
}
