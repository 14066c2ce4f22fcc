import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The results of webhook receivers since the last reset. */
export interface ReceiverReport {
  /** Requests except mute ones. */
  readonly received: number;
  /** Received deliveries of the measured load. */
  readonly fresh: number;
  /** Repeated deliveries of the measured load. */
  readonly repeated: number;
  /** Requests without a reply. */
  readonly mute: number;
  /** Time from the first to the last. */
  readonly seconds: number;
  /** Time from publishing to the first arrival; NaN without deliveries. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface Receivers {
  readonly port: number;
  /** Resets the counters, and returns the number of the load for `data.load` of measured events. */
  reset(): Promise<number>;
  report(): Promise<ReceiverReport>;
  stop(): Promise<void>;
}

/** A message to the receivers: the number of the measured load, or a request for the report. */
export type ToReceivers = { readonly load: number } | 'report';

/** Starts receivers in a child process. */
export async function startReceivers(): Promise<Receivers> {
  // JSON cannot express NaN.
  const child = fork(join(import.meta.dirname, 'webhook-receivers.ts'), { serialization: 'advanced' });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  let load = 0;
  const ask = async (request: ToReceivers) => {
    const reply = once(child, 'message');
    child.send(request);
    // The only message is the report.
    return (await reply)[0] as ReceiverReport;
  };
  return {
    port,
    async reset() {
      load += 1;
      await ask({ load });
      return load;
    },
    report: () => ask('report'),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
