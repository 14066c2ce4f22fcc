import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What the receivers of webhooks saw since they were reset. */
export interface ReceiverReport {
  /** By all but the mute ones. */
  readonly received: number;
  /** Of these, deliveries of events of the load that is measured. */
  readonly fresh: number;
  /** How many of them came again. */
  readonly repeated: number;
  /** Requests that are never answered. */
  readonly mute: number;
  /** From the first to the last. */
  readonly seconds: number;
  /** From the publishing to the first receiving, of the fresh ones; not a number when there were none. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface Receivers {
  readonly port: number;
  /** Begins to count anew, and gives the number that `data.load` of the events has that are measured from then on. */
  reset(): Promise<number>;
  report(): Promise<ReceiverReport>;
  stop(): Promise<void>;
}

/** What they are told: the number of the load that is measured from now on, or to report what came. */
export type ToReceivers = { readonly load: number } | 'report';

/** Receivers in a process of their own. */
export async function startReceivers(): Promise<Receivers> {
  // JSON has no word for what is not a number.
  const child = fork(join(import.meta.dirname, 'webhook-receivers.ts'), { serialization: 'advanced' });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  let load = 0;
  const ask = async (request: ToReceivers) => {
    const answer = once(child, 'message');
    child.send(request);
    // It answers with nothing else.
    return (await answer)[0] as ReceiverReport;
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
