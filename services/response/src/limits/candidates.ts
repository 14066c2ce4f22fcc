import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { FailedInsert } from '@survey/runtime/mongo/insert-batch';
import type { SealedResponse } from '../responses/response.ts';
import type { Replaced, StoredState } from '../responses/response-state-store.ts';
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
 * Result for a pending response. `duplicate`: its id is already taken. `outdated`: the response in progress has changed.
 * `contested`: other writes hold the last seats, but may still release them. A `Limit`: this limit has no seat left. A
 * `FailedInsert`: MongoDB cannot store this response.
 */
export type Outcome = 'stored' | 'duplicate' | 'outdated' | 'contested' | Limit | FailedInsert;

/** A pending response that is stored if it gets its seats. */
export interface Candidate {
  readonly pending: PendingResponse;
  /** The document that its write replaces; undefined when it inserts the response. */
  readonly replaced: Replaced | undefined;
}

/** A response with the id of an earlier candidate in its batch. */
export interface Repeated {
  readonly candidate: Candidate;
  /** The outcome if the candidate is stored. */
  readonly ifStored: 'duplicate' | 'outdated';
}

/**
 * Compares each response with the stored document of the same id. Returns candidates, or why a response cannot be
 * stored, in the given order.
 */
export function toCandidates(
  pendingResponses: readonly PendingResponse[],
  states: ReadonlyMap<string, StoredState>,
): readonly (Candidate | Repeated | 'duplicate' | 'outdated')[] {
  const candidates = new Map<string, Candidate>();
  return pendingResponses.map((pending) => {
    const { id } = pending.response;
    const candidate = candidates.get(id);
    const taken = pending.replacesRevision === undefined ? 'duplicate' : 'outdated';
    const replaced = replacedBy(pending, states.get(id));
    if (replaced === undefined) return taken;
    if (candidate !== undefined) return { candidate, ifStored: taken };
    const first = { pending, replaced: replaced === 'nothing' ? undefined : replaced };
    candidates.set(id, first);
    return first;
  });
}

/** The state that a write of the response replaces; undefined if the response cannot be stored. */
function replacedBy(
  { replacesRevision }: PendingResponse,
  found: StoredState | undefined,
): Replaced | 'nothing' | undefined {
  if (replacesRevision !== undefined) {
    const isSame = found?.kind === 'stored' && found.status === 'in_progress' && found.revision === replacesRevision;
    return isSame ? { status: 'in_progress', revision: replacesRevision } : undefined;
  }
  if (found === undefined) return 'nothing';
  // A void document stands for a response that was never stored, so its id is free.
  return found.kind === 'void' ? { status: 'void', revision: found.revision } : undefined;
}
