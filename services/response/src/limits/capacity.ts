import { AppError } from '@survey/runtime/errors/app-error';
import { LRUCache } from 'lru-cache';
import type { Definition } from '../definitions/definition.ts';
import type { Link } from '../links/link.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type Limit, limitsOf, toLimitError } from './limit.ts';

interface Dependencies {
  readonly ledgers: Pick<LedgerStore, 'isFull'>;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

interface Question extends Limit {
  readonly survey: Pick<Definition, 'tenantId' | 'surveyId'>;
}

/** Age of a cached result. A seat is reserved later, which decides. Milliseconds. */
const FRESH_MS = 1_000;
const CACHED = 10_000;

export type Capacity = ReturnType<typeof createCapacity>;

/** Tells, at most a second late, whether more responses are taken. */
export function createCapacity({ ledgers, now }: Dependencies) {
  const full = new LRUCache<string, 'full' | 'free', Question>({
    max: CACHED,
    ttl: FRESH_MS,
    perf: { now },
    async fetchMethod(_key, _stale, { context: { survey, linkId, max } }) {
      const { tenantId, surveyId } = survey;
      return (await ledgers.isFull({ tenantId, surveyId }, { linkId, max })) ? 'full' : 'free';
    },
  });

  return {
    /** Throws `LINK_USED_UP` or `RESPONSE_LIMIT_REACHED` when all seats are in use. */
    async check(survey: Definition, link?: Link): Promise<void> {
      for (const limit of limitsOf(survey, link)) {
        const key = JSON.stringify([survey.surveyId, limit.linkId ?? null, limit.max]);
        const state = await full.forceFetch(key, { context: { ...limit, survey } });
        if (state === 'full') throw new AppError(toLimitError(limit));
      }
    },
  };
}
