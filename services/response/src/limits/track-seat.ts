import type { ResponseFields } from '../responses/response.ts';
import type { LedgerRecords, LedgerStore, TrackedChange } from './ledger-store.ts';
import { takesSeat } from './limit.ts';

interface SeatedChange {
  readonly before: ResponseFields;
  /** Undefined if the response is deleted. */
  readonly after: ResponseFields | undefined;
  /** Limit of the survey. */
  readonly responseLimit?: number | undefined;
}

/** Runs a write that changes or deletes one response, and updates the ledgers if it takes or frees a seat. */
export function trackSeat<T>(
  ledgers: Pick<LedgerStore, 'track'>,
  { before, after, responseLimit }: SeatedChange,
  write: (tracked: LedgerRecords) => Promise<T>,
): Promise<T> {
  const [had, has] = [takesSeat(before), after !== undefined && takesSeat(after)];
  if (had === has) return write({ entry: undefined, lastSeat: undefined });
  const { id, revision, linkId } = before;
  const responses = [{ id, revision, linkId }];
  return ledgers.track(before, has ? { seats: 1, responses, responseLimit } : { seats: -1, responses }, write);
}

/** The seats that are freed when these responses are deleted. */
export function toFreedSeats(responses: readonly ResponseFields[]): TrackedChange {
  const freed = responses.filter(takesSeat).map(({ id, revision, linkId }) => ({ id, revision, linkId }));
  return { seats: -1, responses: freed };
}
