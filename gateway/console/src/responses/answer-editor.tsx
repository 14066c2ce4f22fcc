import { isObject } from '@survey/questionnaire/json';
import { useId, useState } from 'react';
import { Checkbox, FieldGroup, Radio, SelectField, TextAreaField, TextField } from '../ui/fields.tsx';
import { useFileDescription } from './file-list.tsx';
import { fileIdsOf } from './format-answer.ts';
import type { Item, Question } from './questions.ts';

interface Props {
  readonly question: Question;
  /** The answer in the form of the API. */
  readonly answer: unknown;
  readonly error: string | undefined;
  /** Gets the new answer; undefined for none. */
  readonly onChange: (answer: unknown) => void;
}

/** More options than these are in a list that opens. */
const MAX_RADIOS = 10;
const OTHER = 'other';

/** Edits an answer by the type of its question. */
export function AnswerEditor(props: Props) {
  const { question } = props;
  switch (question.type) {
    case 'single_choice':
      return <ChoiceEditor {...props} />;
    case 'multiple_choice':
      return <ChoicesEditor {...props} />;
    case 'likert':
      return question.rows.length === 0 ? (
        <ChoiceEditor {...props} />
      ) : (
        <RowsEditor {...props} columns={question.options} multiple={false} />
      );
    case 'matrix':
      return <RowsEditor {...props} columns={question.columns} multiple={question.multiple} />;
    case 'rating':
      return <RatingEditor {...props} />;
    case 'textarea':
      return <LongTextEditor {...props} />;
    case 'date':
      return <LineEditor {...props} type="date" />;
    case 'time':
      return <LineEditor {...props} type="time" />;
    case 'file_upload':
      return <FilesEditor {...props} />;
    default:
      return <LineEditor {...props} type="text" />;
  }
}

type InputType = 'text' | 'date' | 'time';

