import { TextField } from './fields.tsx';
import { fromLocalTime, toLocalTime } from './local-time.ts';
import { useDelayedText } from './use-delayed-text.ts';

/** Keeps the year at four digits. */
const MAX = '9999-12-31T23:59';

interface Props {
  readonly label: string;
  readonly description?: string;
  /** ISO 8601; undefined without a time. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A date with a time of day, in the time zone of the viewer. */
export function TimeField({ value, onChange, ...field }: Props) {
  return (
    <TextField
      {...field}
      type="datetime-local"
      max={MAX}
      value={toLocalTime(value)}
      onChange={(text) => onChange(fromLocalTime(text))}
    />
  );
}

/** A filter for times. Its value is in the address of the page, and changes a moment after the last key. */
export function TimeFilter({ value, onChange, ...field }: Props) {
  const { text, change, flush } = useDelayedText(toLocalTime(value), (next) => onChange(fromLocalTime(next)));
  return <TextField {...field} type="datetime-local" max={MAX} value={text} onChange={change} onCommit={flush} />;
}
