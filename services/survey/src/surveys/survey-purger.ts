import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import { purgedEvent } from './survey-events.ts';
import type { DeletedSurvey, PurgedSurvey } from './survey-purge.ts';
import type { SurveyPurgeStore } from './survey-purge-store.ts';

interface Dependencies {
  readonly store: Omit<SurveyPurgeStore, 'findRetentions'>;
  /** How long a deleted survey can be restored. Days. */
  readonly afterDays: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 2_000;
const IDLE_LOOK_EVERY_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;
const PAGE = 50;

/**
 * Purges surveys that were deleted long ago, on one replica at a time. From the first write on a survey is gone for
 * everybody; its versions and links follow in bounded steps, and go on where a process was killed in between. The lease
 * only saves work: a survey is purged only at the revision that was found, and a purged one does not come back.
 */
export function createSurveyPurger({ store, afterDays, lease, clock, log }: Dependencies): Worker {
  async function purge(survey: DeletedSurvey): Promise<void> {
    const time = clock();
    // Whoever restores it meanwhile has it.
    if (!(await store.purge(survey, time, eventOf(survey, time)))) return;
    log.info({ tenant_id: survey.tenantId, survey_id: survey.id }, 'purged a survey that was deleted long ago');
  }

  async function clear(survey: PurgedSurvey, mayGoOn: () => Promise<boolean>): Promise<void> {
    while ((await mayGoOn()) && (await store.clearSome(survey)));
  }

  return createPeriodicWorker({
    everyMs: LOOK_EVERY_MS,
    idleEveryMs: IDLE_LOOK_EVERY_MS,
    failure: 'deleted surveys could not be purged',
    lease,
    log,
    async work(isStopped) {
      const mayGoOn = async () => !isStopped() && (await lease.acquire());
      let isAny = false;
      async function found<T>(page: Promise<readonly T[]>): Promise<readonly T[]> {
        isAny ||= (await page).length > 0;
        return page;
      }
      const before = new Date(clock().getTime() - afterDays * DAY_MS);
      const failures = [
        ...(await tryEach((last?: DeletedSurvey) => found(store.findDeleted(before, PAGE, last)), purge, mayGoOn)),
        ...(await tryEach(
          (last?: PurgedSurvey) => found(store.findUnfinished(PAGE, last)),
          (survey) => clear(survey, mayGoOn),
          mayGoOn,
        )),
      ];
      if (failures.length > 0) throw failures[0];
      return isAny;
    },
  });
}

/** Goes through all that are found now, once: one that fails holds up no other. */
async function tryEach<T extends PurgedSurvey>(
  findPage: (last: T | undefined) => Promise<readonly T[]>,
  work: (survey: T) => Promise<void>,
  mayGoOn: () => Promise<boolean>,
): Promise<readonly Error[]> {
  const failures: Error[] = [];
  let last: T | undefined;
  do {
    const page: readonly T[] = await findPage(last);
    for (const survey of page) {
      if (!(await mayGoOn())) return failures;
      try {
        await work(survey);
      } catch (cause) {
        failures.push(new Error(`purging the survey ${survey.id} failed`, { cause }));
      }
    }
    last = page.length < PAGE ? undefined : page.at(-1);
  } while (last !== undefined);
  return failures;
}

/** Nobody's request: the service acts by itself. */
function eventOf(survey: DeletedSurvey, time: Date): OutboxEvent {
  const by = { tenantId: survey.tenantId, actor: 'survey', requestId: '', traceparent: '' };
  return purgedEvent(by, survey, time);
}
