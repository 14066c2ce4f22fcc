import type { ErrorCode } from '@survey/runtime/errors/error-codes';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { FailedInsert } from '@survey/runtime/mongo/insert-batch';
import type { Rejection } from '../responses/group-commit.ts';
import type { ResponseFields } from '../responses/response.ts';
import type { StoredState } from '../responses/response-document-store.ts';
import { limitReachedEvent } from '../responses/response-events.ts';
import type { ResponseWrite } from '../responses/response-store.ts';
import type { Snapshot, SurveyState } from '../surveys/definition.ts';
import type { LinkFields } from '../surveys/link.ts';
import type { LedgerScope } from './ledger.ts';
import type { LedgerRecords, LedgerStore, TrackedChange } from './ledger-store.ts';

const FIRST_REVISION = 1;

/** Maximum number of completed responses to a survey, or through a link. Each response takes one of `max` seats. */
export interface Limit {
  /** Undefined for the limit of the survey. */
  readonly linkId: string | undefined;
  readonly max: number;
}

/** The limits that apply to a response: first the limit of its link, then the limit of its survey. */
export function limitsOf(
  { settings }: Pick<SurveyState, 'settings'>,
  link?: Pick<LinkFields, 'id' | 'maxResponses'>,
): readonly Limit[] {
  const { responseLimit } = settings;
  return [
    ...(link?.maxResponses === undefined ? [] : [{ linkId: link.id, max: link.maxResponses }]),
    ...(responseLimit === undefined ? [] : [{ linkId: undefined, max: responseLimit }]),
  ];
}

/**
 * Returns the scopes of a response (its survey and its link) that have no limit now. A scope may still have a ledger
 * (its count of used seats) from an earlier limit.
 */
export function unlimitedScopesOf(
  { tenantId, surveyId, settings }: Pick<Snapshot, 'tenantId' | 'surveyId' | 'settings'>,
  link?: Pick<LinkFields, 'id' | 'maxResponses' | 'revision'>,
): readonly LedgerScope[] {
  const survey = { tenantId, surveyId, linkId: undefined };
  // A link that was never changed has had no earlier limit.
  const isUnlimited = link !== undefined && link.maxResponses === undefined && link.revision > FIRST_REVISION;
  return [
    ...(settings.responseLimit === undefined ? [survey] : []),
    ...(isUnlimited ? [{ ...survey, linkId: link.id }] : []),
  ];
}

export function toLimitError({ linkId }: Limit): ErrorCode {
  return linkId === undefined ? 'RESPONSE_LIMIT_REACHED' : 'LINK_USED_UP';
}

export function countsTowardLimits({ status }: Pick<ResponseFields, 'status'>): boolean {
  return status === 'completed';
}

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
  const [had, has] = [countsTowardLimits(before), after !== undefined && countsTowardLimits(after)];
  if (had === has) return write({ entry: undefined, lastSeat: undefined });
  const { id, revision, linkId } = before;
  const responses = [{ id, revision, linkId }];
  return ledgers.track(before, has ? { seats: 1, responses, responseLimit } : { seats: -1, responses }, write);
}

export function toFreedSeats(responses: readonly ResponseFields[]): TrackedChange {
  const freed = responses.filter(countsTowardLimits).map(({ id, revision, linkId }) => ({ id, revision, linkId }));
  return { seats: -1, responses: freed };
}

/** The response that takes the last seat of its survey. */
export interface LastSeat {
  readonly responseId: string;
  /** Limit of the survey. */
  readonly responseLimit: number;
}

export function toLastSeat(responseId: string | undefined, responseLimit: number): LastSeat | undefined {
  return responseId === undefined ? undefined : { responseId, responseLimit };
}

/** Returns an event if the response takes the last seat of its survey. */
export function lastSeatEvents(response: ResponseFields, lastSeat: LastSeat | undefined): readonly OutboxEvent[] {
  return lastSeat?.responseId === response.id ? [limitReachedEvent(response, lastSeat.responseLimit)] : [];
}

/** A completed response that needs a seat. */
export interface PendingResponse extends ResponseWrite {
  /** At least one. */
  readonly limits: readonly Limit[];
}

/**
 * Result for a pending response. `duplicate`: its id is already taken. `outdated`: the response in progress has
 * changed. `contested`: try again, because other writes hold the last seats and may release them, or because the
 * repeated check takes long. A `Limit`: this limit has no seat left. A `Rejection`: the repeated check failed. A
 * `FailedInsert`: MongoDB cannot store the response.
 */
export type Outcome = 'stored' | 'duplicate' | 'outdated' | 'contested' | Limit | Rejection | FailedInsert;

/** A response that has the id of an earlier candidate in the same batch. */
interface Repeated {
  readonly candidate: PendingResponse;
  /** The outcome if the candidate is stored. */
  readonly ifStored: 'duplicate' | 'outdated';
}

/**
 * Compares each response with the stored document that has its id. Returns candidates, repeated responses, and the
 * reasons for not storing the others, in the given order.
 */
export function toCandidates(
  pendingResponses: readonly PendingResponse[],
  states: ReadonlyMap<string, StoredState>,
): readonly (PendingResponse | Repeated | 'duplicate' | 'outdated')[] {
  const candidates = new Map<string, PendingResponse>();
  return pendingResponses.map((pending) => {
    const { id } = pending.response;
    if (!isAsRead(pending, states.get(id))) return toConflict(pending);
    const first = candidates.get(id);
    if (first !== undefined) return { candidate: first, ifStored: toConflict(pending) };
    candidates.set(id, pending);
    return pending;
  });
}

/** The outcome if the stored document is not the one that the response replaces. */
export function toConflict({ replaced }: Pick<PendingResponse, 'replaced'>): 'duplicate' | 'outdated' {
  return replaced?.status === 'in_progress' ? 'outdated' : 'duplicate';
}

/** Whether the document has not changed since `replaced` was read. */
function isAsRead({ replaced }: PendingResponse, found: StoredState | undefined): boolean {
  if (found === undefined || replaced === undefined) return found === replaced;
  const isKept = found.kind === 'stored' || found.kind === 'void';
  return isKept && found.status === replaced.status && found.revision === replaced.revision;
}
