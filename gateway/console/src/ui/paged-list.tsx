import type { Page } from '@survey/client';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorNotice, Loading } from './states.tsx';

/** Pause between two reads of a list that changes. */
const MOVING_MS = 2_000;

type PagedQuery<T> = UseInfiniteQueryResult<InfiniteData<Page<T>>>;

/**
 * Loads a list page by page.
 *
 * @param load requests the page of a cursor, for example `(cursor, signal) => client.surveys.list({ cursor }, { signal }).page()`
 */
export function usePages<T>(
  key: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  /** Whether an item changes by itself, so that the list must be read again soon. */
  isMoving: (item: T) => boolean = () => false,
): PagedQuery<T> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some(isMoving)) ? MOVING_MS : false),
  });
}

interface Props<T> {
  readonly query: PagedQuery<T>;
  /** Shown if the list has no items. */
  readonly empty: ReactNode;
  readonly children: (items: readonly T[]) => ReactNode;
}

/** A list with a button that loads its next page. */
export function PagedList<T>({ query, empty, children }: Props<T>) {
  if (query.data === undefined) {
    return query.isError ? <ErrorNotice error={query.error} retry={() => void query.refetch()} /> : <Loading />;
  }
  const items = query.data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <>{empty}</>;
  return (
    <div className="stack">
      {children(items)}
      {query.isFetchNextPageError && <ErrorNotice error={query.error} />}
      {query.hasNextPage && (
        <div>
          <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
    </div>
  );
}
