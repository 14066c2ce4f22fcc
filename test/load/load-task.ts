import { fork } from 'node:child_process';
import { join } from 'node:path';

/** What the load generator is to do. */
export interface LoadTask {
  /** Connections are spread over them. */
  readonly origins: readonly string[];
  readonly path: string;
  /** JSON text of every request. */
  readonly body: string;
  /** Of every request, beside those that all have. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Key of a caller of the services, whose tokens go with the requests; undefined for none. */
  readonly internalKey?: { readonly file: string; readonly caller: string; readonly audience: string };
  readonly model: LoadModel;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/**
 * `closed`: each connection sends its next request when it has the answer before. `open`: requests are due at a rate, whatever
 * becomes of those before; the connections take turns, so that all of them are in use, and what finds none free waits.
 */
export type LoadModel =
  | { readonly kind: 'closed'; readonly connections: number }
  | { readonly kind: 'open'; readonly connections: number; readonly perSecond: number };

/** What it saw while it measured. Latencies in milliseconds: with an open pace from when a request was due. */
export interface LoadOutcome {
  /** Answers with a good status. */
  readonly succeeded: number;
  /** Answers with status 503 and a Retry-After. */
  readonly shed: number;
  /** Every other answer, and requests without one. */
  readonly failed: number;
  /** What those were, with their numbers. */
  readonly failures: Readonly<Record<string, number>>;
  /** Of those that succeeded. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** CPU time of the generator itself. */
  readonly cpuSeconds: number;
}

/** What it says while it runs: the warm-up is over, the time to measure is over. */
export type LoadMark = 'measuring' | 'measured';

/**
 * Collections of a small young generation are short, and wait for no helper that others keep from a core: with V8's own
 * settings the generator stood still for up to 60 ms at a time, which counted as latency of what it measured.
 */
const SHORT_PAUSES = ['--single-threaded-gc', '--max-semi-space-size=2'];

/** Runs the generator in a process of its own; `onMark` is called at once when it says something. */
export function runLoad(task: LoadTask, onMark: (mark: LoadMark) => void = () => {}): Promise<LoadOutcome> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'generator.ts'), [JSON.stringify(task)], { execArgv: SHORT_PAUSES });
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
