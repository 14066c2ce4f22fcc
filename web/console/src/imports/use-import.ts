import { ApiError, type ImportJob } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { addSample, type Sample } from './progress-estimate.ts';

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
