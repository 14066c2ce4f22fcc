import type { ResponseFields } from '../responses/response.ts';
import type { LedgerStore, TrackedChange } from './ledger-store.ts';
import { takesSeat } from './limit.ts';

/**
 * Runs a write that changes or deletes one response, and updates the ledgers if it takes or frees a seat.
 *
 * @param after undefined if the response is deleted
 * @param write receives the id that it must add to `ledger_entries` of the response
 */
export function trackSeat<T>(
  ledgers: Pick<LedgerStore, 'track'>,
  before: ResponseFields,
  after: ResponseFields | undefined,
  write: (entry: string | undefined) => Promise<T>,
): Promise<T> {
  const [had, has] = [takesSeat(before), after !== undefined && takesSeat(after)];
  if (had === has) return write(undefined);
  const { id, revision, linkId } = before;
  return ledgers.track(before, { seats: has ? 1 : -1, responses: [{ id, revision, linkId }] }, write);
}

/** The seats that are freed when these responses are deleted. */
export function toFreedSeats(responses: readonly ResponseFields[]): TrackedChange {
  const freed = responses.filter(takesSeat).map(({ id, revision, linkId }) => ({ id, revision, linkId }));
  return { seats: -1, responses: freed };
}
