import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { SealedResponse } from '../responses/response.ts';
import type { Replaced, StoredState } from '../responses/response-state-store.ts';
import type { Limit } from './limit.ts';

/** A completed response that needs a seat. */
export interface Applicant {
  readonly response: SealedResponse;
  /** Revision of the response in progress that it completes; undefined for a new response. */
  readonly replaces: number | undefined;
  readonly events: readonly OutboxEvent[];
  /** At least one. */
  readonly limits: readonly Limit[];
}

/**
 * What became of an applicant: `outdated` means that the response in progress has changed, `contested` that the last
 * seats are reserved by others, who may not need them.
 */
export type Outcome = 'stored' | 'duplicate' | 'outdated' | 'refused' | 'contested' | Limit;

/** An applicant that can be stored if there is a seat. */
export interface Candidate {
  readonly applicant: Applicant;
  /** The document that its write replaces; undefined when it inserts the response. */
  readonly replaced: Replaced | undefined;
}

/** Decides by what is stored already. Each outcome or candidate is at the index of its applicant. */
export function toCandidates(
  applicants: readonly Applicant[],
  states: ReadonlyMap<string, StoredState>,
): readonly (Candidate | 'duplicate' | 'outdated')[] {
  const seen = new Set<string>();
  return applicants.map((applicant) => {
    const { response, replaces } = applicant;
    const { id } = response;
    const found = states.get(id);
    const isFirst = !seen.has(id);
    seen.add(id);
    if (replaces !== undefined) {
      const isSame = found?.kind === 'stored' && found.status === 'in_progress' && found.revision === replaces;
      return isFirst && isSame ? { applicant, replaced: { status: 'in_progress', revision: replaces } } : 'outdated';
    }
    if (!isFirst) return 'duplicate';
    if (found === undefined) return { applicant, replaced: undefined };
    // A void response was never stored, so its id is free for this one.
    const { kind, revision } = found;
    return kind === 'void' ? { applicant, replaced: { status: kind, revision } } : 'duplicate';
  });
}
