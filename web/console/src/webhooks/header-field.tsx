import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { type HeaderRow, HIDDEN_VALUE } from './webhook.ts';

const MAX_HEADERS = 20;

interface Props {
  readonly value: readonly HeaderRow[];
  readonly onChange: (value: readonly HeaderRow[]) => void;
  /** Whether stored values must be entered again. */
  readonly isOtherServer: boolean;
}

/**
 * Headers of each request. The platform returns `********` in place of a value. If you send `********` back, the value
 * stays.
 */
export function HeaderField({ value, onChange, isOtherServer }: Props) {
  const change = (index: number, row: Partial<HeaderRow>) =>
    onChange(value.map((old, position) => (position === index ? { ...old, ...row } : old)));
  return (
    <fieldset className="fieldset">
      <legend>Headers</legend>
      <p className="small soft">
        Sent with each request, such as a token for your receiver. Values are stored encrypted.
      </p>
      {isOtherServer && value.some(({ value: text }) => text === HIDDEN_VALUE) && (
        <p className="small error">The URL leads to another server. Enter the hidden values again, or remove them.</p>
      )}
      {value.map(({ name, value: text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and keep their order.
        <div key={index} className="row">
          <TextField label="Name" required value={name} onChange={(next) => change(index, { name: next })} />
          <TextField
            label="Value"
            autoComplete="off"
            required={isOtherServer && text === HIDDEN_VALUE}
            value={isOtherServer && text === HIDDEN_VALUE ? '' : text}
            onChange={(next) => change(index, { value: next })}
          />
          <Button
            aria-label={`Remove the header ${name}`}
            onPress={() => onChange(value.filter((_, position) => position !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      {value.length < MAX_HEADERS && (
        <div>
          <Button onPress={() => onChange([...value, { name: '', value: '' }])}>Add a header</Button>
        </div>
      )}
    </fieldset>
  );
}
