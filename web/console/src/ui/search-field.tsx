import { TextField } from './fields.tsx';
import { useDelayedText } from './use-delayed-text.ts';

interface Props {
  readonly label: string;
  readonly maxLength: number;
  /** From the address of the page. */
  readonly value: string | undefined;
  /** Called a moment after the last key; undefined for an empty field. */
  readonly onChange: (value: string | undefined) => void;
}

/** A filter for text. */
export function SearchField({ label, maxLength, value = '', onChange }: Props) {
  const { text, change, flush } = useDelayedText(value, (next) => onChange(next === '' ? undefined : next));
  return (
    <TextField label={label} type="search" maxLength={maxLength} value={text} onChange={change} onCommit={flush} />
  );
}
