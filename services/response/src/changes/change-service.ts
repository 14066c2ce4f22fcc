import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota, quotaExceeded } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { type ListScope, readOpaqueText, toListDigest, toOpaqueText } from '@survey/runtime/mongo/page';
import type { Response, SealedResponse } from '../responses/response.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { SurveyRef, WriteWindows } from '../responses/write-window-store.ts';
import type { Clocks } from '../stopwatch.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import type { ChangeHorizons } from './change-horizon-store.ts';
import type { ChangeStore } from './change-store.ts';

/** The last change of a response: the response after the change, or its deletion. */
export interface Change<R> {
  readonly id: string;
  readonly revision: number;
  readonly changedAt: Date;
  /** Undefined if the response is deleted. */
  readonly response: R | undefined;
}

export type SealedChange = Change<SealedResponse>;

/** A point in the feed of a survey, which is sorted by stamp and id. */
export interface FeedPoint {
  /** The cluster time of the write. `UNSTAMPED` for responses of earlier releases, which come first. */
  readonly stamp: bigint;
  /** Id of the response. Empty for the point before all responses with this stamp. */
  readonly id: string;
}

/** The last point that a reader has seen. Its cursor encodes this position. */
export interface FeedPosition extends FeedPoint {
  /**
   * The horizon of the reader's first page. All writes before a horizon have ended, so a page up to the horizon misses
   * no change. The reader gets no deletions before `firstHorizon`, because it never got these responses.
   */
  readonly firstHorizon: bigint;
}

export interface FeedQuery {
  /** Undefined for the first page. */
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Maximum wait for a change if the page is empty, in seconds. */
  readonly waitSeconds: number;
  /** Returns a signal that aborts when the client disconnects. Called only if the request waits. */
  readonly clientSignal: () => AbortSignal;
}

interface FeedPage {
  readonly changes: readonly Change<Response>[];
  readonly nextCursor: string;
}

interface Dependencies extends Clocks {
  readonly definitions: Pick<DefinitionService, 'findOwned'>;
  readonly store: ChangeStore;
  readonly horizons: ChangeHorizons;
  readonly windows: Pick<WriteWindows, 'lastWindowOf' | 'lastWindowIfEnded'>;
  readonly sealer: Pick<ResponseSealer, 'openAll'>;
  readonly waits: ChangeWaits;
  /** Number of days for which deletions are kept. */
  readonly keptDays: number;
}

export type ChangeService = ReturnType<typeof createChangeService>;

const DAY_MS = 24 * 60 * 60_000;
const CHECK_MS = 500;

/** Reads the change feed of a survey: the last change of each response, in the order of the writes. */
export function createChangeService(dependencies: Dependencies) {
  const { definitions, store, horizons, windows, sealer, waits, keptDays, clock, now } = dependencies;

  async function readPage(survey: SurveyRef, position: FeedPosition | undefined, limit: number) {
    const { changes, next } = await store.read(survey, position, await horizons.find(), limit);
    const sealed = changes.flatMap(({ response }) => response ?? []);
    // `openAll` keeps the order, so each change with a response takes the next opened response.
    const opened = (await sealer.openAll(survey.tenantId, sealed)).values();
    return {
      changes: changes.map((change) => ({ ...change, response: change.response && opened.next().value })),
      next,
    };
  }

  return {
    /** Returns the changes after a cursor. Waits if there are none. */
    async list(tenantId: TenantId, surveyId: string, query: FeedQuery): Promise<FeedPage> {
      const { cursor, limit, waitSeconds, clientSignal } = query;
      const survey = { tenantId, surveyId };
      await definitions.findOwned(tenantId, surveyId);
      const position = cursor === undefined ? undefined : decodeFeedCursor(survey, cursor);
      if (position !== undefined) checkNotExpired(position, new Date(clock().getTime() - keptDays * DAY_MS));
      const endsAt = now() + waitSeconds * 1_000;

      const toPage = ({ changes, next }: Awaited<ReturnType<typeof readPage>>): FeedPage => ({
        changes,
        nextCursor: encodeFeedCursor(survey, next),
      });

      // Read the window before the page. If the window has ended, each change after this page needs a new window.
      let endedWindow = waitSeconds > 0 ? await windows.lastWindowIfEnded(survey) : undefined;
      let page = await readPage(survey, position, limit);
      if (page.changes.length > 0 || waitSeconds === 0) return toPage(page);
      return waits.run(tenantId, clientSignal(), async (wait) => {
        const pause = async () => endsAt > now() && (await wait(Math.min(CHECK_MS, endsAt - now())));
        while (page.changes.length === 0 && (await awaitWrites(windows, survey, endedWindow, pause))) {
          endedWindow = await windows.lastWindowIfEnded(survey);
          page = await readPage(survey, page.next, limit);
        }
        return toPage(page);
      });
    },
  };
}

