import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Lease } from '@survey/runtime/mongo/lease';
import { createPeriodicWorker } from '@survey/runtime/service/periodic';
import type { Worker } from '@survey/runtime/service/service-app';
import type { Logger } from 'pino';
import type { SurveyService } from './survey-service.ts';

/** Active surveys whose `closes_at` has come. */
export interface DueSurveys {
  /** The longest due first. */
  findDue(time: Date, limit: number): Promise<readonly { readonly id: string; readonly tenantId: TenantId }[]>;
}

interface Dependencies {
  readonly store: DueSurveys;
  readonly surveys: Pick<SurveyService, 'closeWhenOver'>;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 1_000;
const PAGE = 50;

/** Closes surveys when their time has come, on one replica at a time. */
export function createSurveyCloser({ store, surveys, lease, clock, log }: Dependencies): Worker {
  /** Whether there may be more. One survey that cannot be closed holds up no other. */
  async function closePage(): Promise<boolean> {
    const due = await store.findDue(clock(), PAGE);
    const closed = await Promise.allSettled(
      due.map(({ id, tenantId }) =>
        surveys.closeWhenOver({ by: { tenantId, actor: 'survey', requestId: '', traceparent: '' }, id }),
      ),
    );
    const failed = closed.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw new Error('A survey was not closed', { cause: failed.reason });
    return due.length === PAGE;
  }

  return createPeriodicWorker({
    everyMs: LOOK_EVERY_MS,
    what: 'surveys could not be closed on time',
    lease,
    log,
    async work(isStopped) {
      while ((await closePage()) && !isStopped() && (await lease.acquire()));
    },
  });
}
