import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { FailedInsert } from '@survey/runtime/mongo/insert-batch';
import type { SealedResponse } from '../responses/response.ts';
import type { ReplacedState, StoredState } from '../responses/response-state-store.ts';
import type { Limit } from './limit.ts';

/** A completed response that needs a seat. */
export interface PendingResponse {
  readonly response: SealedResponse;
  /** Revision of the response in progress that it completes; undefined for a new response. */
  readonly replacesRevision: number | undefined;
  readonly events: readonly OutboxEvent[];
  /** At least one. */
  readonly limits: readonly Limit[];
}

/**
 * Result for a pending response. `duplicate`: its id is already taken. `outdated`: the response in progress has
 * changed. `contested`: other writes hold the last seats, but may still release them. A `Limit`: this limit has no seat
 * left. A `FailedInsert`: MongoDB cannot store this response.
 */
export type Outcome = 'stored' | 'duplicate' | 'outdated' | 'contested' | Limit | FailedInsert;

/** A pending response that is stored if it gets its seats. */
export interface Candidate {
  readonly pending: PendingResponse;
  /** The document that its write replaces; undefined when it inserts the response. */
  readonly replaced: ReplacedState | undefined;
}

/** A response with the id of an earlier candidate in its batch. */
export interface Repeated {
  readonly candidate: Candidate;
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
): readonly (Candidate | Repeated | 'duplicate' | 'outdated')[] {
  const candidates = new Map<string, Candidate>();
  return pendingResponses.map((pending) => {
    const { id } = pending.response;
    const taken = pending.replacesRevision === undefined ? 'duplicate' : 'outdated';
    const candidate = candidateOf(pending, states.get(id));
    if (candidate === undefined) return taken;
    const first = candidates.get(id);
    if (first !== undefined) return { candidate: first, ifStored: taken };
    candidates.set(id, candidate);
    return candidate;
  });
}

/** Undefined if the stored document does not allow the response. */
function candidateOf(pending: PendingResponse, found: StoredState | undefined): Candidate | undefined {
  const { replacesRevision } = pending;
  if (replacesRevision !== undefined) {
    const isSame = found?.kind === 'stored' && found.status === 'in_progress' && found.revision === replacesRevision;
    return isSame ? { pending, replaced: { status: 'in_progress', revision: replacesRevision } } : undefined;
  }
  if (found === undefined) return { pending, replaced: undefined };
  // A void document stands for a response that was never stored, so its id is free.
  const { kind, revision } = found;
  return kind === 'void' ? { pending, replaced: { status: kind, revision } } : undefined;
}
