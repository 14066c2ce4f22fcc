import type { SentBatch } from '../responses/response-sender.ts';
import type { Progress } from './import.ts';
import type { ImportErrorStore } from './import-error-store.ts';
import type { ImportMetrics } from './import-metrics.ts';
import type { RenewedLease } from './lease-renewal.ts';
import type { Omissions } from './omissions.ts';
import { toReportedError } from './report.ts';

interface Options {
  readonly lease: RenewedLease;
  readonly omissions: Pick<Omissions, 'add'>;
  readonly errors: Pick<ImportErrorStore, 'keep'>;
  readonly metrics: Pick<ImportMetrics, 'rows'>;
  readonly questions: number;
  /** Bytes of the file read so far. */
  readonly bytes: () => number;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
}

/** All errors are counted. About this many are stored. */
export const MAX_KEPT_ERRORS = 100_000;
/** Interval of progress writes while batches store no response: such batches can safely be sent again. */
const WRITE_EVERY_MS = 1_000;

/** Counts responses by outcome, from the last progress on, and stores the counts after each batch. */
export function createTally({ lease, omissions, errors, metrics, questions, bytes, now }: Options) {
  const { tenantId, id, dryRun } = lease.item;
  let { progress } = lease.item;
  let written = now();
  return {
    progress: () => progress,

    /** Whether very many responses were rejected and none was stored: probably the file or format is wrong. */
    hasFailedEntirely: () => progress.failed >= MAX_KEPT_ERRORS && progress.imported + progress.skipped === 0,

    async add(batch: SentBatch): Promise<void> {
      const { first, rows, imported, importedInPart, skipped, leftOut, rejected, storedResponses } = batch;
      if (rejected.length > 0 && progress.failed < MAX_KEPT_ERRORS)
        await errors.keep(tenantId, id, first, rejected.map(toReportedError));
      const next: Progress = {
        rows: progress.rows + rows,
        imported: progress.imported + imported,
        importedInPart: progress.importedInPart + importedInPart,
        skipped: progress.skipped + skipped,
        failed: progress.failed + rejected.length,
        leftOut: progress.leftOut + leftOut,
        bytes: bytes(),
      };
      progress = next;
      for (const response of storedResponses) omissions.add(response, response.omissions);
      if (!dryRun) metrics.rows({ imported, skipped, failed: rejected.length, left_out: leftOut });
      if (imported + skipped === 0 && now() - written < WRITE_EVERY_MS) return;
      written = now();
      await lease.advance({ progress, questions });
    },
  };
}
