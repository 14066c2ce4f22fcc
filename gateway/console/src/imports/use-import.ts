import type { ImportJob } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { addSample, type Sample } from './progress-estimate.ts';

const PAUSE_MS = 1_000;

export function isRunning({ status }: Pick<ImportJob, 'status'>): boolean {
  return status === 'running' || status === 'cancelling';
}

/** Reads an import, again and again while it runs, with samples of its progress. */
export function useImport(importId: string) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['imports', importId],
    queryFn: ({ signal }) => client.imports.get(importId, { signal }),
    refetchInterval: ({ state }) => (state.data === undefined || isRunning(state.data) ? PAUSE_MS : false),
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
