import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { ResponseFilter } from './response-filter.ts';

/** What there is of the responses of a survey that fit a filter, some at a time, oldest first. */
export type ReadResponses<R> = (tenantId: TenantId, filter: ResponseFilter) => AsyncIterable<readonly R[]>;

interface Dependencies<S, R> {
  readonly read: ReadResponses<S>;
  readonly openAll: (tenantId: TenantId, sealed: readonly S[]) => Promise<readonly R[]>;
  readonly clock: () => Date;
}

/**
 * What is stored later than this after the beginning is left out: it ends, however fast responses arrive. What another
 * process stored before the beginning is not, though its clock is ahead. Milliseconds.
 */
const CLOCK_TOLERANCE_MS = 60_000;

/** Opens what is read, in turns with other calls. */
export function createResponseStream<S, R>({ read, openAll, clock }: Dependencies<S, R>): ReadResponses<R> {
  return async function* (tenantId, filter) {
    const end = new Date(clock().getTime() + CLOCK_TOLERANCE_MS);
    const { until = end } = filter;
    for await (const sealed of read(tenantId, { ...filter, until: until < end ? until : end })) {
      yield openAll(tenantId, sealed);
      // They have kept other calls waiting for long enough.
      await nextTurn();
    }
  };
}