function LineEditor({ question, answer, error, onChange, type }: Props & { readonly type: InputType }) {
  return (
    <TextField
      label={question.title}
      description={question.description}
      error={error}
      type={type}
      {...(type === 'time' ? { step: 1 } : {})}
      value={toText(answer)}
      onChange={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}

function LongTextEditor({ question, answer, error, onChange }: Props) {
  return (
    <TextAreaField
      label={question.title}
      description={question.description}
      error={error}
      value={toText(answer)}
      onChange={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}

function RatingEditor({ question, answer, error, onChange }: Props) {
  const { min, max, step, labels } = question.scale;
  const range = `From ${min} to ${max}${step === 1 ? '' : ` in steps of ${step}`}.`;
  const texts = [...labels].map(([value, label]) => `${value}: ${label}`).join(', ');
  return (
    <TextField
      label={question.title}
      description={texts === '' ? range : `${range} ${texts}`}
      error={error}
      type="number"
      min={min}
      max={max}
      step={step}
      value={toText(answer)}
      onChange={(text) => onChange(text === '' ? undefined : Number(text))}
    />
  );
}

function ChoiceEditor({ question, answer, error, onChange }: Props) {
  const name = useId();
  const { title, description, options, allowOther } = question;
  const otherText = isObject(answer) && answer.option === OTHER ? toText(answer.text) : undefined;
  const chosen = otherText === undefined ? toText(answer) : OTHER;
  const choices = withUnknown([...options, ...(allowOther ? [{ id: OTHER, text: 'Other' }] : [])], [chosen]);
  const choose = (id: string) => onChange(id === '' ? undefined : id === OTHER ? { option: OTHER, text: '' } : id);
  return (
    <FieldGroup label={title} description={description} error={error}>
      {choices.length > MAX_RADIOS ? (
        <SelectField
          label="Answer"
          value={chosen}
          onChange={choose}
          options={[{ value: '', label: 'No answer' }, ...choices.map(({ id, text }) => ({ value: id, label: text }))]}
        />
      ) : (
        [{ id: '', text: 'No answer' }, ...choices].map(({ id, text }) => (
          <Radio key={id} name={name} label={text} checked={chosen === id} onChoose={() => choose(id)} />
        ))
      )}
      {otherText !== undefined && (
        <TextField
          label="Text of the respondent"
          value={otherText}
          onChange={(text) => onChange({ option: OTHER, text })}
        />
      )}
    </FieldGroup>
  );
}

function ChoicesEditor({ question, answer, error, onChange }: Props) {
  const { title, description, options, allowOther } = question;
  const { options: given, other } = isObject(answer) ? answer : { options: answer, other: undefined };
  const chosen = toTexts(given);
  const otherText = toText(other);
  const change = (ids: readonly string[], text: string) =>
    onChange(text !== '' ? { options: ids, other: text } : ids.length === 0 ? undefined : ids);
  return (
    <FieldGroup label={title} description={description} error={error}>
      <Checkboxes items={options} chosen={chosen} onChange={(ids) => change(ids, otherText)} />
      {allowOther && <TextField label="Other" value={otherText} onChange={(text) => change(chosen, text)} />}
    </FieldGroup>
  );
}

interface RowsProps extends Props {
  readonly columns: readonly Item[];
  /** Whether a row can have several columns. */
  readonly multiple: boolean;
}

function RowsEditor({ question, answer, error, onChange, columns, multiple }: RowsProps) {
  const { title, description, rows } = question;
  const cells = isObject(answer) ? answer : {};
  const change = (row: string, cell: unknown) => {
    const { [row]: _, ...others } = cells;
    const next: Readonly<Record<string, unknown>> = cell === undefined ? others : { ...others, [row]: cell };
    // The order of rows is that of the question, so an answer that is changed back is the same again.
    const entries = rows.flatMap(({ id }) => (next[id] === undefined ? [] : [[id, next[id]] as const]));
    onChange(entries.length === 0 ? undefined : Object.fromEntries(entries));
  };
  return (
    <FieldGroup label={title} description={description} error={error}>
      {rows.map((row) =>
        multiple ? (
          <FieldGroup key={row.id} label={row.text}>
            <Checkboxes
              items={columns}
              chosen={toTexts(cells[row.id])}
              onChange={(ids) => change(row.id, ids.length === 0 ? undefined : ids)}
            />
          </FieldGroup>
        ) : (
          <SelectField
            key={row.id}
            label={row.text}
            value={toText(cells[row.id])}
            onChange={(id) => change(row.id, id === '' ? undefined : id)}
            options={[
              { value: '', label: 'No answer' },
              ...withUnknown(columns, [toText(cells[row.id])]).map(({ id, text }) => ({ value: id, label: text })),
            ]}
          />
        ),
      )}
    </FieldGroup>
  );
}

/** Files can be removed. Only respondents add them. */
function FilesEditor({ question, answer, error, onChange }: Props) {
  // Files that were removed stay in the list, so that they can be kept after all.
  const [ids] = useState(() => fileIdsOf(answer));
  const kept = fileIdsOf(answer);
  const keep = (id: string, isKept: boolean) => {
    const next = ids.filter((other) => (other === id ? isKept : kept.includes(other)));
    onChange(next.length === 0 ? undefined : next.map((file_id) => ({ file_id })));
  };
  return (
    <FieldGroup label={question.title} description={question.description} error={error}>
      {ids.length === 0 && <span className="soft">No files</span>}
      {ids.map((id) => (
        <KeptFile key={id} id={id} isKept={kept.includes(id)} onChange={(isKept) => keep(id, isKept)} />
      ))}
    </FieldGroup>
  );
}

interface KeptFileProps {
  readonly id: string;
  readonly isKept: boolean;
  readonly onChange: (isKept: boolean) => void;
}

function KeptFile({ id, isKept, onChange }: KeptFileProps) {
  const { data } = useFileDescription(id, true);
  return <Checkbox label={`Keep ${data?.name ?? id}`} checked={isKept} onChange={onChange} />;
}

interface CheckboxesProps {
  readonly items: readonly Item[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Options of which several can be chosen. The result is in their order. */
function Checkboxes({ items, chosen, onChange }: CheckboxesProps) {
  const all = withUnknown(items, chosen);
  return all.map(({ id, text }) => (
    <Checkbox
      key={id}
      label={text}
      checked={chosen.includes(id)}
      onChange={(checked) =>
        onChange(all.map((item) => item.id).filter((other) => (other === id ? checked : chosen.includes(other))))
      }
    />
  ));
}

/** Adds chosen ids that the question does not have, so that they can be removed. */
function withUnknown(items: readonly Item[], chosen: readonly string[]): readonly Item[] {
  const known = new Set(items.map(({ id }) => id));
  return [...items, ...chosen.filter((id) => id !== '' && !known.has(id)).map((id) => ({ id, text: id }))];
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
