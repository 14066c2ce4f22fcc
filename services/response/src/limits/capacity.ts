import { AppError } from '@survey/runtime/errors/app-error';
import { LRUCache } from 'lru-cache';
import type { Definition } from '../definitions/definition.ts';
import type { Link } from '../links/link.ts';
import type { ResponseStore } from '../responses/response-service.ts';
import { type Limit, limitsOf, refusalOf } from './limit.ts';

interface Dependencies {
  readonly store: Pick<ResponseStore, 'count'>;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

interface Question extends Limit {
  readonly survey: Pick<Definition, 'tenantId' | 'surveyId'>;
}

/** How old an answer may be. Whether there is a place is found out anew, and for certain, when one is taken. */
const FRESH_MS = 1_000;
const REMEMBERED = 10_000;

export type Room = ReturnType<typeof createRoom>;

/** Tells, at most a second late, whether more responses are taken. */
export function createRoom({ store, now }: Dependencies) {
  const full = new LRUCache<string, 'full' | 'free', Question>({
    max: REMEMBERED,
    ttl: FRESH_MS,
    perf: { now },
    async fetchMethod(_key, _stale, { context: { survey, linkId, max } }) {
      const { tenantId, surveyId } = survey;
      const filter = { surveyId, status: 'completed', linkId } as const;
      return (await store.count(tenantId, filter, max)) < max ? 'free' : 'full';
    },
  });

  return {
    /** Throws `LINK_USED_UP` or `RESPONSE_LIMIT_REACHED` when all places are taken. */
    async check(survey: Definition, link?: Link): Promise<void> {
      for (const limit of limitsOf(survey, link)) {
        const key = JSON.stringify([survey.surveyId, limit.linkId ?? null, limit.max]);
        const state = await full.forceFetch(key, { context: { ...limit, survey } });
        if (state === 'full') throw new AppError(refusalOf(limit));
      }
    },
  };
}
