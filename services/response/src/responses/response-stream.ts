import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Response } from './response.ts';
import type { ResponseFilter } from './response-filter.ts';
import type { ResponseSealer } from './response-sealer.ts';
import type { ResponseStreamStore } from './response-stream-store.ts';

/** The responses of a survey that fit a filter, a few at a time, oldest first. */
export type ReadResponses = (tenantId: TenantId, filter: ResponseFilter) => AsyncIterable<readonly Response[]>;

interface Dependencies {
  readonly store: Pick<ResponseStreamStore, 'read'>;
  readonly sealer: Pick<ResponseSealer, 'openAll'>;
  readonly clock: () => Date;
}

/** Opened at once: more would keep other calls waiting meanwhile. */
const CHUNK = 100;
/**
 * What is stored later than this after the beginning is left out: it ends, however fast responses arrive. What another
 * process stored before the beginning is not, though its clock is ahead. Milliseconds.
 */
const CLOCK_TOLERANCE_MS = 60_000;

export function createResponseStream({ store, sealer, clock }: Dependencies): ReadResponses {
  return async function* (tenantId, filter) {
    const end = new Date(clock().getTime() + CLOCK_TOLERANCE_MS);
    const { until = end } = filter;
    for await (const sealed of store.read(tenantId, { ...filter, until: until < end ? until : end })) {
      for (let start = 0; start < sealed.length; start += CHUNK) {
        yield sealer.openAll(tenantId, sealed.slice(start, start + CHUNK));
        await nextTurn();
      }
    }
  };
}
