import { fork } from 'node:child_process';
import { join } from 'node:path';

/** The task of the load generator. */
export interface LoadTask {
  /** Servers over which connections are distributed. */
  readonly origins: readonly string[];
  readonly path: string;
  /** JSON body of every request. */
  readonly body: string;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Private key for internal tokens in requests, if any. */
  readonly internalKey?: { readonly file: string; readonly caller: string; readonly audience: string };
  readonly model: LoadModel;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/**
 * `closed`: each connection sends its next request after the reply. `open`: requests are due at a fixed rate, and wait
 * if no connection is free.
 */
export type LoadModel =
  | { readonly kind: 'closed'; readonly connections: number }
  | { readonly kind: 'open'; readonly connections: number; readonly perSecond: number };

/** The results in milliseconds. With an open model, latency starts when a request is due. */
export interface LoadOutcome {
  /** Successful replies. */
  readonly succeeded: number;
  /** Replies with status 503 and Retry-After. */
  readonly shed: number;
  /** Other replies, and requests without a reply. */
  readonly failed: number;
  /** Failures by status or error code. */
  readonly failures: Readonly<Record<string, number>>;
  /** Latencies of successful requests. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** CPU time of the generator itself. */
  readonly cpuSeconds: number;
}

/** Marks of a running generator: the end of the warm-up and of the measurement. */
export type LoadMark = 'measuring' | 'measured';

/**
 * A small young generation has short collections without helper threads. With V8's defaults, the generator paused for
 * up to 60 ms, which counted as latency.
 */
const SHORT_PAUSES = ['--single-threaded-gc', '--max-semi-space-size=2'];

/** Runs the generator in a child process; `onMark` gets its marks. */
export function runLoad(task: LoadTask, onMark: (mark: LoadMark) => void = () => {}): Promise<LoadOutcome> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'generator.ts'), [JSON.stringify(task)], { execArgv: SHORT_PAUSES });
    let outcome: LoadOutcome | undefined;
    child.on('message', (message) => {
      if (message === 'measuring' || message === 'measured') onMark(message);
      // The only other message is the outcome.
      else outcome = message as LoadOutcome;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (outcome === undefined) reject(new Error(`the load generator ended with ${code}`));
      else resolve(outcome);
    });
  });
}
