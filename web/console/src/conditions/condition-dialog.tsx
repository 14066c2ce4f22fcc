import type { ResponseCondition, ResponseConditions } from '@survey/client';
import {
  type ConditionSource,
  excludesUnanswered,
  isNegative,
  metadataNameOf,
  metadataSource,
  nameOf,
  operatorsOf,
  type SourceChoice,
  valueCountOf,
  wordsOf,
} from '@survey/questionnaire/conditions/condition-sources';
import { isArray } from '@survey/questionnaire/json';
import { shorten } from '@survey/questionnaire/shorten';
import { useState } from 'react';
import { FormDialog } from '../ui/dialog.tsx';
import { Checkbox, Field, FieldGroup, SelectField, TextAreaField, TextField } from '../ui/fields.tsx';

interface Props {
  readonly sources: readonly ConditionSource[];
  /** The condition to change; undefined for a new one. */
  readonly condition: ResponseCondition | undefined;
  /** All conditions of the page. */
  readonly where: ResponseConditions | undefined;
  /** Gets the condition, and after it one that requires an answer, if the user chose so. */
  readonly onSave: (conditions: readonly ResponseCondition[]) => void;
  readonly onClose: () => void;
}

/** The choice of a member of the metadata, whose name is typed. */
const METADATA = 'metadata';
const MAX_LABEL_LENGTH = 150;
/** The part of the contract that limits names in metadata. */
const MAX_NAME_LENGTH = 256;

/** Asks for a question, an operator, and values with the texts of the survey. */
export function ConditionDialog({ sources, condition, where, onSave, onClose }: Props) {
  const first = sources[0];
  const [sourceName, setSourceName] = useState(() => initialSourceName(condition, sources));
  const [metadataName, setMetadataName] = useState(condition === undefined ? '' : (metadataNameOf(condition) ?? ''));
  const [chosenOperator, setOperator] = useState(condition?.operator);
  /** Texts of the form. Their source can have changed since. */
  const [values, setValues] = useState<readonly string[]>(() => toTexts(condition?.value));
  const [requiresAnswer, setRequiresAnswer] = useState(
    condition !== undefined && where !== undefined && excludesUnanswered(condition, where),
  );
  const source =
    sourceName === METADATA
      ? metadataSource(metadataName.trim())
      : (sources.find(({ member }) => nameOf(member) === sourceName) ?? first);
  if (source === undefined) return null;
  const operators = operatorsOf(source.kind);
  const operator = operators.find((one) => one === chosenOperator) ?? operators[0] ?? 'is_answered';
  const count = valueCountOf(source.kind, operator);
  const offersAnswer = isNegative(operator) && where?.match !== 'any';

  async function submit(): Promise<void> {
    if (source === undefined) return;
    const value = count === 'none' ? undefined : toValue(source, values, count);
    const saved = { ...source.member, operator, ...(value === undefined ? {} : { value }) };
    const answered = { ...source.member, operator: 'is_answered' } as const;
    onSave(offersAnswer && requiresAnswer ? [saved, answered] : [saved]);
  }

  const questions = sources.filter(({ member }) => 'source_question' in member);
  const parts = sources.filter(({ member }) => 'source' in member);
  return (
    <FormDialog
      title={condition === undefined ? 'Add a condition' : 'Change the condition'}
      isOpen
      onClose={onClose}
      submitLabel={condition === undefined ? 'Add' : 'Change'}
      onSubmit={submit}
    >
      <Field label={parts.length === 0 ? 'Question' : 'Question or other part of a response'}>
        {(control) => (
          <select
            {...control}
            value={sourceName === METADATA ? METADATA : nameOf(source.member)}
            onChange={({ target }) => {
              setSourceName(target.value);
              setValues([]);
            }}
          >
            <optgroup label="Questions">{questions.map(toOption)}</optgroup>
            {parts.length > 0 && (
              <optgroup label="About the response">
                {parts.map(toOption)}
                <option value={METADATA}>Other metadata</option>
              </optgroup>
            )}
          </select>
        )}
      </Field>
      {sourceName === METADATA && (
        <TextField
          label="Name in the metadata"
          required
          maxLength={MAX_NAME_LENGTH}
          value={metadataName}
          onChange={setMetadataName}
        />
      )}
      <SelectField
        label="Comparison"
        value={operator}
        onChange={setOperator}
        options={operators.map((value) => ({
          value,
          label: wordsOf(source.kind, value) + (isNegative(value) ? ', or not answered' : ''),
        }))}
      />
      {count !== 'none' && (
        <ValueField source={source} isList={count === 'several'} values={values} onChange={setValues} />
      )}
      {offersAnswer && <Checkbox label="and answered" checked={requiresAnswer} onChange={setRequiresAnswer} />}
    </FormDialog>
  );
}

