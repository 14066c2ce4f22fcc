import { type Backlog, measureBacklog } from '@survey/runtime/telemetry/backlog-metrics';
import type { Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { Counter } from 'prom-client';
import type { Report } from './report.ts';

const ROWS = ['imported', 'skipped', 'failed'] as const;
const ENDINGS: readonly Report['status'][] = ['completed', 'failed', 'cancelled'];

/** What became of some rows. */
type CountedRows = Readonly<Record<(typeof ROWS)[number], number>>;

export interface ImportMetrics {
  /** Rows that are done with, as their import is written down. */
  rows(counts: CountedRows): void;
  ended(status: Report['status']): void;
}

interface Dependencies extends Reporting {
  readonly imports: { measureDue(now: Date): Promise<Backlog> };
  readonly clock: () => Date;
}

/** Tells what becomes of imports, and which ones wait for a process that goes on with them. */
export function measureImports({ imports, clock, ...reporting }: Dependencies): ImportMetrics {
  const registers = [reporting.registry];
  const rows = new Counter({
    name: 'import_rows_total',
    help: 'Responses in imported files, by what became of them; dry runs store nothing and are not counted.',
    labelNames: ['outcome'],
    aggregator: 'sum',
    registers,
  });
  const ended = new Counter({
    name: 'imports_ended_total',
    help: 'Imports that are over, dry runs included, by how they ended.',
    labelNames: ['status'],
    aggregator: 'sum',
    registers,
  });
  // What was never there before its first increase does not seem to increase.
  for (const outcome of ROWS) rows.inc({ outcome }, 0);
  for (const status of ENDINGS) ended.inc({ status }, 0);
  measureBacklog({
    measure: () => imports.measureDue(clock()),
    count: { name: 'imports_due', help: 'Imports that no process has and that are to be gone on with now' },
    oldest: {
      name: 'imports_oldest_due_seconds',
      help: 'For how long an import has waited for a process that goes on with it, at the most',
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
