import { startAtZero } from '@survey/runtime/telemetry/metrics';
import { measureBacklog, type Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { Counter, type Registry } from 'prom-client';
import type { FileStore } from './file-store.ts';

const OUTCOMES = ['stored', 'replayed', 'refused', 'failed'] as const;

/**
 * `replayed`: an earlier upload with the same idempotency key has stored the file. `refused`: the upload was rejected,
 * or aborted by the client. `failed`: the service had an error.
 */
type UploadOutcome = (typeof OUTCOMES)[number];

export type CountUpload = (outcome: UploadOutcome, bytes?: number) => void;

export function createUploadCounter(registry: Registry): CountUpload {
  const registers = [registry];
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
  return (outcome, bytes = 0) => {
    uploads.inc({ outcome });
    stored.inc(bytes);
  };
}

interface Dependencies extends Reporting {
  readonly files: Pick<FileStore, 'measureDue'>;
  readonly clock: () => Date;
}

export function measureDueFiles({ files, clock, ...reporting }: Dependencies): void {
  measureBacklog({
    measure: () => files.measureDue(clock()),
    count: { name: 'response_files_due', help: 'Files that are due to be settled or deleted' },
    oldest: {
      name: 'response_oldest_file_due_seconds',
      help: 'Time since the oldest file became due to be settled or deleted',
    },
    ...reporting,
  });
}
