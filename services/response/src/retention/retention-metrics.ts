import { startAtZero } from '@survey/runtime/telemetry/start-at-zero';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { DeletionCause } from './retention.ts';
import type { SurveyWalkStore } from './survey-walk.ts';

const CAUSES: readonly DeletionCause[] = ['retention', 'purge'];

export type CountDeleted = (cause: DeletionCause, count: number) => void;

interface Dependencies {
  readonly walks: Pick<SurveyWalkStore, 'find'>;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Measures deletions by retention and purges, and the time of the last complete walk through all surveys. */
export function measureRetention({ walks, registry, log }: Dependencies): CountDeleted {
  const deleted = new Counter({
    name: 'responses_deleted_total',
    help: 'Responses that this process deleted at the end of their retention, or with their purged survey.',
    labelNames: ['cause'],
    aggregator: 'sum',
    registers: [registry],
  });
  startAtZero(deleted, { cause: CAUSES });
  new Gauge({
    name: 'retention_last_completed_timestamp_seconds',
    help: 'Time of the last complete check of all surveys for data to delete, 0 if never; the same for every replica.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      try {
        const walk = await walks.find();
        this.set((walk?.completedAt?.getTime() ?? 0) / 1_000);
      } catch (error) {
        // Keep the last value.
        log.warn({ err: error }, 'cannot read the time of the last retention walk');
      }
    },
  });
  return (cause, count) => deleted.inc({ cause }, count);
}
