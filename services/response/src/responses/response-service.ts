import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { JsonValue } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyExceeded, concurrencyQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { withTimeLimit } from '@survey/runtime/flow/retry';
import { MAX_PAGE_BYTES, type Page, type PageQuery } from '@survey/runtime/mongo/page';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import type { ConditionService, Conditions, Outcome } from './condition-service.ts';
import type { CorrectionRecord, Response } from './response.ts';
import type { ResponseFilter, Selection } from './response-filter.ts';
import type { ResponseSealer } from './response-sealer.ts';
import { type ResponseStore, SAMPLE_TOO_LARGE } from './response-store.ts';
import { FEW_ACCEPTED } from './sample-store.ts';
import type { AggregateCache } from './write-window-store.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly store: ResponseStore;
  readonly sealer: ResponseSealer;
  readonly conditions: ConditionService;
  readonly counts: AggregateCache<ResponseCount>;
  readonly slowReads?: SlowReads;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Maximum time of a request for counts or answers. Milliseconds. */
  readonly timeMs?: number;
  /** Maximum number of responses that are read for one page of a search. */
  readonly maxScanned?: number;
}

/** Limits of one page that is searched for among the responses of a filter. */
const MAX_SCANNED = 10_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;
const TIME_MS = 15_000;
/** Maximum number of responses that are read at a time. */
const READ = 500;
/** A count or an export with conditions, or a plan of a deletion, is slow if it takes longer. Milliseconds. */
export const SLOW_MS = 500;
/** Maximum number of concurrent searches with conditions, by tenant and in total. */
const SEARCHES = { perKey: 8, total: 64 };
/** Maximum number of concurrent slow reads, by tenant and in total. */
const SLOW_READS = { perKey: 4, total: 16 };
/** Time after which an export looks for a slot again. Milliseconds. */
const WAIT_MS = 50;

export interface ResponseCount {
  readonly count: number;
  /**
   * Responses that match the filter, and whose version lacks a question of the conditions. Undefined without conditions.
   */
  readonly lackingQuestion: number | undefined;
}

/** A page of a search. */
export interface ScannedPage<T> extends Page<T> {
  /** Number of responses that were read for the page. */
  readonly scanned: number;
  /** Number of these whose version lacks a question of the conditions. Undefined without conditions. */
  readonly lackingQuestion: number | undefined;
  /** False if the search ended before the page was full. */
  readonly isComplete: boolean;
}

/** The answer of a response to one question. */
export interface Answer extends Pick<Response, 'createdAt' | 'status' | 'surveyVersion'> {
  readonly responseId: string;
  readonly answer: JsonValue;
}

export type ResponseService = ReturnType<typeof createResponseService>;