/**
 * Waits until responses to a survey may have been written, to avoid useless reads of the feed. Processes write
 * responses only in a write window: a time span that they store before the write (`WriteWindows`). If the last window
 * has ended, this function waits for a new window. If a window is open, it pauses once.
 *
 * @param endedWindow the last window; undefined if it has not ended
 * @param pause waits a moment. Returns false if the time is over or the request must end
 * @returns false if `pause` returned false
 */
async function awaitWrites(
  windows: Pick<WriteWindows, 'lastWindowOf'>,
  survey: SurveyRef,
  endedWindow: number | undefined,
  pause: () => Promise<boolean>,
): Promise<boolean> {
  while (await pause()) {
    if (endedWindow === undefined || (await windows.lastWindowOf(survey)) !== endedWindow) return true;
  }
  return false;
}

export function encodeFeedCursor(survey: SurveyRef, { firstHorizon, stamp, id }: FeedPosition): string {
  return toOpaqueText([toFeedDigest(survey), firstHorizon.toString(), stamp.toString(), id]);
}

/** Decodes a cursor. Throws `INVALID_CURSOR` for any text that `encodeFeedCursor` does not produce for this survey. */
export function decodeFeedCursor(survey: SurveyRef, cursor: string): FeedPosition {
  const position = readPosition(survey, cursor);
  if (position === undefined || encodeFeedCursor(survey, position) !== cursor) throw new AppError('INVALID_CURSOR');
  return position;
}

/** Throws `CURSOR_EXPIRED` if tombstones that the reader still needs may be gone. */
export function checkNotExpired({ firstHorizon, stamp }: FeedPosition, keptSince: Date): void {
  const latest = stamp > firstHorizon ? stamp : firstHorizon;
  if (toTime(latest) < keptSince) throw new AppError('CURSOR_EXPIRED');
}

function toFeedDigest({ tenantId, surveyId }: SurveyRef): string {
  const feed: ListScope = { collection: 'responses', tenantId, filter: { surveyId }, by: 'changed', order: 'asc' };
  return toListDigest(feed);
}

function readPosition(survey: SurveyRef, cursor: string): FeedPosition | undefined {
  const [feed, first, last, id, ...rest] = readOpaqueText(cursor);
  if (rest.length > 0) return undefined;
  const [firstHorizon, stamp] = [toStamp(first), toStamp(last)];
  if (feed !== toFeedDigest(survey) || firstHorizon === undefined || stamp === undefined) return undefined;
  return typeof id === 'string' ? { firstHorizon, stamp, id } : undefined;
}

function toStamp(text: unknown): bigint | undefined {
  return typeof text === 'string' && /^\d{1,20}$/.test(text) ? BigInt.asUintN(64, BigInt(text)) : undefined;
}

/** Pauses. Returns false immediately if the request must end: the client disconnected, or the process stops. */
type Wait = (ms: number) => Promise<boolean>;

interface Limits {
  readonly perTenant: number;
  readonly total: number;
}

const LIMITS: Limits = { perTenant: 20, total: 200 };

type ChangeWaits = ReturnType<typeof createChangeWaits>;

/** Limits the waiting requests of this process. */
export function createChangeWaits(limits = LIMITS) {
  const stopping = new AbortController();
  const waiting = createKeyedSemaphore<TenantId>({ perKey: limits.perTenant, total: limits.total });
  const toError = (reached: 'key' | 'total') =>
    reached === 'key'
      ? quotaExceeded(concurrencyQuota('waits', limits.perTenant))
      : new AppError('OVERLOADED', { retryAfterSeconds: 1 });

  return {
    /**
     * Runs a task that waits. Throws `TOO_MANY_REQUESTS` if the tenant has too many waiting requests, and `OVERLOADED`
     * if the process has too many.
     *
     * @param clientSignal aborts when the client disconnects
     */
    run<T>(tenantId: TenantId, clientSignal: AbortSignal, task: (wait: Wait) => Promise<T>): Promise<T> {
      const signal = AbortSignal.any([clientSignal, stopping.signal]);
      const wait = (ms: number) =>
        sleep(ms, true, { signal }).catch((error: unknown) => {
          if (signal.aborted) return false;
          throw error;
        });
      return waiting.run(tenantId, () => task(wait), toError);
    },

    async stop(): Promise<void> {
      stopping.abort();
    },
  };
}

export const UNSTAMPED = 0n;

const SECONDS_SHIFT = 32n;

export function isAfter(one: FeedPoint, other: FeedPoint): boolean {
  return one.stamp > other.stamp || (one.stamp === other.stamp && one.id > other.id);
}

/** The upper 32 bits of a stamp are its time in seconds. */
export function toTime(stamp: bigint): Date {
  return new Date(Number(stamp >> SECONDS_SHIFT) * 1_000);
}
