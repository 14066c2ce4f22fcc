import type { SentBatch } from '../responses/response-sender.ts';
import type { Hold } from './hold.ts';
import type { Progress } from './import.ts';
import type { ImportErrorStore } from './import-error-store.ts';
import type { ImportMetrics } from './import-metrics.ts';
import { toReportedError } from './report.ts';

interface Options {
  readonly hold: Hold;
  readonly errors: Pick<ImportErrorStore, 'keep'>;
  readonly metrics: Pick<ImportMetrics, 'rows'>;
  readonly questions: number;
  /** Bytes of the file that are read. */
  readonly bytes: () => number;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** All that are refused are counted; so many are kept, a little more. */
export const MAX_KEPT_ERRORS = 100_000;
/** Batches of which nothing is stored are written down together: whoever goes on finds the same. */
const WRITE_EVERY_MS = 1_000;

/** Counts what became of responses, on from where the import was, and writes it down batch by batch. */
export function createTally({ hold, errors, metrics, questions, bytes, now }: Options) {
  const { tenantId, id, dryRun } = hold.item;
  let { progress } = hold.item;
  let written = now();
  return {
    progress: () => progress,

    /** Whether so many were refused, and none is stored, that the file cannot be what its sender meant. */
    isHopeless: () => progress.failed >= MAX_KEPT_ERRORS && progress.imported + progress.skipped === 0,

    async add({ first, rows, imported, skipped, refused }: SentBatch): Promise<void> {
      if (refused.length > 0 && progress.failed < MAX_KEPT_ERRORS)
        await errors.keep(tenantId, id, first, refused.map(toReportedError));
      const next: Progress = {
        rows: progress.rows + rows,
        imported: progress.imported + imported,
        skipped: progress.skipped + skipped,
        failed: progress.failed + refused.length,
        bytes: bytes(),
      };
      progress = next;
      if (!dryRun) metrics.rows({ imported, skipped, failed: refused.length });
      if (imported + skipped === 0 && now() - written < WRITE_EVERY_MS) return;
      written = now();
      await hold.advance({ progress, questions });
    },
  };
}
