import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { Response } from '../responses/response.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { SurveyRef, WriteWindows } from '../responses/write-window-store.ts';
import { awaitWrites } from './await-writes.ts';
import type { Change, FeedPosition } from './change.ts';
import { checkNotExpired, decodeFeedCursor, encodeFeedCursor } from './change-cursor.ts';
import type { ChangeHorizons } from './change-horizon-store.ts';
import type { ChangeStore } from './change-store.ts';
import type { ChangeWaits } from './change-waits.ts';

export interface FeedQuery {
  /** Undefined for the first page. */
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Maximum wait for a change if there is none, in seconds. */
  readonly waitSeconds: number;
  /** Returns a signal that aborts when the client disconnects. Called only if the request waits. */
  readonly clientSignal: () => AbortSignal;
}

interface FeedPage {
  readonly changes: readonly Change<Response>[];
  readonly nextCursor: string;
}

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned'>;
  readonly store: ChangeStore;
  readonly horizons: ChangeHorizons;
  readonly windows: Pick<WriteWindows, 'lastWindowOf' | 'lastEndedWindow'>;
  readonly sealer: Pick<ResponseSealer, 'openAll'>;
  readonly waits: ChangeWaits;
  /** Days that deletions are kept. */
  readonly keptDays: number;
  readonly clock: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

export type ChangeService = ReturnType<typeof createChangeService>;

const DAY_MS = 24 * 60 * 60_000;
/** Time between two checks for changes while a request waits. */
const CHECK_MS = 500;

/** Reads the change feed of a survey. */
export function createChangeService(dependencies: Dependencies) {
  const { definitions, store, horizons, windows, sealer, waits, keptDays, clock, now } = dependencies;

  async function readPage(survey: SurveyRef, position: FeedPosition | undefined, limit: number) {
    const { changes, next } = await store.read(survey, position, await horizons.find(), limit);
    const sealed = changes.flatMap(({ response }) => response ?? []);
    const opened = (await sealer.openAll(survey.tenantId, sealed)).values();
    return {
      changes: changes.map((change) => ({ ...change, response: change.response && opened.next().value })),
      next,
    };
  }

  return {
    /**
     * Returns the changes after a cursor, or waits for some. Throws `SURVEY_NOT_FOUND`, `INVALID_CURSOR`,
     * `CURSOR_EXPIRED`, or `TOO_MANY_REQUESTS` if too many requests of the tenant wait.
     */
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

      // Read the write window first: a change that is not in the page is then in a later window.
      let endedWindow = waitSeconds > 0 ? await windows.lastEndedWindow(survey) : undefined;
      let page = await readPage(survey, position, limit);
      if (page.changes.length > 0 || waitSeconds === 0) return toPage(page);
      return waits.run(tenantId, clientSignal(), async (wait) => {
        const pause = async () => endsAt > now() && (await wait(Math.min(CHECK_MS, endsAt - now())));
        while (page.changes.length === 0 && (await awaitWrites(windows, survey, endedWindow, pause))) {
          endedWindow = await windows.lastEndedWindow(survey);
          page = await readPage(survey, page.next, limit);
        }
        return toPage(page);
      });
    },
  };
}
