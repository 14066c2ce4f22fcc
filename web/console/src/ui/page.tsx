import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Tone } from './states.tsx';

interface Props {
  readonly title: string;
  /** Name of a tab. It is before `title` in the title of the document. */
  readonly section?: string;
  /** Links to the pages above this one. */
  readonly breadcrumbs?: readonly ReactNode[];
  /** A badge beside the title. */
  readonly status?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the console. Its heading gets the focus, so that screen readers announce the new page. */
export function Page({ title, section, breadcrumbs, status, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <div className="page">
      <title>{`${section === undefined ? '' : `${section} · `}${title} · Survey console`}</title>
      {breadcrumbs !== undefined && (
        <nav aria-label="Breadcrumbs">
          <ol className="breadcrumbs">
            {breadcrumbs.map((crumb, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: breadcrumbs keep their positions.
              <li key={index}>{crumb}</li>
            ))}
          </ol>
        </nav>
      )}
      <header className="page-header">
        <div className="row">
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {status}
        </div>
        {actions !== undefined && <div className="row no-print">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Links between the pages of one thing, such as a survey. */
export function Tabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <nav className="tabs" aria-label={label}>
      {children}
    </nav>
  );
}

interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  /** A second, smaller line. */
  readonly note?: ReactNode;
  readonly tone?: Tone | undefined;
}

/** Some numbers side by side. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ label, value, note, tone }) => (
        <div key={label} className="card" data-tone={tone}>
          <dt>{label}</dt>
          <dd className="facts-value">{value}</dd>
          {note !== undefined && <dd className="small soft">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