function initialSourceName(condition: ResponseCondition | undefined, sources: readonly ConditionSource[]): string {
  if (condition === undefined) return sources[0] === undefined ? '' : nameOf(sources[0].member);
  const isListed = sources.some(({ member }) => nameOf(member) === nameOf(condition));
  return !isListed && metadataNameOf(condition) !== undefined ? METADATA : nameOf(condition);
}

function toOption({ member, label }: ConditionSource) {
  return (
    <option key={nameOf(member)} value={nameOf(member)}>
      {shorten(label, MAX_LABEL_LENGTH)}
    </option>
  );
}

interface ValueFieldProps {
  readonly source: ConditionSource;
  readonly isList: boolean;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

function ValueField({ source, isList, values, onChange }: ValueFieldProps) {
  const { choices, kind, min, max, maxLength } = source;
  if (isList && choices.length > 0) {
    return (
      <FieldGroup label="Values">
        <div className="choices choice-list">
          {choices.map(({ value, text }) => (
            <Checkbox
              key={value}
              label={shorten(text, MAX_LABEL_LENGTH)}
              checked={values.includes(String(value))}
              onChange={(checked) =>
                onChange(
                  choices
                    .map((choice) => String(choice.value))
                    .filter((one) => (one === String(value) ? checked : values.includes(one))),
                )
              }
            />
          ))}
        </div>
      </FieldGroup>
    );
  }
  if (isList) {
    return (
      <TextAreaField
        label="Values"
        description={`One a line${kind === 'date' ? ', such as 2026-01-31' : kind === 'time' ? ', such as 14:30' : ''}.`}
        value={values.join('\n')}
        onChange={(text) => onChange(text.split('\n'))}
      />
    );
  }
  const [value = ''] = values;
  if (choices.length > 0) {
    return (
      <SelectField
        label="Value"
        value={choices.some((choice) => String(choice.value) === value) ? value : ''}
        onChange={(chosen) => onChange([chosen])}
        options={[
          { value: '', label: 'Choose…' },
          ...choices.map((choice) => ({ value: String(choice.value), label: shorten(choice.text, MAX_LABEL_LENGTH) })),
        ]}
      />
    );
  }
  return (
    <TextField
      label="Value"
      required
      type={kind === 'number' || kind === 'date' || kind === 'time' ? kind : 'text'}
      {...(kind === 'number' ? { step: source.step ?? 'any' } : {})}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      {...(maxLength === undefined ? {} : { maxLength })}
      value={value}
      onChange={(text) => onChange([text])}
    />
  );
}

/** The value of a condition as texts of the form. */
function toTexts(value: unknown): readonly string[] {
  if (value === undefined) return [];
  return (isArray(value) ? value : [value]).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
}

/** Reads the values of the form. Throws if there is none. */
function toValue({ choices, kind }: ConditionSource, texts: readonly string[], count: 'one' | 'several'): unknown {
  const byText = new Map(
    choices.map((choice): [string, SourceChoice['value']] => [String(choice.value), choice.value]),
  );
  const values = texts
    .map((text) => text.trim())
    .filter((text) => (choices.length > 0 ? byText.has(text) : text !== ''))
    .map((text) => byText.get(text) ?? (kind === 'number' && Number.isFinite(Number(text)) ? Number(text) : text));
  if (values.length === 0) throw new Error(count === 'one' ? 'Choose a value.' : 'Choose at least one value.');
  return count === 'one' ? values[0] : values;
}
