import type { Attempt } from '../deliveries/delivery.ts';
import { isSuccess } from '../deliveries/post-delivery.ts';
import type { WebhookState } from '../deliveries/webhook-reader.ts';

/** A delivery with the attempts that it keeps. */
export interface SampledDelivery {
  readonly createdAt: Date;
  readonly attempts: readonly Pick<Attempt, 'startedAt' | 'durationMs' | 'statusCode'>[];
}

export const counted = ['pending', 'retrying', 'failed'] as const;

/** Deliveries that wait or failed for good, each counted up to a limit. */
export interface DeliveryCounts extends Readonly<Record<(typeof counted)[number], number>> {
  /** The numbers that are higher than the limit. */
  readonly capped: readonly (typeof counted)[number][];
  /** Time when the oldest waiting delivery was created. */
  readonly waitingSince: Date | undefined;
  readonly nextAttemptAt: Date | undefined;
}

export interface Activity {
  readonly deliveries: number;
  readonly attempts: number;
  readonly succeeded: number;
  /** From 0 to 1. Undefined without attempts. */
  readonly successRate: number | undefined;
  /** In milliseconds, of attempts with a reply. */
  readonly latencyP50Ms: number | undefined;
  readonly latencyP95Ms: number | undefined;
  readonly isSample: boolean;
}

export interface Circuit {
  readonly circuit: 'closed' | 'open' | 'half_open';
  /** Undefined unless the circuit is open. */
  readonly circuitProbeAt: Date | undefined;
}

/**
 * Summarises the attempts of deliveries that were created at a time or later.
 *
 * @param sample the latest deliveries, newest first
 * @param isCut whether there are earlier deliveries that are not in the sample
 */
export function toActivity(sample: readonly SampledDelivery[], isCut: boolean, since: Date): Activity {
  const recent = sample.filter(({ createdAt }) => createdAt >= since);
  const attempts = recent.flatMap((delivery) => delivery.attempts);
  const succeeded = attempts.filter(({ statusCode }) => isSuccess(statusCode)).length;
  const latencies = attempts.filter(({ statusCode }) => statusCode !== undefined).map(({ durationMs }) => durationMs);
  const sorted = latencies.toSorted((one, other) => one - other);
  return {
    deliveries: recent.length,
    attempts: attempts.length,
    succeeded,
    successRate: attempts.length === 0 ? undefined : succeeded / attempts.length,
    latencyP50Ms: percentileOf(sorted, 0.5),
    latencyP95Ms: percentileOf(sorted, 0.95),
    isSample: isCut && recent.length === sample.length,
  };
}

/** The smallest value that this share of the values does not exceed. */
function percentileOf(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.ceil(sorted.length * share) - 1];
}

export function toCircuit(breaker: WebhookState['breaker'], now: Date): Circuit {
  if (breaker === undefined) return { circuit: 'closed', circuitProbeAt: undefined };
  const isOpen = breaker.until > now.getTime();
  return isOpen
    ? { circuit: 'open', circuitProbeAt: new Date(breaker.until) }
    : { circuit: 'half_open', circuitProbeAt: undefined };
}
