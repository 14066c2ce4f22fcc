import { useId } from 'react';

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
