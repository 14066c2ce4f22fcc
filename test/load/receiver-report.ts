import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What the receivers of webhooks saw since they were reset. */
export interface ReceiverReport {
  /** By all but the mute ones. */
  readonly received: number;
  /** Of these, how many came again. */
  readonly repeated: number;
  /** Requests that are never answered. */
  readonly mute: number;
  /** From the first to the last. */
  readonly seconds: number;
  /** From the publishing to the receiving, of what came to a path that begins with /ok. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface Receivers {
  readonly port: number;
  /** Begins to count anew. */
  reset(): Promise<void>;
  report(): Promise<ReceiverReport>;
  stop(): Promise<void>;
}

/** Receivers in a process of their own. */
export async function startReceivers(): Promise<Receivers> {
  const child = fork(join(import.meta.dirname, 'webhook-receivers.ts'));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const ask = async (what: 'reset' | 'report') => {
    const answer = once(child, 'message');
    child.send(what);
    // It answers with nothing else.
    return (await answer)[0] as ReceiverReport;
  };
  return {
    port,
    reset: async () => void (await ask('reset')),
    report: () => ask('report'),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
