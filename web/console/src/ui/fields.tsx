import { type ReactNode, useId } from 'react';
import { useDelayedText } from './delayed-commit.ts';
import { formatNumber, fromLocalTime, toLocalTime } from './format.tsx';

interface FieldProps {
  readonly label: string;
  readonly description?: string;
  readonly error?: string | undefined;
  /** Renders the control with the attributes that connect it to its texts. */
  readonly children: (control: ControlAttributes) => ReactNode;
}

interface ControlAttributes {
  readonly id: string;
  readonly className: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/** A control with its label, description and error. */
export function Field({ label, description, error, children }: FieldProps) {
  const id = useId();
  const { descriptionId, errorId, describedBy } = textIds(id, description, error);
  return (
    <div className="field">
      <label htmlFor={id} dir="auto">
        {label}
      </label>
      {children({
        id,
        className: 'input',
        'aria-describedby': describedBy,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {description && (
        <span id={descriptionId} className="description" dir="auto">
          {description}
        </span>
      )}
      {error && (
        <span id={errorId} className="error">
          {error}
        </span>
      )}
    </div>
  );
}

/** The ids of the texts of a control, and the value of its `aria-describedby`. */
function textIds(id: string, description: string | undefined, error: string | undefined) {
  const descriptionId = `${id}-description`;
  const errorId = `${id}-error`;
  const describedBy = [description && descriptionId, error && errorId].filter(Boolean).join(' ') || undefined;
  return { descriptionId, errorId, describedBy };
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'search' | 'password' | 'number' | 'url' | 'email' | 'date' | 'time' | 'datetime-local';
  readonly required?: boolean;
  readonly autoComplete?: string;
  /** `limits` of the client has the limits of texts and numbers. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: string | number;
  readonly max?: string | number;
  readonly step?: string | number;
  /** Called when the user leaves the field, or presses Enter. */
  readonly onCommit?: () => void;
}

interface FieldGroupProps extends Omit<FieldProps, 'children'> {
  readonly children: ReactNode;
}

/**
 * Controls with a common label, such as the options of a question. The group can get the focus, so that a list of
 * errors can lead to it.
 */
export function FieldGroup({ label, description, error, children }: FieldGroupProps) {
  const { descriptionId, errorId, describedBy } = textIds(useId(), description, error);
  return (
    <fieldset
      className="field field-group"
      tabIndex={-1}
      data-invalid={error !== undefined}
      aria-describedby={describedBy}
    >
      <legend dir="auto">{label}</legend>
      {description && (
        <span id={descriptionId} className="description" dir="auto">
          {description}
        </span>
      )}
      {children}
      {error && (
        <span id={errorId} className="error">
          {error}
        </span>
      )}
    </fieldset>
  );
}

export function TextField({
  value,
  onChange,
  type = 'text',
  required,
  autoComplete,
  minLength,
  maxLength,
  min,
  max,
  step,
  onCommit,
  ...field
}: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type={type}
          value={value}
          required={required}
          autoComplete={autoComplete}
          minLength={minLength}
          maxLength={maxLength}
          min={min}
          max={max}
          step={step}
          dir={type === 'text' || type === 'search' ? 'auto' : undefined}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onCommit}
          onKeyDown={onCommit && (({ key }) => key === 'Enter' && onCommit())}
        />
      )}
    </Field>
  );
}

interface TextAreaFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for several lines. */
export function TextAreaField({ value, onChange, ...field }: TextAreaFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea {...control} rows={4} dir="auto" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

interface SelectFieldProps<Value extends string> extends Omit<FieldProps, 'children'> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}

export function SelectField<Value extends string>({ value, onChange, options, ...field }: SelectFieldProps<Value>) {
  return (
    <Field {...field}>
      {(control) => (
        // The cast is safe, because all options have values of this type.
        <select {...control} value={value} onChange={(event) => onChange(event.target.value as Value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <bdi>{label}</bdi>
    </label>
  );
}

interface RadioProps {
  /** The same for all choices of a group. */
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

export function Radio({ name, label, checked, onChoose }: RadioProps) {
  return (
    <label className="checkbox">
      <input type="radio" name={name} checked={checked} onChange={onChoose} />
      <bdi>{label}</bdi>
    </label>
  );
}

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

/** A choice of a `SelectField`. */
type Choice = { readonly value: string; readonly label: string };

/** Choices whose labels are their values. */
export function toChoices(values: readonly string[]): readonly Choice[] {
  return values.map((value) => ({ value, label: value }));
}

/** Adds the current value as a choice if it is not among the choices. */
export function withCurrent(choices: readonly Choice[], current: string | undefined): readonly Choice[] {
  if (current === undefined || choices.some(({ value }) => value === current)) return choices;
  return [...choices, { value: current, label: current }];
}

/** Maximum number of links or projects in a select field: the newest ones. */
export const MAX_CHOICES = 1_000;

/**
 * Returns the description of a field that offers `count` links or projects. At the limit, it says that the field has
 * only the newest ones. Below the limit, there is no description.
 */
export function choiceLimitDescription(count: number): { readonly description?: string } {
  return count < MAX_CHOICES ? {} : { description: `The newest ${formatNumber(MAX_CHOICES)}.` };
}

/** Keeps the year at four digits. */
const MAX = '9999-12-31T23:59';

interface TimeFieldProps {
  readonly label: string;
  readonly description?: string;
  /** ISO 8601; undefined without a time. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A date with a time of day, in the time zone of the viewer. */
export function TimeField({ value, onChange, ...field }: TimeFieldProps) {
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
export function TimeFilter({ value, onChange, ...field }: TimeFieldProps) {
  const { text, change, flush } = useDelayedText(toLocalTime(value), (next) => onChange(fromLocalTime(next)));
  return <TextField {...field} type="datetime-local" max={MAX} value={text} onChange={change} onCommit={flush} />;
}
