import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota, quotaExceeded, rateQuota } from '@survey/runtime/errors/quota';
import type { Reason } from '@survey/runtime/errors/reasons';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { type AddressRanges, isIn, toClient } from '@survey/runtime/limits/client';
import { createTokenBuckets } from '@survey/runtime/limits/token-buckets';
import type { CountRefusal } from './refusal-metrics.ts';

/** Leave to do something once. */
interface Leave {
  /** It was not needed: what was asked for had been done before. */
  giveBack(): void;
}

/**
 * What a client may do on the public routes, by its address as the gateway saw it. Each throws `TOO_MANY_REQUESTS`. An
 * empty address is of a call that came through no gateway, which is not limited.
 */
export interface Allowances {
  /** Stores a response. @param place id of the survey or link */
  submit(address: string, place: string): Leave;
  /** Stores a file. @param place id of the survey or link */
  upload(address: string, place: string): Leave;
  /** Stores the bytes of a file. A few at the same time: a slow one holds a place that others wait for. */
  uploading<T>(address: string, store: () => Promise<T>): Promise<T>;
  /**
   * Looks something up by what a stranger may have guessed. Only what is not found counts.
   *
   * @param isMiss whether what was found says that the guess was wrong
   */
  lookUp<T>(address: string, look: () => Promise<T>, isMiss?: (found: T) => boolean): Promise<T>;
}

interface Options {
  readonly submitsPerMinute: number;
  readonly uploadsPerMinute: number;
  readonly failedLookupsPerMinute: number;
  /** Whose clients are not limited. */
  readonly unlimited: AddressRanges;
  readonly countRefusal: CountRefusal;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** What a look-up fails with when there is no such thing. */
const MISSES: readonly Reason[] = ['SURVEY_NOT_FOUND', 'LINK_NOT_FOUND', 'RESPONSE_NOT_FOUND'];
/** Files of one client that arrive at one process at the same time: a quarter of all that may. */
const CONCURRENT_UPLOADS = concurrencyQuota('concurrent-uploads', 16);
const NOTHING_TAKEN: Leave = { giveBack() {} };

export function createAllowances(options: Options): Allowances {
  const { submitsPerMinute, uploadsPerMinute, failedLookupsPerMinute, unlimited, countRefusal, now } = options;
  const isLimited = (address: string) => address !== '' && !isIn(unlimited, address);

  function limitedBy(name: 'submits' | 'uploads' | 'lookups', perMinute: number) {
    const buckets = createTokenBuckets({ perMinute, now });
    return {
      ...buckets,
      check(waitMs: number): void {
        if (waitMs === 0) return;
        countRefusal(name);
        throw quotaExceeded(rateQuota(name, perMinute), waitMs);
      },
    };
  }

  const submits = limitedBy('submits', submitsPerMinute);
  const uploads = limitedBy('uploads', uploadsPerMinute);
  const lookups = limitedBy('lookups', failedLookupsPerMinute);

  const uploading = createKeyedSemaphore({ perKey: CONCURRENT_UPLOADS.requests });

  function takeOf(limit: typeof submits, address: string, place: string): Leave {
    if (!isLimited(address)) return NOTHING_TAKEN;
    const key = `${toClient(address)} ${place}`;
    limit.check(limit.take(key));
    return { giveBack: () => limit.giveBack(key) };
  }

  return {
    submit: (address, place) => takeOf(submits, address, place),
    upload: (address, place) => takeOf(uploads, address, place),

    async uploading(address, store) {
      if (!isLimited(address)) return store();
      const client = toClient(address);
      if (uploading.tryAcquire(client) !== undefined) {
        countRefusal('uploads');
        throw quotaExceeded(CONCURRENT_UPLOADS);
      }
      try {
        return await store();
      } finally {
        uploading.release(client);
      }
    },

    async lookUp(address, look, isMiss = () => false) {
      if (!isLimited(address)) return look();
      const client = toClient(address);
      // Before it is looked: an answer, whichever, is what a guess is after.
      lookups.check(lookups.waitFor(client));
      try {
        const found = await look();
        if (isMiss(found)) lookups.spend(client);
        return found;
      } catch (error) {
        if (error instanceof AppError && MISSES.includes(error.reason)) lookups.spend(client);
        throw error;
      }
    },
  };
}
