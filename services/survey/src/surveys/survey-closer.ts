import { toServiceContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { SurveyService } from './survey-service.ts';
import type { SurveyStore } from './survey-store.ts';

/** An active survey past its `closes_at`. */
export interface DueSurvey {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly closesAt: Date;
}

interface Dependencies {
  readonly store: Pick<SurveyStore, 'findDue'>;
  readonly surveys: Pick<SurveyService, 'closeIfPastClosing'>;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const POLL_INTERVAL_MS = 1_000;
const PAGE_SIZE = 50;

/**
 * Closes surveys at their `closesAt`. Only the replica with the lease does this, to save work. Two replicas at the same
 * time do no harm, because each write checks the revision of the survey.
 */
export function createSurveyCloser({ store, surveys, lease, clock, log }: Dependencies): Worker {
  /** Closes surveys and returns the first failure. */
  async function closeAll(due: readonly DueSurvey[]): Promise<{ readonly reason: unknown } | undefined> {
    const closed = await Promise.allSettled(
      due.map(({ id, tenantId }) => surveys.closeIfPastClosing({ context: toServiceContext('survey', tenantId), id })),
    );
    return closed.find((outcome) => outcome.status === 'rejected');
  }

  /** Processes all due surveys once. A failure does not stop the others. */
  async function closeDue(isStopped: () => boolean): Promise<void> {
    const time = clock();
    let failed: Awaited<ReturnType<typeof closeAll>>;
    let last: DueSurvey | undefined;
    do {
      const due: readonly DueSurvey[] = await store.findDue(time, PAGE_SIZE, last);
      const outcome = await closeAll(due);
      failed ??= outcome;
      last = due.length < PAGE_SIZE ? undefined : due.at(-1);
    } while (last !== undefined && !isStopped() && (await lease.acquire()));
    if (failed !== undefined) throw new Error('cannot close a survey', { cause: failed.reason });
  }

  return createPeriodicWorker({
    everyMs: POLL_INTERVAL_MS,
    failure: 'cannot close surveys on time',
    lease,
    log,
    work: closeDue,
  });
}
