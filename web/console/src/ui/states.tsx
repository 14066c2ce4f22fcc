import { ApiError } from '@survey/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
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

interface Props {
  readonly label: string;
  /** From 0 to 1; undefined if it is not known. */
  readonly share: number | undefined;
  /** Numbers for people, such as `120 of 4,000`. */
  readonly text: string;
}

/** A progress bar with a text, for work that takes long. */
export function Progress({ label, share, text }: Props) {
  const id = useId();
  return (
    <div className="progress-block">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <progress id={id} className="progress" max={1} value={share} />
      <span className="small soft">{text}</span>
    </div>
  );
}

export type Tone = 'good' | 'warn' | 'bad' | 'neutral';

/** Tones of states of the API. Other states are neutral. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  completed: 'good',
  delivered: 'good',
  succeeded: 'good',
  draft: 'neutral',
  closed: 'neutral',
  running: 'neutral',
  queued: 'neutral',
  pending: 'warn',
  retrying: 'warn',
  in_progress: 'warn',
  paused: 'warn',
  cancelling: 'warn',
  failed: 'bad',
  disabled: 'bad',
  disqualified: 'warn',
  abandoned: 'warn',
  cancelled: 'neutral',
};

/** A state, such as the status of a survey. */
export function Status({ value, tone }: { readonly value: string; readonly tone?: Tone }) {
  return (
    <span className="badge" data-tone={tone ?? TONES[value] ?? 'neutral'}>
      {value.replaceAll('_', ' ')}
    </span>
  );
}