/** Reads the responses of a tenant. Methods with a selection throw `SURVEY_NOT_FOUND` if the tenant has no such survey. */
export function createResponseService({
  definitions,
  store,
  sealer,
  conditions: conditionService,
  counts,
  slowReads = createSlowReads(),
  now,
  timeMs: maxMs = TIME_MS,
  maxScanned = MAX_SCANNED,
}: Dependencies) {
  const searches = createKeyedSemaphore<TenantId>(SEARCHES);

  /** A slow count stays fresh for as long as counting took, so at most half of the time is spent on counting. */
  async function compute(
    tenantId: TenantId,
    filter: ResponseFilter,
    conditions: Conditions | undefined,
    onRead: (count: number) => void,
  ) {
    const startedAt = now();
    const { value, isSlow } = await slowReads.run(tenantId, async (onSlow) =>
      conditions === undefined
        ? { count: await store.count(tenantId, filter, onSlow), lackingQuestion: undefined }
        : countMatches(tenantId, filter, conditions, { onSlow, onRead }),
    );
    return { value, freshMs: isSlow ? now() - startedAt : 0 };
  }

  async function countMatches(
    tenantId: TenantId,
    filter: ResponseFilter,
    conditions: Conditions,
    { onSlow, onRead }: { readonly onSlow: () => void; readonly onRead: (count: number) => void },
  ): Promise<ResponseCount> {
    const startedAt = now();
    let [count, lackingQuestion] = [0, 0];
    for await (const responses of conditionService.read(tenantId, filter, conditions)) {
      for (const { isMatch, lacksQuestion } of responses) {
        if (isMatch) count += 1;
        if (lacksQuestion) lackingQuestion += 1;
      }
      onRead(responses.length);
      if (now() - startedAt > SLOW_MS) onSlow();
    }
    return { count, lackingQuestion };
  }

  async function resolve(tenantId: TenantId, selection: Selection) {
    const survey = await definitions.findOwned(tenantId, selection.surveyId);
    return { survey, ...(await conditionService.resolve(survey, selection)) };
  }

  /** Runs a search in the limit of searches, if it has conditions. */
  function inLimit<T>(tenantId: TenantId, conditions: Conditions | undefined, search: () => Promise<T>): Promise<T> {
    return conditions === undefined ? search() : searches.run(tenantId, search, toSearchError);
  }

  /**
   * Searches for a page among the responses of a filter. It reads a limited number of responses for a limited time, so it
   * can be short or empty.
   *
   * @param toItem returns undefined for a response that is not on the page
   */
  async function scan<T>(
    tenantId: TenantId,
    filter: ResponseFilter,
    conditions: Conditions | undefined,
    given: PageQuery,
    toItem: (response: Response) => T | undefined,
  ): Promise<ScannedPage<T>> {
    const page = { ...given, selection: conditions?.digest };
    const deadline = now() + maxMs;
    const items: T[] = [];
    let { cursor } = given;
    let [scanned, lackingQuestion, characters, limit] = [0, 0, 0, page.limit];
    const toPage = (nextCursor: string | undefined, isComplete = true) => ({
      items,
      scanned,
      lackingQuestion: conditions && lackingQuestion,
      isComplete,
      ...(nextCursor !== undefined && { nextCursor }),
    });
    for (;;) {
      limit = Math.min(limit, READ, maxScanned - scanned);
      // A read without time left still advances by one slice.
      const timeMs = Math.max(0, deadline - now());
      const { items: sealed, nextCursor } = await store.list(tenantId, filter, { ...page, limit, cursor, timeMs });
      const responses = await sealer.openAll(tenantId, sealed);
      const tested: readonly (Response & Partial<Outcome>)[] =
        conditions === undefined ? responses : await conditions.test(responses, deadline);
      for (const [index, { isMatch = true, lacksQuestion = false, ...response }] of tested.entries()) {
        scanned += 1;
        if (lacksQuestion) lackingQuestion += 1;
        const item = isMatch ? toItem(response) : undefined;
        if (item === undefined) continue;
        items.push(item);
        characters += JSON.stringify(item).length;
        if (items.length < page.limit && characters <= MAX_CHARACTERS) continue;
        const isLast = index === responses.length - 1;
        return toPage(isLast ? nextCursor : store.cursorAfter(tenantId, filter, page, response));
      }
      const last = tested.at(-1);
      if (last !== undefined && tested.length < responses.length)
        return toPage(store.cursorAfter(tenantId, filter, page, last), false);
      cursor = nextCursor;
      if (cursor === undefined) return toPage(undefined);
      if (scanned >= maxScanned || timeMs === 0) return toPage(cursor, false);
      // Few of these responses were on the page, so read more of them at a time.
      limit *= 2;
      await yieldToEventLoop();
    }
  }

  /** Tests random responses until enough of them match. */
  async function sampleMatches(
    tenantId: TenantId,
    filter: ResponseFilter,
    conditions: Conditions,
    { limit, cursor }: PageQuery,
  ): Promise<ScannedPage<Response>> {
    // The sample has a single page.
    if (cursor !== undefined) throw new AppError('INVALID_CURSOR');
    const deadline = now() + maxMs;
    const items: Response[] = [];
    let [scanned, lackingQuestion, characters] = [0, 0, 0];
    for await (const sealed of store.shuffle(tenantId, filter)) {
      if (now() >= deadline) throw new AppError('DEADLINE_EXCEEDED', FEW_ACCEPTED);
      const responses = await sealer.openAll(tenantId, sealed);
      const tested = await conditions.test(responses, deadline);
      for (const { isMatch, lacksQuestion, ...response } of tested) {
        scanned += 1;
        if (lacksQuestion) lackingQuestion += 1;
        if (!isMatch) continue;
        items.push(response);
        characters += JSON.stringify(response).length;
        if (characters > MAX_PAGE_BYTES) throw new AppError('VALIDATION_FAILED', { errors: [SAMPLE_TOO_LARGE] });
        if (items.length === limit) return { items, scanned, lackingQuestion, isComplete: true };
      }
      if (tested.length < responses.length) throw new AppError('DEADLINE_EXCEEDED', FEW_ACCEPTED);
    }
    return { items, scanned, lackingQuestion, isComplete: true };
  }

  return {
    /** Lists responses. With conditions, a page reads a limited number of responses, so it can be short or empty. */
    async list(tenantId: TenantId, given: Selection, page: PageQuery): Promise<ScannedPage<Response>> {
      const { filter, conditions } = await resolve(tenantId, given);
      if (conditions !== undefined)
        return inLimit(tenantId, conditions, () => scan(tenantId, filter, conditions, page, (response) => response));
      const { items: sealed, ...rest } = await store.list(tenantId, filter, page);
      const items = await sealer.openAll(tenantId, sealed);
      const isComplete = items.length === page.limit || rest.nextCursor === undefined;
      return { items, ...rest, scanned: items.length, lackingQuestion: undefined, isComplete };
    },

    /** Lists the answers to a question. A page reads a limited number of responses, so it can be short or empty. */
    async listAnswers(
      tenantId: TenantId,
      given: Selection,
      questionId: string,
      page: PageQuery,
    ): Promise<ScannedPage<Answer>> {
      const { filter, conditions } = await resolve(tenantId, given);
      return inLimit(tenantId, conditions, () =>
        scan(tenantId, filter, conditions, page, ({ id: responseId, createdAt, status, surveyVersion, data }) => {
          const answer = Object.hasOwn(data, questionId) ? data[questionId] : undefined;
          return answer === undefined ? undefined : { responseId, createdAt, status, surveyVersion, answer };
        }),
      );
    },

    /**
     * Returns a random sample. With conditions, throws `DEADLINE_EXCEEDED` if few of many responses match, because a part
     * of a sample would not be uniform.
     */
    async sample(tenantId: TenantId, given: Selection, page: PageQuery): Promise<ScannedPage<Response>> {
      const { filter, conditions } = await resolve(tenantId, given);
      if (conditions !== undefined)
        return inLimit(tenantId, conditions, () => sampleMatches(tenantId, filter, conditions, page));
      const { items: sealed, ...rest } = await store.sample(tenantId, filter, page);
      const items = await sealer.openAll(tenantId, sealed);
      const isComplete = rest.nextCursor === undefined;
      return { items, ...rest, scanned: items.length, lackingQuestion: undefined, isComplete };
    },

    /**
     * Counts the matching responses. A slow count can be as old as counting took. Throws `DEADLINE_EXCEEDED` if
     * counting takes longer than `timeMs`. Counting goes on, and a later call gets the result. Throws
     * `TOO_MANY_REQUESTS` or `OVERLOADED` if too many slow counts are running.
     */
    async count(tenantId: TenantId, given: Selection, timeMs = maxMs): Promise<ResponseCount> {
      const { survey, filter, conditions } = await resolve(tenantId, given);
      const key = toCountKey(survey, filter, conditions);
      const count = counts.find(survey, key, (_, onRead) => compute(tenantId, filter, conditions, onRead));
      return withTimeLimit(count, timeMs, () => {
        throw takesLonger('Counting', counts.findProgress(survey, key));
      });
    },

    /** Returns the last count, even if it is outdated. Does not count. */
    findLastCount: (
      survey: CompiledSurvey,
      filter: ResponseFilter,
      conditions: Conditions,
    ): ResponseCount | undefined => counts.findLast(survey, toCountKey(survey, filter, conditions)),

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

/** The version of the survey decides how texts of options are resolved. */
function toCountKey({ version }: CompiledSurvey, filter: ResponseFilter, conditions: Conditions | undefined): string {
  return JSON.stringify([filter, ...(conditions === undefined ? [] : [version, conditions.digest])]);
}

/**
 * The error of a request for a computation that goes on.
 *
 * @param read number of responses that the computation has read
 */
export function takesLonger(computation: string, read: number): AppError {
  const progress = read === 0 ? '' : `: ${read.toLocaleString('en')} responses are read`;
  const detail = `${computation} takes longer${progress}. It goes on: repeat the request after some seconds`;
  return new AppError('DEADLINE_EXCEEDED', { detail, retryAfterSeconds: 5 });
}

function toSearchError(reached: 'key' | 'total'): AppError {
  const busy = 'searches with conditions of your tenant are running';
  return concurrencyExceeded(reached, concurrencyQuota('searches', SEARCHES.perKey), { busy, retryAfterSeconds: 1 });
}

export type SlowReads = ReturnType<typeof createSlowReads>;

/** Limits concurrent slow reads: counts of very many responses, plans to delete them, and exports with conditions. */
export function createSlowReads(now = () => performance.now()) {
  const semaphore = createKeyedSemaphore<TenantId>(SLOW_READS);

  async function waitForSlot(tenantId: TenantId, signal: AbortSignal): Promise<void> {
    while (semaphore.acquireOrLimit(tenantId) !== undefined) await sleep(WAIT_MS, undefined, { signal });
  }

  return {
    /**
     * @param read calls `onSlow` when it turns out to be slow. `onSlow` throws `TOO_MANY_REQUESTS` or `OVERLOADED` if too
     *   many slow reads are running
     */
    async run<T>(tenantId: TenantId, read: (onSlow: () => void) => Promise<T>): Promise<{ value: T; isSlow: boolean }> {
      let isSlow = false;
      function onSlow(): void {
        if (isSlow) return;
        const reached = semaphore.acquireOrLimit(tenantId);
        if (reached !== undefined) throw toSlowReadError(reached);
        isSlow = true;
      }
      try {
        const value = await read(onSlow);
        return { value, isSlow };
      } finally {
        if (isSlow) semaphore.release(tenantId);
      }
    },

    /**
     * Limits an export. A slow one waits for a slot before each chunk. It holds the slot only until it has the chunk,
     * so that a client that reads slowly holds none.
     */
    async *limitExport<C>(tenantId: TenantId, chunks: AsyncGenerator<C>, signal: AbortSignal): AsyncGenerator<C> {
      let searchedMs = 0;
      try {
        for (;;) {
          const isSlow = searchedMs > SLOW_MS;
          if (isSlow) await waitForSlot(tenantId, signal);
          const startedAt = now();
          const next = await chunks.next().finally(() => {
            if (isSlow) semaphore.release(tenantId);
          });
          searchedMs += now() - startedAt;
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        await chunks.return(undefined);
      }
    },
  };
}

function toSlowReadError(reached: 'key' | 'total'): AppError {
  const busy = 'slow counts and exports with conditions of your tenant are running';
  const quota = concurrencyQuota('slow-counts', SLOW_READS.perKey);
  return concurrencyExceeded(reached, quota, { busy, retryAfterSeconds: 5 });
}
