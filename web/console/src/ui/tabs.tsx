import type { ReactNode } from 'react';

/** Links between the pages of one thing, such as a survey. */
export function Tabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <nav className="tabs" aria-label={label}>
      {children}
    </nav>
  );
}
