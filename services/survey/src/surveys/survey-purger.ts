import { toServiceContext } from '@survey/runtime/auth/caller';
import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import { purgedEvent } from './survey-events.ts';
import type { DeletedSurvey, SurveyKey, SurveyPurgeStore } from './survey-purge-store.ts';

interface Dependencies {
  readonly store: Omit<SurveyPurgeStore, 'findRetentions'>;
  /** Days during which a deleted survey can be restored. */
  readonly afterDays: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const POLL_INTERVAL_MS = 2_000;
const IDLE_POLL_INTERVAL_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;
const PAGE_SIZE = 50;

/**
 * Purges surveys: deletes them for good `afterDays` after their deletion. A transaction replaces a survey by a
 * `PurgedSurveyDocument`. Then its versions and links are deleted in batches. After a crash, the next run deletes the
 * rest.
 *
 * Only the replica with the lease does this, to save work. Two replicas at the same time do no harm, because a survey
 * is purged only if its revision is unchanged.
 */
export function createSurveyPurger({ store, afterDays, lease, clock, log }: Dependencies): Worker {
  async function purge(survey: DeletedSurvey): Promise<void> {
    const time = clock();
    // The survey may have been restored since it was found.
    if (!(await store.purge(survey, time, purgedEvent(toServiceContext('survey', survey.tenantId), survey, time))))
      return;
    log.info({ tenant_id: survey.tenantId, survey_id: survey.id }, 'purged a deleted survey');
  }

  async function clear(survey: SurveyKey, renewToContinue: () => Promise<boolean>): Promise<void> {
    while ((await renewToContinue()) && (await store.clearSome(survey)));
  }

  return createPeriodicWorker({
    everyMs: POLL_INTERVAL_MS,
    idleEveryMs: IDLE_POLL_INTERVAL_MS,
    failure: 'cannot purge deleted surveys',
    lease,
    log,
    async work(isStopped) {
      const renewToContinue = async () => !isStopped() && (await lease.acquire());
      const before = new Date(clock().getTime() - afterDays * DAY_MS);
      const purges = await tryEach(
        (last?: DeletedSurvey) => store.findDeleted(before, PAGE_SIZE, last),
        purge,
        renewToContinue,
      );
      const cleanups = await tryEach(
        (last?: SurveyKey) => store.findPurgedWithData(PAGE_SIZE, last),
        (survey) => clear(survey, renewToContinue),
        renewToContinue,
      );
      // One failure is enough for the log: the next run repeats all failed work.
      const [failure] = [...purges.failures, ...cleanups.failures];
      if (failure !== undefined) throw failure;
      return purges.hadWork || cleanups.hadWork;
    },
  });
}

/** Processes all surveys once. A failure does not stop the others. Never rejects. */
async function tryEach<T extends SurveyKey>(
  findPage: (last: T | undefined) => Promise<readonly T[]>,
  work: (survey: T) => Promise<void>,
  renewToContinue: () => Promise<boolean>,
): Promise<{ readonly failures: readonly unknown[]; readonly hadWork: boolean }> {
  const failures: unknown[] = [];
  let hadWork = false;
  let last: T | undefined;
  try {
    do {
      const page: readonly T[] = await findPage(last);
      hadWork ||= page.length > 0;
      for (const survey of page) {
        if (!(await renewToContinue())) return { failures, hadWork };
        try {
          await work(survey);
        } catch (cause) {
          failures.push(new Error(`cannot purge survey ${survey.id}`, { cause }));
        }
      }
      last = page.length < PAGE_SIZE ? undefined : page.at(-1);
    } while (last !== undefined);
  } catch (error) {
    failures.push(error);
  }
  return { failures, hadWork };
}
