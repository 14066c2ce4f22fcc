import { type Backlog, measureBacklog } from '@survey/runtime/telemetry/backlog-metrics';
import type { Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { Counter } from 'prom-client';

const OUTCOMES = ['stored', 'replayed', 'refused', 'failed'] as const;

/** How an upload ended: with a file, with that of an earlier one, by its sender's fault, breaking off included, or by ours. */
type UploadOutcome = (typeof OUTCOMES)[number];

/** Counts an upload that is over, with the bytes that it has brought. */
export type CountUpload = (outcome: UploadOutcome, bytes?: number) => void;

/** What there is to do about files. */
interface FileBacklog {
  measureDue(now: Date): Promise<Backlog>;
}

interface Dependencies extends Reporting {
  readonly files: FileBacklog;
  readonly clock: () => Date;
}

/** Tells what becomes of uploads, and which files wait to be settled or deleted. */
export function measureFiles({ files, clock, ...reporting }: Dependencies): CountUpload {
  const registers = [reporting.registry];
  const uploads = new Counter({
    name: 'response_file_uploads_total',
    help: 'Uploads of respondents, by how they ended.',
    labelNames: ['outcome'],
    aggregator: 'sum',
    registers,
  });
  const stored = new Counter({
    name: 'response_file_stored_bytes_total',
    help: 'Bytes of the files that were stored, before encryption.',
    aggregator: 'sum',
    registers,
  });
  // What was never there before its first increase does not seem to increase.
  for (const outcome of OUTCOMES) uploads.inc({ outcome }, 0);
  measureBacklog({
    measure: () => files.measureDue(clock()),
    count: { name: 'response_files_due', help: 'Files that are to be settled or deleted now' },
    oldest: {
      name: 'response_oldest_file_due_seconds',
      help: 'For how long a file has been to be settled or deleted, at the most',
    },
    ...reporting,
  });
  return (outcome, bytes = 0) => {
    uploads.inc({ outcome });
    stored.inc(bytes);
  };
}
