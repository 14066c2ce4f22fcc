import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { choicesOf, type Field, settingOf } from './field.ts';
import { type ReadList, readMatrix, readRanking } from './matrix.ts';

interface FieldType {
  /** Members of the question that depend on the type. */
  readonly members: (field: Field, readList: ReadList) => JsonObject;
  /** The replacement type for the warning, if the conversion is not exact. */
  readonly replacement?: string;
}

const MAX_STEPS = 100;
const TEXT_LIMITS = { max_length: 'max_length', min_length: 'min_length' };
const CHOICE_LIMITS = { min_selection: 'min_selections', max_selection: 'max_selections' };

const text =
  (format?: string): FieldType['members'] =>
  (field) => ({
    type: 'text',
    ...(format === undefined ? {} : { format }),
    ...limitsOf(field, TEXT_LIMITS),
  });

const choice: FieldType['members'] = (field, readList) => {
  if (choicesOf(field).length === 0) return { type: 'text' };
  const isMultiple = ['allow_multiple_selection', 'allow_multiple_selections'].some(
    (name) => settingOf(field, name) === true,
  );
  return {
    type: isMultiple ? 'multiple_choice' : 'single_choice',
    options: [...readList(choicesOf(field), 'label')],
    ...(settingOf(field, 'allow_other_choice') === true ? { allow_other: true } : {}),
    ...(isMultiple ? limitsOf(field, CHOICE_LIMITS) : {}),
  };
};

const scale =
  (steps: number, first: (field: Field) => number): FieldType['members'] =>
  (field) => {
    const min = first(field);
    const given = field.properties['steps'];
    const isCount = typeof given === 'number' && Number.isInteger(given) && given > 1 && given <= MAX_STEPS;
    const max = min + (isCount ? given : steps) - 1;
    return { type: 'rating', min, max, ...labelsOf(field, min, max) };
  };

/** Typeform's texts for the two answers. Responses contain the `source_id`. */
const twoOptions =
  (yes: readonly [id: string, text: string], no: readonly [id: string, text: string]): FieldType['members'] =>
  () => ({
    type: 'single_choice',
    options: [
      { id: yes[0], text: yes[1], source_data: { source_id: 'true' } },
      { id: no[0], text: no[1], source_data: { source_id: 'false' } },
    ],
  });

const files: FieldType['members'] = () => ({ type: 'file_upload', max_files: 1 });

export const fieldTypes: Readonly<Record<string, FieldType>> = {
  short_text: { members: text() },
  long_text: { members: (field) => ({ type: 'textarea', ...limitsOf(field, TEXT_LIMITS) }) },
  email: { members: text('email') },
  website: { members: text('url') },
  phone_number: { members: text('phone') },
  number: { members: text('number') },
  multiple_choice: { members: choice },
  picture_choice: { members: choice },
  dropdown: { members: choice },
  yes_no: { members: twoOptions(['yes', 'Yes'], ['no', 'No']) },
  legal: { members: twoOptions(['accept', 'I accept'], ['decline', "I don't accept"]) },
  opinion_scale: { members: scale(11, (field) => (field.properties['start_at_one'] === true ? 1 : 0)) },
  nps: { members: scale(11, () => 0) },
  rating: { members: scale(5, () => 1) },
  date: { members: () => ({ type: 'date' }) },
  file_upload: { members: files },
  signature: { members: files, replacement: 'a file_upload' },
  calendly: { members: text(), replacement: 'a text' },
  matrix: { members: readMatrix },
  ranking: { members: readRanking, replacement: 'a matrix of choices and ranks' },
};

/** Unknown field types become a textarea, so that respondents can still answer. */
export const unknownType: FieldType = { members: () => ({ type: 'textarea' }), replacement: 'a text' };

function limitsOf({ validations }: Field, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([source, target]) => {
      const value = validations[source];
      return isCount(value) ? [[target, value]] : [];
    }),
  );
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

function labelsOf({ properties }: Field, min: number, max: number): JsonObject {
  const { labels } = properties;
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return {};
  const positions = { left: min, center: (min + max) / 2, right: max };
  const labelled = Object.entries(positions).flatMap(([name, value]) => {
    const label = labels[name];
    return typeof label === 'string' && label.trim() !== '' && Number.isInteger(value) ? [[String(value), label]] : [];
  });
  return labelled.length === 0 ? {} : { labels: Object.fromEntries(labelled) };
}
