import { ApiError } from '@survey/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

export function Loading({ label = 'Loading…' }: { readonly label?: string }) {
  return (
    <div className="loading" role="status">
      {label}
    </div>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p>{title}</p>
      {children}
    </div>
  );
}

/** An error with everything that helps to solve it: the text, invalid fields, and the id for a report. */
export function ErrorNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const isForbidden = error instanceof ApiError && error.status === 403;
  return (
    <div className="notice" data-tone="bad" role="alert">
      <strong>{isForbidden ? 'You may not see or do this' : 'This did not work'}</strong>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {error instanceof ApiError && (
        <>
          {error.errors.length > 0 && (
            <ul>
              {error.errors.map(({ path, detail, code }) => (
                <li key={`${path} ${code} ${detail}`}>
                  <code>{path}</code> {detail}
                </li>
              ))}
            </ul>
          )}
          <p className="soft small">
            {error.code}
            {error.requestId !== undefined && `, request ${error.requestId}`}
          </p>
        </>
      )}
      {retry !== undefined && (
        <div>
          <Button onPress={retry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

interface QueryViewProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** The result of a query, or its loading or error state. */
export function QueryView<T>({ query, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}
