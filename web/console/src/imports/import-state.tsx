import { ApiError, type ImportJob } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { SurveyTitleById } from '../surveys/survey-name.tsx';
import { Status } from '../ui/states.tsx';

export function ImportStatus({ item: { status, dry_run } }: { readonly item: ImportJob }) {
  return (
    <span className="row">
      <Status value={status} />
      {dry_run && <Status value="dry run" />}
    </span>
  );
}

/** The survey of an import. A dry run of a new survey leaves none behind. */
export function ImportedSurvey({ item: { survey_id, status } }: { readonly item: ImportJob }) {
  if (survey_id === '' || status === 'running' || status === 'failed') return <span className="soft">–</span>;
  return (
    <Link to="/surveys/$surveyId" params={{ surveyId: survey_id }}>
      <SurveyTitleById surveyId={survey_id} />
    </Link>
  );
}

const PAUSE_MS = 1_000;

export function isRunning({ status }: Pick<ImportJob, 'status'>): boolean {
  return status === 'running' || status === 'cancelling';
}

/**
 * Returns the milliseconds until an import is read again; false for never. Errors such as 403 and 404 are final.
 *
 * @param item the import as it was read last
 * @param error the error of the last read
 */
export function pauseBeforeNextRead(item: Pick<ImportJob, 'status'> | undefined, error: unknown): number | false {
  const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return !isFinal && (item === undefined || isRunning(item)) ? PAUSE_MS : false;
}

/** Reads an import, again and again while it runs, with samples of its progress. */
export function useImport(importId: string) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['imports', importId],
    queryFn: ({ signal }) => client.imports.get(importId, { signal }),
    refetchInterval: ({ state }) => pauseBeforeNextRead(state.data, state.error),
  });
  const { data, dataUpdatedAt } = query;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (data === undefined) return;
    const { bytes, rows } = data.progress;
    setSamples((previous) => addSample(previous, { at: dataUpdatedAt, bytes, rows }));
  }, [data, dataUpdatedAt]);
  return { query, samples };
}

/** The progress of an import or upload at one time. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
  readonly rows: number;
}

interface Estimate {
  readonly rowsPerSecond: number;
  /** Undefined if the samples show no progress. */
  readonly millisecondsLeft: number | undefined;
}

/** Maximum number of samples, so that the estimate follows the speed of the last seconds. */
const MAX_SAMPLES = 15;

/** Adds a sample, and keeps only the latest ones. */
export function addSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  return samples.at(-1)?.at === next.at ? samples : [...samples, next].slice(-MAX_SAMPLES);
}

/**
 * Estimates the speed and the remaining time. Undefined until there are two samples.
 *
 * @param total of bytes or rows, by `unit`
 */
export function estimate(
  samples: readonly Sample[],
  total: number,
  unit: 'bytes' | 'rows' = 'bytes',
): Estimate | undefined {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at) return undefined;
  const elapsed = last.at - first.at;
  const done = last[unit] - first[unit];
  return {
    rowsPerSecond: ((last.rows - first.rows) / elapsed) * 1000,
    millisecondsLeft: done <= 0 ? undefined : (Math.max(0, total - last[unit]) / done) * elapsed,
  };
}

/** The progress of an import. A service of the previous release, which runs beside this console, leaves out `read`. */
interface Progress {
  readonly bytes: number;
  readonly total_bytes: number;
  readonly rows: number;
  readonly read?: number;
}

/** The progress of the step that runs: an import reads its whole file, then stores the responses. */
export function stepOf({ bytes, total_bytes, rows, read }: Progress) {
  if (read !== undefined && rows > 0) return { isStoring: true, done: rows, total: read } as const;
  return { isStoring: false, done: bytes, total: total_bytes } as const;
}
