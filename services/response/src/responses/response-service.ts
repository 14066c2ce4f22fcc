import type { JsonValue } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { withTimeLimit } from '@survey/runtime/flow/retry';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { DefinitionService } from '../surveys/definition-service.ts';
import type { CorrectionRecord, Response } from './response.ts';
import { type ResponseFilter, withNearestLanguage } from './response-filter.ts';
import type { ResponseSealer } from './response-sealer.ts';
import type { ResponseStore } from './response-store.ts';
import type { AggregateCache } from './write-window-store.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly store: ResponseStore;
  readonly sealer: ResponseSealer;
  readonly counts: AggregateCache<number>;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Maximum time of a request for counts or answers. Milliseconds. */
  readonly timeMs?: number;
}

/** Limits of one page of `listAnswers`. */
const MAX_SCANNED = 1_000;
const MAX_READS = 20;
const MAX_CHARACTERS = 4 * 1024 * 1024;
const TIME_MS = 15_000;
/** Maximum number of concurrent slow counts, by tenant and in total. */
const SLOW_COUNTS = { perKey: 4, total: 16 };

/** The answer of a response to one question. */
export interface Answer extends Pick<Response, 'createdAt' | 'status' | 'surveyVersion'> {
  readonly responseId: string;
  readonly answer: JsonValue;
}

export type ResponseService = ReturnType<typeof createResponseService>;

/** Reads the responses of a tenant. Methods with a filter throw `SURVEY_NOT_FOUND` if the tenant has no such survey. */
export function createResponseService({
  definitions,
  store,
  sealer,
  counts,
  now,
  timeMs: maxMs = TIME_MS,
}: Dependencies) {
  const slowCounts = createKeyedSemaphore<TenantId>(SLOW_COUNTS);

  /** A slow count stays fresh for as long as counting took, so at most half of the time is spent on counting. */
  async function compute(tenantId: TenantId, filter: ResponseFilter) {
    const startedAt = now();
    let isSlow = false;
    /** Called if there are too many responses for one read. */
    function onSlice(): void {
      if (isSlow) return;
      const reached = slowCounts.acquireOrLimit(tenantId);
      if (reached !== undefined) throw toSlowCountError(reached);
      isSlow = true;
    }
    try {
      const value = await store.count(tenantId, filter, onSlice);
      return { value, freshMs: isSlow ? now() - startedAt : 0 };
    } finally {
      if (isSlow) slowCounts.release(tenantId);
    }
  }

  /** Adds the nearest language of the survey to the filter. Throws `SURVEY_NOT_FOUND`. */
  async function resolve(tenantId: TenantId, filter: ResponseFilter): Promise<ResponseFilter> {
    return withNearestLanguage(filter, await definitions.findOwned(tenantId, filter.surveyId));
  }

  return {
    async list(tenantId: TenantId, given: ResponseFilter, page: PageQuery): Promise<Page<Response>> {
      const filter = await resolve(tenantId, given);
      const { items, ...rest } = await store.list(tenantId, filter, page);
      return { items: await sealer.openAll(tenantId, items), ...rest };
    },

    /** Lists the answers to a question. A page reads a limited number of responses, so it can be short or empty. */
    async listAnswers(
      tenantId: TenantId,
      given: ResponseFilter,
      questionId: string,
      page: PageQuery,
    ): Promise<Page<Answer>> {
      const filter = await resolve(tenantId, given);
      const items: Answer[] = [];
      let { cursor } = page;
      let characters = 0;
      const startedAt = now();
      for (let [reads, scanned] = [0, 0]; reads < MAX_READS && scanned < MAX_SCANNED; reads += 1) {
        // The next page begins after the last response read, so read no more responses than the page lacks answers.
        const limit = Math.min(page.limit - items.length, MAX_SCANNED - scanned);
        // A read without time left still advances by one slice.
        const timeMs = Math.max(0, maxMs - (now() - startedAt));
        const { items: sealed, nextCursor } = await store.list(tenantId, filter, { ...page, limit, cursor, timeMs });
        const responses = await sealer.openAll(tenantId, sealed);
        for (const { id: responseId, createdAt, status, surveyVersion, data } of responses) {
          const answer = Object.hasOwn(data, questionId) ? data[questionId] : undefined;
          if (answer === undefined) continue;
          items.push({ responseId, createdAt, status, surveyVersion, answer });
          characters += JSON.stringify(answer).length;
        }
        scanned += sealed.length;
        cursor = nextCursor;
        if (cursor === undefined || items.length === page.limit || characters > MAX_CHARACTERS || timeMs === 0) break;
      }
      return { items, ...(cursor !== undefined && { nextCursor: cursor }) };
    },

    async sample(tenantId: TenantId, given: ResponseFilter, page: PageQuery): Promise<Page<Response>> {
      const filter = await resolve(tenantId, given);
      const { items, ...rest } = await store.sample(tenantId, filter, page);
      return { items: await sealer.openAll(tenantId, items), ...rest };
    },

    /**
     * Counts the matching responses. A slow count can be as old as counting took. Throws `DEADLINE_EXCEEDED` if
     * counting takes longer than `timeMs`. Counting goes on, and a later call gets the result. Throws
     * `TOO_MANY_REQUESTS` or `OVERLOADED` if too many slow counts are running.
     */
    async count(tenantId: TenantId, given: ResponseFilter, timeMs = maxMs): Promise<number> {
      const filter = await resolve(tenantId, given);
      const survey = { tenantId, surveyId: filter.surveyId };
      const count = counts.find(survey, JSON.stringify(filter), () => compute(tenantId, filter));
      return withTimeLimit(count, timeMs, () => {
        throw new AppError('DEADLINE_EXCEEDED', COUNTING_GOES_ON);
      });
    },

    /** Throws `RESPONSE_NOT_FOUND` if the tenant has no such response, or its survey is deleted. */
    async get(tenantId: TenantId, id: string): Promise<Response> {
      const sealed = await store.find(tenantId, id);
      if (sealed === undefined || !(await definitions.isOwned(tenantId, sealed.surveyId)))
        throw new AppError('RESPONSE_NOT_FOUND');
      return sealer.open(sealed);
    },

    /** Returns the last corrections of a response, newest first. Throws `RESPONSE_NOT_FOUND` like `get`. */
    async history(tenantId: TenantId, id: string): Promise<readonly CorrectionRecord[]> {
      const found = await store.findCorrections(tenantId, id);
      if (found === undefined || !(await definitions.isOwned(tenantId, found.surveyId)))
        throw new AppError('RESPONSE_NOT_FOUND');
      return found.corrections.toReversed();
    },

    /** Finds responses, even to deleted surveys, up to some megabytes. Request the postponed ids in a later call. */
    async getByIds(tenantId: TenantId, ids: readonly string[]) {
      const { found, postponed } = await store.findByIds(tenantId, ids);
      return { found: await sealer.openAll(tenantId, found), postponed };
    },
  };
}

const COUNTING_GOES_ON = {
  detail: 'Counting takes longer. It goes on: repeat the request after some seconds',
  retryAfterSeconds: 5,
};

function toSlowCountError(reached: 'key' | 'total'): AppError {
  if (reached === 'total') return new AppError('OVERLOADED', { retryAfterSeconds: 5 });
  const detail = `${SLOW_COUNTS.perKey} slow counts of your tenant are running; wait for one of them`;
  const quota = concurrencyQuota('slow-counts', SLOW_COUNTS.perKey);
  return new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: 5, quota });
}
