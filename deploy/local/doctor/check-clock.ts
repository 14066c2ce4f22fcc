import { type Finding, ok, problem } from './finding.ts';

interface Comparison {
  /** Our time before and after the request that returned `theirs`. */
  readonly sentAt: Date;
  readonly receivedAt: Date;
  readonly theirs: Date;
  /** Precision of `theirs`, in milliseconds. */
  readonly precisionMs?: number;
}

/** Two processes with this skew differ by up to 4 s. Tokens between processes tolerate 5 s (`clockTolerance`). */
const MAX_SKEW_MS = 2_000;

/** Compares another clock with ours. The duration of the request is an uncertainty, so it does not count as skew. */
export function checkClock(subject: string, { sentAt, receivedAt, theirs, precisionMs = 0 }: Comparison): Finding {
  const early = sentAt.getTime() - (theirs.getTime() + precisionMs);
  const late = theirs.getTime() - receivedAt.getTime();
  const skewMs = Math.max(early, late);
  if (skewMs <= MAX_SKEW_MS) return ok(subject, 'clock is right');
  const seconds = (skewMs / 1_000).toFixed(1);
  return problem(
    subject,
    `its clock is ${seconds} s ${early > late ? 'behind' : 'ahead of'} the clock of this command`,
    'synchronize the clocks of all nodes with NTP: tokens, leases and retention depend on them',
  );
}
