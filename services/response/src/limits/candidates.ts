import type { FailedInsert } from '@survey/runtime/mongo/insert-batch';
import type { Rejection } from '../responses/group-commit.ts';
import type { ResponseWrite } from '../responses/response-service.ts';
import type { StoredState } from '../responses/response-state-store.ts';
import type { Limit } from './limit.ts';

/** A completed response that needs a seat. */
export interface PendingResponse extends ResponseWrite {
  /** At least one. */
  readonly limits: readonly Limit[];
}

/**
 * Result for a pending response. `duplicate`: its id is already taken. `outdated`: the response in progress has
 * changed. `contested`: other writes hold the last seats, but may still release them, or its repeated check takes long.
 * A `Limit`: this limit has no seat left. A `Rejection`: its check was repeated after a wait, and failed. A
 * `FailedInsert`: MongoDB cannot store this response.
 */
export type Outcome = 'stored' | 'duplicate' | 'outdated' | 'contested' | Limit | Rejection | FailedInsert;

/** A response with the id of an earlier candidate in its batch. */
export interface Repeated {
  readonly candidate: PendingResponse;
  /** The outcome if the candidate is stored. */
  readonly ifStored: 'duplicate' | 'outdated';
}

/**
 * Compares each response with the stored document of the same id. Returns for each one, in the given order, a candidate
 * or the reason for not storing the response.
 */
export function toCandidates(
  pendingResponses: readonly PendingResponse[],
  states: ReadonlyMap<string, StoredState>,
): readonly (PendingResponse | Repeated | 'duplicate' | 'outdated')[] {
  const candidates = new Map<string, PendingResponse>();
  return pendingResponses.map((pending) => {
    const { id } = pending.response;
    if (!isAsRead(pending, states.get(id))) return toTaken(pending);
    const first = candidates.get(id);
    if (first !== undefined) return { candidate: first, ifStored: toTaken(pending) };
    candidates.set(id, pending);
    return pending;
  });
}

/** The outcome if the stored document does not allow the response. */
export function toTaken({ replaced }: Pick<PendingResponse, 'replaced'>): 'duplicate' | 'outdated' {
  return replaced?.status === 'in_progress' ? 'outdated' : 'duplicate';
}

/** Whether the stored document is still the one that the response replaces. */
function isAsRead({ replaced }: PendingResponse, found: StoredState | undefined): boolean {
  if (found === undefined || replaced === undefined) return found === replaced;
  const isKept = found.kind === 'stored' || found.kind === 'void';
  return isKept && found.status === replaced.status && found.revision === replaced.revision;
}
