import { fork } from 'node:child_process';
import { join } from 'node:path';

/** What the load generator is to do. */
export interface LoadTask {
  readonly origin: string;
  readonly path: string;
  /** JSON text of every request. */
  readonly body: string;
  /** Requests in flight at the same time. */
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** What it saw while it measured. Latencies in milliseconds. */
export interface LoadOutcome {
  /** Answers with status 201. */
  readonly succeeded: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the generator itself. */
  readonly cpuSeconds: number;
}

/** What it says while it runs: the warm-up is over, the time to measure is over. */
export type LoadMark = 'measuring' | 'measured';

/** Runs the generator in a process of its own; `onMark` is called at once when it says something. */
export function runLoad(task: LoadTask, onMark: (mark: LoadMark) => void): Promise<LoadOutcome> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'generator.ts'), [JSON.stringify(task)]);
    let outcome: LoadOutcome | undefined;
    child.on('message', (message) => {
      if (message === 'measuring' || message === 'measured') onMark(message);
      // The generator sends nothing else.
      else outcome = message as LoadOutcome;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (outcome === undefined) reject(new Error(`the load generator ended with ${code}`));
      else resolve(outcome);
    });
  });
}
