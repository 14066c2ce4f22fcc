import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { QueryView } from './states.tsx';

/** A record as it was read, with the `ETag` for changes of this state. */
export interface RecordWithEtag<T> {
  readonly record: T;
  readonly etag: string;
}

interface Props<T> {
  readonly queryKey: readonly unknown[];
  /** Requests the record. */
  readonly read: (signal: AbortSignal) => Promise<{ readonly data: T; readonly response: Response }>;
  /** Title of the dialog. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: (fresh: RecordWithEtag<T>) => ReactNode;
}

/** Reads a record when a dialog opens, so that a change by somebody else is neither lost nor overlooked. */
export function RecordLoader<T>({ queryKey, read, title, onClose, children }: Props<T>) {
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<RecordWithEtag<T>> => {
      const { data, response } = await read(signal);
      return { record: data, etag: response.headers.get('etag') ?? '*' };
    },
    // Do not reuse the state that an earlier dialog has read.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data !== undefined) return <>{children(query.data)}</>;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <QueryView query={query}>{() => null}</QueryView>
    </Dialog>
  );
}
