import type { Question, QuestionItem, QuestionOf } from '@survey/questionnaire';
import { fileIdsOf, OTHER } from '@survey/questionnaire/answers/answer-value';
import { isObject, ownMember } from '@survey/questionnaire/json';
import { useId, useState } from 'react';
import { Checkbox, FieldGroup, Radio, SelectField, TextAreaField, TextField } from '../ui/fields.tsx';
import { useResponseFiles } from './response-queries.ts';

interface Props<Type extends Question = Question> {
  readonly responseId: string;
  readonly question: Type;
  /** The answer in the form of the API. */
  readonly answer: unknown;
  readonly error: string | undefined;
  /** Gets the new answer; undefined for none. */
  readonly onChange: (answer: unknown) => void;
}

/** Maximum number of options as radio buttons. More options are in a select field. */
const MAX_RADIOS = 10;

/** Edits an answer by the type of its question. */
export function AnswerEditor({ question, ...props }: Props) {
  switch (question.type) {
    case 'single_choice':
      return <ChoiceEditor {...props} question={question} allowOther={question.allowOther} />;
    case 'multiple_choice':
      return <ChoicesEditor {...props} question={question} />;
    case 'likert':
      return question.rows.length === 0 ? (
        <ChoiceEditor {...props} question={question} allowOther={false} />
      ) : (
        <RowsEditor {...props} question={question} columns={question.options} multiple={false} />
      );
    case 'matrix':
      return <RowsEditor {...props} question={question} columns={question.columns} multiple={question.multiple} />;
    case 'rating':
      return <RatingEditor {...props} question={question} />;
    case 'textarea':
      return <LongTextEditor {...props} question={question} />;
    case 'date':
    case 'time':
    case 'text':
      return <LineEditor {...props} question={question} />;
    case 'file_upload':
      return <FilesEditor {...props} question={question} />;
  }
}

function LineEditor({
  question,
  answer,
  error,
  onChange,
}: Props<QuestionOf<'text'> | QuestionOf<'date'> | QuestionOf<'time'>>) {
  return (
    <TextField
      label={question.title}
      description={question.description}
      error={error}
      type={question.type}
      // Seconds are shown, so that they are not lost.
      {...(question.type === 'time' ? { step: 1 } : {})}
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

function RatingEditor({ question, answer, error, onChange }: Props<QuestionOf<'rating'>>) {
  const { min, max, step, labels } = question;
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

interface ChoiceProps extends Props<QuestionOf<'single_choice'> | QuestionOf<'likert'>> {
  /** Whether respondents can enter a text in place of an option. */
  readonly allowOther: boolean;
}

function ChoiceEditor({ question, answer, error, onChange, allowOther }: ChoiceProps) {
  const name = useId();
  const { title, description, options } = question;
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

function ChoicesEditor({ question, answer, error, onChange }: Props<QuestionOf<'multiple_choice'>>) {
  const { title, description, options, allowOther } = question;
  const { options: optionIds, other } = isObject(answer) ? answer : { options: answer, other: undefined };
  const chosen = toTexts(optionIds);
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

interface RowsProps extends Props<QuestionOf<'likert'> | QuestionOf<'matrix'>> {
  readonly columns: readonly QuestionItem[];
  /** Whether a row can have several columns. */
  readonly multiple: boolean;
}

function RowsEditor({ question, answer, error, onChange, columns, multiple }: RowsProps) {
  const { title, description, rows } = question;
  const cells = isObject(answer) ? answer : {};
  const change = (row: string, cell: unknown) => {
    // Keep the order of the question, so that an answer equals the original after a change is undone.
    const entries = rows.map(({ id }) => [id, id === row ? cell : ownMember(cells, id)] as const);
    const answered = entries.filter(([, value]) => value !== undefined);
    onChange(answered.length === 0 ? undefined : Object.fromEntries(answered));
  };
  return (
    <FieldGroup label={title} description={description} error={error}>
      {rows.map((row) =>
        multiple ? (
          <FieldGroup key={row.id} label={row.text}>
            <Checkboxes
              items={columns}
              chosen={toTexts(ownMember(cells, row.id))}
              onChange={(ids) => change(row.id, ids.length === 0 ? undefined : ids)}
            />
          </FieldGroup>
        ) : (
          <SelectField
            key={row.id}
            label={row.text}
            value={toText(ownMember(cells, row.id))}
            onChange={(id) => change(row.id, id === '' ? undefined : id)}
            options={[
              { value: '', label: 'No answer' },
              ...withUnknown(columns, [toText(ownMember(cells, row.id))]).map(({ id, text }) => ({
                value: id,
                label: text,
              })),
            ]}
          />
        ),
      )}
    </FieldGroup>
  );
}

/** Files can be removed. Only respondents add them. */
function FilesEditor({ responseId, question, answer, error, onChange }: Props) {
  const files = useResponseFiles(responseId);
  // Files that were removed stay in the list, so that they can be kept after all.
  const [ids] = useState(() => fileIdsOf(answer));
  const items = ids.map((id) => ({ id, text: `Keep ${files.data?.get(id)?.filename ?? id}` }));
  return (
    <FieldGroup label={question.title} description={question.description} error={error}>
      {items.length === 0 && <span className="soft">No files</span>}
      <Checkboxes
        items={items}
        chosen={fileIdsOf(answer)}
        onChange={(chosen) => onChange(chosen.length === 0 ? undefined : chosen.map((file_id) => ({ file_id })))}
      />
    </FieldGroup>
  );
}

interface CheckboxesProps {
  readonly items: readonly QuestionItem[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Checkboxes for the items. The chosen ids keep the order of the items. */
function Checkboxes({ items, chosen, onChange }: CheckboxesProps) {
  const all = withUnknown(items, chosen);
  return all.map(({ id, text }) => (
    <Checkbox
      key={id}
      label={text}
      checked={chosen.includes(id)}
      onChange={(checked) =>
        onChange(all.map((item) => item.id).filter((itemId) => (itemId === id ? checked : chosen.includes(itemId))))
      }
    />
  ));
}

/** Adds chosen ids that the question does not have, so that they can be removed. */
function withUnknown(items: readonly QuestionItem[], chosen: readonly string[]): readonly QuestionItem[] {
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
