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

/** Runs the generator in a process of its own; `onMeasuring` is called when the warm-up is over. */
export function runLoad(task: LoadTask, onMeasuring: () => void): Promise<LoadOutcome> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'generator.ts'), [JSON.stringify(task)]);
    let outcome: LoadOutcome | undefined;
    child.on('message', (message) => {
      // The generator sends these two and nothing else.
      if (message === 'measuring') onMeasuring();
      else outcome = message as LoadOutcome;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (outcome === undefined) reject(new Error(`the load generator ended with ${code}`));
      else resolve(outcome);
    });
  });
}
