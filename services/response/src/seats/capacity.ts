import { AppError } from '@survey/runtime/errors/app-error';
import { memoize } from '@survey/runtime/flow/memoize';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { Link } from '../surveys/link.ts';
import type { LedgerStore } from './ledger-store.ts';
import { limitsOf, toLimitError } from './limit.ts';

interface Dependencies {
  readonly ledgers: Pick<LedgerStore, 'isFull'>;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

const CACHE = { ttlMs: 1_000, maxKeys: 10_000 } as const;

export type Capacity = ReturnType<typeof createCapacity>;

/**
 * Rejects responses to full surveys and links before their validation. A survey or link is full if completed responses
 * use all seats of its limit. Cached results may be stale: only the reservation of a seat is exact.
 */
export function createCapacity({ ledgers, now }: Dependencies) {
  const isFull = memoize((_key, ...limit: Parameters<LedgerStore['isFull']>) => ledgers.isFull(...limit), {
    ...CACHE,
    now,
  });

  return {
    /** Throws `LINK_USED_UP` or `RESPONSE_LIMIT_REACHED` when all seats are in use. */
    async check({ tenantId, surveyId, ...survey }: CompiledSurvey, link?: Link): Promise<void> {
      for (const limit of limitsOf(survey, link)) {
        const key = JSON.stringify([surveyId, limit.linkId ?? null, limit.max]);
        if (await isFull(key, { tenantId, surveyId }, limit)) throw new AppError(toLimitError(limit));
      }
    },
  };
}
