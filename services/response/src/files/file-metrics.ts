import { startAtZero } from '@survey/runtime/telemetry/metrics';
import { measureBacklog, type Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { Counter } from 'prom-client';
import type { FileStore } from './file-store.ts';

const OUTCOMES = ['stored', 'replayed', 'refused', 'failed'] as const;

/** `refused`: rejected, or aborted by the client. `failed`: an error of the service. */
type UploadOutcome = (typeof OUTCOMES)[number];

export type CountUpload = (outcome: UploadOutcome, bytes?: number) => void;

interface Dependencies extends Reporting {
  readonly files: Pick<FileStore, 'measureDue'>;
  readonly clock: () => Date;
}

/** Measures uploads, and files that are due to be settled or deleted. */
export function createFileMetrics({ files, clock, ...reporting }: Dependencies): CountUpload {
  const registers = [reporting.registry];
  const uploads = new Counter({
    name: 'response_file_uploads_total',
    help: 'Uploads of respondents, by outcome.',
    labelNames: ['outcome'],
    aggregator: 'sum',
    registers,
  });
  const stored = new Counter({
    name: 'response_file_stored_bytes_total',
    help: 'Bytes of stored files, before encryption.',
    aggregator: 'sum',
    registers,
  });
  startAtZero(uploads, { outcome: OUTCOMES });
  measureBacklog({
    measure: () => files.measureDue(clock()),
    count: { name: 'response_files_due', help: 'Files that are due to be settled or deleted' },
    oldest: {
      name: 'response_oldest_file_due_seconds',
      help: 'Time since the oldest file became due to be settled or deleted',
    },
    ...reporting,
  });
  return (outcome, bytes = 0) => {
    uploads.inc({ outcome });
    stored.inc(bytes);
  };
}
