import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { DeletionCause } from './retention.ts';
import type { SurveyWalkStore } from './survey-walk.ts';

const CAUSES: readonly DeletionCause[] = ['retention', 'purge'];

/** Counts responses that the service deleted by itself. */
export type CountDeleted = (cause: DeletionCause, count: number) => void;

interface Dependencies {
  readonly walks: Pick<SurveyWalkStore, 'find'>;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Tells how many responses were deleted because their time was over, and when all surveys were gone through last. */
export function measureRetention({ walks, registry, log }: Dependencies): CountDeleted {
  const deleted = new Counter({
    name: 'responses_deleted_total',
    help: 'Responses that this process deleted by itself: at the end of their retention, or with their purged survey.',
    labelNames: ['cause'],
    aggregator: 'sum',
    registers: [registry],
  });
  // What was never there before its first increase does not seem to increase.
  for (const cause of CAUSES) deleted.inc({ cause }, 0);
  new Gauge({
    name: 'retention_last_completed_timestamp_seconds',
    help: 'When all surveys were gone through last for what is to be deleted, 0 before; every replica tells the same number.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      try {
        const walk = await walks.find();
        this.set((walk?.completedAt?.getTime() ?? 0) / 1_000);
      } catch (error) {
        // The page tells the other metrics, and of this one what was true last.
        log.warn({ err: error }, 'how far responses were deleted in time could not be told');
      }
    },
  });
  return (cause, count) => deleted.inc({ cause }, count);
}
