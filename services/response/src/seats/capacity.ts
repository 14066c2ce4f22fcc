import { AppError } from '@survey/runtime/errors/app-error';
import { maxEntries } from '@survey/runtime/flow/memoize';
import { LRUCache } from 'lru-cache';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { Link } from '../surveys/link.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type Limit, limitsOf, toLimitError } from './limit.ts';

interface Dependencies {
  readonly ledgers: Pick<LedgerStore, 'isFull'>;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

interface Lookup extends Limit {
  readonly survey: Pick<CompiledSurvey, 'tenantId' | 'surveyId'>;
}

/** Lifetime of a cached result. It may be stale: only the reservation of a seat is exact. */
const CACHE_MS = 1_000;
const CACHE_ENTRIES = 10_000;

export type Capacity = ReturnType<typeof createCapacity>;

/** Rejects responses to full surveys and links early, before they are validated. Results are cached for a second. */
export function createCapacity({ ledgers, now }: Dependencies) {
  const states = new LRUCache<string, 'full' | 'free', Lookup>({
    ...maxEntries(CACHE_ENTRIES),
    ttl: CACHE_MS,
    perf: { now },
    async fetchMethod(_key, _stale, { context: { survey, linkId, max } }) {
      const { tenantId, surveyId } = survey;
      return (await ledgers.isFull({ tenantId, surveyId }, { linkId, max })) ? 'full' : 'free';
    },
  });

  return {
    /** Throws `LINK_USED_UP` or `RESPONSE_LIMIT_REACHED` when all seats are in use. */
    async check(survey: CompiledSurvey, link?: Link): Promise<void> {
      for (const limit of limitsOf(survey, link)) {
        const key = JSON.stringify([survey.surveyId, limit.linkId ?? null, limit.max]);
        const state = await states.forceFetch(key, { context: { ...limit, survey } });
        if (state === 'full') throw new AppError(toLimitError(limit));
      }
    },
  };
}
