import { type Finding, ok, problem } from './finding.ts';

interface Comparison {
  /** Times of this command before and after the request that returned `remoteTime`. */
  readonly sentAt: Date;
  readonly receivedAt: Date;
  readonly remoteTime: Date;
  /** Precision of `remoteTime`, in milliseconds. */
  readonly precisionMs?: number;
}

/** Two processes with this skew differ by up to 4 s. Tokens between processes tolerate 5 s (`clockTolerance`). */
const MAX_SKEW_MS = 2_000;

/** Compares another clock with that of this command. The duration of the request does not count as skew. */
export function checkClock(subject: string, { sentAt, receivedAt, remoteTime, precisionMs = 0 }: Comparison): Finding {
  const behindMs = sentAt.getTime() - (remoteTime.getTime() + precisionMs);
  const aheadMs = remoteTime.getTime() - receivedAt.getTime();
  const skewMs = Math.max(behindMs, aheadMs);
  if (skewMs <= MAX_SKEW_MS) return ok(subject, 'clock is right');
  const seconds = (skewMs / 1_000).toFixed(1);
  return problem(
    subject,
    `its clock is ${seconds} s ${behindMs > aheadMs ? 'behind' : 'ahead of'} the clock of this command`,
    'synchronize the clocks of all nodes with NTP: tokens, leases and retention depend on them',
  );
}
