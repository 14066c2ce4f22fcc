import { AppError } from '@survey/runtime/errors/app-error';
import type { ErrorCode } from '@survey/runtime/errors/error-codes';
import { concurrencyQuota, quotaExceeded, rateQuota } from '@survey/runtime/errors/quota';
import { type AddressRanges, clientKeyOf, isIn } from '@survey/runtime/flow/client-address';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { createTokenBuckets } from '@survey/runtime/flow/token-buckets';
import { startAtZero } from '@survey/runtime/telemetry/metrics';
import { Counter, type Registry } from 'prom-client';

interface Permit {
  /** Returns the permit. Call it if the request repeats an earlier request. */
  giveBack(): void;
}

interface Options {
  readonly submitsPerMinute: number;
  readonly uploadsPerMinute: number;
  readonly failedLookupsPerMinute: number;
  /** Clients in these ranges are not limited. */
  readonly unlimitedRanges: AddressRanges;
  readonly countRejection: CountRejection;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Error codes of a lookup that found nothing. */
const MISSES: readonly ErrorCode[] = ['SURVEY_NOT_FOUND', 'LINK_NOT_FOUND', 'RESPONSE_NOT_FOUND'];
/** Concurrent uploads of one client to one process. */
const MAX_CONCURRENT_UPLOADS = 16;
const CONCURRENT_UPLOADS = concurrencyQuota('concurrent-uploads', MAX_CONCURRENT_UPLOADS);
const UNLIMITED: Permit = { giveBack() {} };

export type RateLimits = ReturnType<typeof createRateLimits>;

/**
 * Limits the public requests of each client. Every method throws `TOO_MANY_REQUESTS` at the limit. Calls that do not
 * come through the gateway have an empty address and are not limited.
 */
export function createRateLimits(options: Options) {
  const { submitsPerMinute, uploadsPerMinute, failedLookupsPerMinute, unlimitedRanges, countRejection, now } = options;
  const isLimited = (address: string) => address !== '' && !isIn(unlimitedRanges, address);

  function createLimit(name: 'submits' | 'uploads' | 'lookups', perMinute: number) {
    const buckets = createTokenBuckets({ perMinute, now });
    function rejectIfWaiting(waitMs: number): void {
      if (waitMs === 0) return;
      countRejection(name);
      throw quotaExceeded(rateQuota(name, perMinute), waitMs);
    }
    return {
      ...buckets,
      rejectIfWaiting,
      /** A limit by client *and* target. The gateway limits the requests of a client to all targets together. */
      permit(address: string, target: string): Permit {
        if (!isLimited(address)) return UNLIMITED;
        const key = `${clientKeyOf(address)} ${target}`;
        rejectIfWaiting(buckets.take(key));
        return { giveBack: () => buckets.giveBack(key) };
      },
    };
  }

  const submits = createLimit('submits', submitsPerMinute);
  const uploads = createLimit('uploads', uploadsPerMinute);
  const lookups = createLimit('lookups', failedLookupsPerMinute);

  const uploadSlots = createKeyedSemaphore({ perKey: CONCURRENT_UPLOADS.requests });

  return {
    /** Permits one response. @param target id of the survey or link */
    permitSubmit: submits.permit,
    /** Permits one file. @param target id of the survey or link */
    permitUpload: uploads.permit,

    /** Stores a file with `store`, within the concurrency limit of the client. */
    async runUpload<T>(address: string, store: () => Promise<T>): Promise<T> {
      if (!isLimited(address)) return store();
      return uploadSlots.run(clientKeyOf(address), store, () => {
        countRejection('uploads');
        return quotaExceeded(CONCURRENT_UPLOADS);
      });
    },

    /**
     * Looks up something by an id or token that a client may guess. Only misses count toward the limit.
     *
     * @param isMiss whether the result means that the guess was wrong
     */
    async lookUp<T>(address: string, look: () => Promise<T>, isMiss: (found: T) => boolean = () => false): Promise<T> {
      if (!isLimited(address)) return look();
      const client = clientKeyOf(address);
      // Check the limit first: any result or error would reveal whether the guess was right.
      lookups.rejectIfWaiting(lookups.waitFor(client));
      try {
        const found = await look();
        if (isMiss(found)) lookups.takeAnyway(client);
        return found;
      } catch (error) {
        if (error instanceof AppError && MISSES.includes(error.code)) lookups.takeAnyway(client);
        throw error;
      }
    },
  };
}

/** `passwords`: `surveys/password-guesses.ts` limits the guesses of a link's password. */
const LIMITS = ['submits', 'uploads', 'lookups', 'passwords'] as const;

/** Counts a request that exceeded a limit. */
export type CountRejection = (limit: (typeof LIMITS)[number]) => void;

export function createRejectionCounter(registry: Registry): CountRejection {
  const total = new Counter({
    name: 'response_client_refusals_total',
    help: 'Public requests rejected because their client exceeded a limit, by limit.',
    labelNames: ['limit'],
    aggregator: 'sum',
    registers: [registry],
  });
  startAtZero(total, { limit: LIMITS });
  return (limit) => total.inc({ limit });
}
