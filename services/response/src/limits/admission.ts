import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { ResponseHead, SealedResponse } from '../responses/response.ts';
import type { Limit } from './limit.ts';

/** A completed response that needs a place. */
export interface Applicant {
  readonly response: SealedResponse;
  /** Revision of the same response in progress that it takes the place of; undefined for a new one. */
  readonly replaces: number | undefined;
  readonly events: readonly OutboxEvent[];
  /** At least one. */
  readonly limits: readonly Limit[];
}

/** What became of an applicant. `outdated`: the response in progress is another by now. */
export type Outcome = 'stored' | 'duplicate' | 'outdated' | 'refused' | Limit;

/** What is stored under the id of an applicant. */
export type Stored = Pick<ResponseHead, 'revision' | 'status'>;

/** What an applicant's admission depends on. */
export interface Situation {
  /** By id; what is of nobody that may be named, or only remains of something, counts too. */
  readonly stored: ReadonlyMap<string, Stored | undefined>;
  /** How many places are taken, by the limit's `linkId`. */
  readonly taken: ReadonlyMap<string | undefined, number>;
}

/** Who gets in, first come, first served: the outcome of each at its index, `stored` for those who are to be. */
export function admit(applicants: readonly Applicant[], { stored, taken }: Situation): readonly Outcome[] {
  const places = new Map(taken);
  const seen = new Set<string>();
  return applicants.map(({ response: { id }, replaces, limits }) => {
    const isFree = replaces === undefined ? !stored.has(id) : isInProgress(stored.get(id), replaces);
    if (!isFree || seen.has(id)) return replaces === undefined ? 'duplicate' : 'outdated';
    const reached = limits.find(({ linkId, max }) => (places.get(linkId) ?? 0) >= max);
    if (reached !== undefined) return reached;
    seen.add(id);
    for (const { linkId } of limits) places.set(linkId, (places.get(linkId) ?? 0) + 1);
    return 'stored';
  });
}

function isInProgress(stored: Stored | undefined, revision: number): boolean {
  return stored?.status === 'in_progress' && stored.revision === revision;
}
