import type { LoadModel, LoadTask } from '../load-task.ts';
import { lunchBody } from '../lunch-load.ts';
import { measureLoad, type Pids, type Round } from '../measured-load.ts';

/** Something that takes submits. */
export interface Target {
  readonly origins: readonly string[];
  readonly path: string;
  readonly internalKey?: NonNullable<LoadTask['internalKey']>;
  /** Processes whose CPU time is told. */
  readonly pids: Pids;
}

/** Connections that, each with one request after the other, ask for all that a target can do. */
export const FULL: LoadModel = { kind: 'closed', connections: 64 };

/** Submits to a target, some seconds before it is measured and then for `seconds`. */
export function load({ pids, ...target }: Target, model: LoadModel, seconds = 10): Promise<Round> {
  return measureLoad({ ...target, body: lunchBody, model, warmUpMs: 3_000, measureMs: seconds * 1000 }, pids);
}

/** Submits without measuring, until what is compiled at run time has been, and connections are there. */
export async function warmUp(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await load(target, FULL, 12);
}
