import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';

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
