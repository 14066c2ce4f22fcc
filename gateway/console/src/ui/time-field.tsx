import { TextField } from './fields.tsx';
import { fromLocalTime, toLocalTime } from './local-time.ts';

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
      value={toLocalTime(value)}
      onChange={(text) => onChange(fromLocalTime(text))}
    />
  );
}
