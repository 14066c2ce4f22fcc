import { type Backlog, measureBacklog } from '@survey/runtime/telemetry/backlog-metrics';
import type { Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { startAtZero } from '@survey/runtime/telemetry/start-at-zero';
import { Counter } from 'prom-client';
import type { Report } from './report.ts';

const ROWS = ['imported', 'skipped', 'failed', 'left_out'] as const;
const ENDINGS: readonly Report['status'][] = ['completed', 'failed', 'cancelled'];

/** Rows by outcome. */
type CountedRows = Readonly<Record<(typeof ROWS)[number], number>>;

export interface ImportMetrics {
  /** Counts responses of the file that are done, by outcome. Call it when the progress is stored. */
  rows(counts: CountedRows): void;
  ended(status: Report['status']): void;
}

interface Dependencies extends Reporting {
  readonly imports: { measureDue(now: Date): Promise<Backlog> };
  readonly clock: () => Date;
}

/** Counts rows and ended imports, and measures the backlog of due imports. */
export function measureImports({ imports, clock, ...reporting }: Dependencies): ImportMetrics {
  const registers = [reporting.registry];
  const rows = new Counter({
    name: 'import_rows_total',
    help: 'Responses in imported files, by outcome. Dry runs are not counted.',
    labelNames: ['outcome'],
    aggregator: 'sum',
    registers,
  });
  const ended = new Counter({
    name: 'imports_ended_total',
    help: 'Ended imports by status, dry runs included.',
    labelNames: ['status'],
    aggregator: 'sum',
    registers,
  });
  startAtZero(rows, { outcome: ROWS });
  startAtZero(ended, { status: ENDINGS });
  measureBacklog({
    measure: () => imports.measureDue(clock()),
    count: { name: 'imports_due', help: 'Imports that are due and that no process runs' },
    oldest: {
      name: 'imports_oldest_due_seconds',
      help: 'Longest time that an import has been due',
    },
    ...reporting,
  });
  return {
    rows(counts) {
      for (const outcome of ROWS) rows.inc({ outcome }, counts[outcome]);
    },
    ended: (status) => ended.inc({ status }),
  };
}
