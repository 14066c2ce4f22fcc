import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { ResponseFilter } from './response-filter.ts';

/** Reads the matching responses of a survey in chunks, oldest first. */
export type ReadResponses<R> = (tenantId: TenantId, filter: ResponseFilter) => AsyncIterable<readonly R[]>;

interface Dependencies<S, R> {
  readonly read: ReadResponses<S>;
  readonly openAll: (tenantId: TenantId, sealed: readonly S[]) => Promise<readonly R[]>;
  readonly clock: () => Date;
}

/**
 * A read omits responses that are created more than this time after its start, so it ends even if responses keep
 * arriving. The tolerance includes responses from processes whose clock is ahead.
 */
const CLOCK_TOLERANCE_MS = 60_000;

/** Decrypts chunks of responses, and yields to the event loop after each. */
export function createResponseStream<S, R>({ read, openAll, clock }: Dependencies<S, R>): ReadResponses<R> {
  return async function* (tenantId, filter) {
    const end = new Date(clock().getTime() + CLOCK_TOLERANCE_MS);
    const { until = end } = filter;
    for await (const sealed of read(tenantId, { ...filter, until: until < end ? until : end })) {
      yield openAll(tenantId, sealed);
      await yieldToEventLoop();
    }
  };
}
