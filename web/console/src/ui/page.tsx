import { type ReactNode, useLayoutEffect, useRef } from 'react';

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
