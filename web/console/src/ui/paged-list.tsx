import type { Page } from '@survey/client';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAnnounce } from './announce.tsx';
import { Button } from './button.tsx';
import { formatNumber } from './format.tsx';

import { ErrorNotice, Loading } from './states.tsx';

/** Pause between two reads of a list that changes. */
const POLL_MS = 2_000;

type PagedQuery<T> = UseInfiniteQueryResult<InfiniteData<Page<T>>>;

interface PagesOptions<T> {
  /** Whether an item changes by itself, so that the list must be read again soon. */
  readonly isChanging?: (item: T) => boolean;
  /** Whether the list stays as it was read, because another read would return other items (default false). */
  readonly isFixed?: boolean;
}

/**
 * Loads a list page by page. While its filters change, the previous rows stay. The list is read again in the background
 * only while it has one page, because all loaded pages would be requested. An invalidated query is always read again.
 *
 * @param key ends with the filters, if the list has some
 * @param load requests the page of a cursor, for example with `client.surveys.list({ cursor }, { signal }).page()`
 */
export function usePages<T>(
  key: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  { isChanging = () => false, isFixed = false }: PagesOptions<T> = {},
): PagedQuery<T> {
  const mayReload = (data: InfiniteData<Page<T>> | undefined) =>
    !isFixed && (data === undefined || data.pages.length <= 1);
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    ...(isFixed ? { staleTime: Number.POSITIVE_INFINITY } : {}),
    placeholderData: (data, query) => (query !== undefined && isSameList(query.queryKey, key) ? data : undefined),
    refetchOnMount: ({ state }) => state.isInvalidated || mayReload(state.data),
    refetchOnWindowFocus: ({ state }) => mayReload(state.data),
    refetchOnReconnect: ({ state }) => mayReload(state.data),
    refetchInterval: ({ state: { data } }) =>
      mayReload(data) && data?.pages.some(({ items }) => items.some(isChanging)) ? POLL_MS : false,
  });
}

interface Props<T> {
  readonly query: PagedQuery<T>;
  /** Shown if the whole list has no items. */
  readonly empty: ReactNode;
  readonly children: (items: readonly T[]) => ReactNode;
}

/** A list with a button that loads its next page. */
export function PagedList<T>({ query, empty, children }: Props<T>) {
  if (query.data === undefined) {
    return query.isError ? <ErrorNotice error={query.error} retry={() => void query.refetch()} /> : <Loading />;
  }
  const items = query.data.pages.flatMap((page) => page.items);
  const { isPlaceholderData } = query;
  // An empty previous list says nothing about the list that is loading.
  if (items.length === 0 && isPlaceholderData) return <Loading />;
  return (
    // The previous rows cannot be used while others load.
    <div className="stack" aria-busy={isPlaceholderData} inert={isPlaceholderData}>
      {items.length > 0 && children(items)}
      {items.length === 0 && (query.hasNextPage ? <p>No entry found yet. Only a part was searched.</p> : empty)}
      {query.isFetchNextPageError && <ErrorNotice error={query.error} />}
      {!isPlaceholderData && <PageControls query={query} count={items.length} />}
    </div>
  );
}

interface ControlsProps<T> {
  readonly query: PagedQuery<T>;
  /** Number of loaded rows. */
  readonly count: number;
}

/** The button for the next page. After the last page, a text in its place takes its focus. */
function PageControls<T>({ query, count }: ControlsProps<T>) {
  const announce = useAnnounce();
  const end = useRef<HTMLParagraphElement>(null);
  const [hasPressed, setPressed] = useState(false);
  const { hasNextPage } = query;
  const hasSeveralPages = query.data !== undefined && query.data.pages.length > 1;

  useEffect(() => {
    // The focused button was removed, so nothing has the focus: move it to the text.
    if (hasPressed && !hasNextPage && document.activeElement === document.body) end.current?.focus();
  }, [hasPressed, hasNextPage]);

  async function showMore(): Promise<void> {
    setPressed(true);
    const { data, isSuccess, hasNextPage: hasMore } = await query.fetchNextPage();
    const loaded = data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
    if (isSuccess && hasMore) announce(`${formatNumber(loaded)} entries are shown.`);
  }

  if (hasNextPage) {
    const label = count === 0 ? 'Search on' : 'Show more';
    return (
      <div>
        <Button isPending={query.isFetchingNextPage} onPress={() => void showMore()}>
          {query.isFetchingNextPage ? 'Loading…' : label}
        </Button>
      </div>
    );
  }
  if (!hasSeveralPages) return null;
  return (
    <p ref={end} tabIndex={-1} className="soft small">
      All {formatNumber(count)} entries are shown.
    </p>
  );
}

/** Whether two keys of queries belong to one list: only their last part, the filters, may differ. */
export function isSameList(key: readonly unknown[], other: readonly unknown[]): boolean {
  const listOf = (parts: readonly unknown[]) => JSON.stringify([parts.length, parts.slice(0, -1)]);
  return listOf(key) === listOf(other);
}
