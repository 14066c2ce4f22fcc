import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { numberScale } from '../core/number-scale.ts';
import { choicesOf, type Field, settingOf } from './field.ts';

/** Converts options, rows or columns, with id, text and source data. */
export type ReadList = (
  items: readonly { readonly choice: JsonObject; readonly path: string }[],
  textName: string,
) => readonly JsonObject[];

/**
 * Converts a matrix: each field is a row. Choices with the same label form a column, which keeps the ids of all of
 * them.
 */
export function readMatrix(field: Field, readList: ReadList): JsonObject {
  const all = field.fields.flatMap((row) => choicesOf(row));
  if (all.length === 0) return { type: 'textarea' };
  const byLabel = Map.groupBy(all, ({ choice }) => String(choice['label']).trim());
  const groups = [...byLabel.values()];
  const firstOfEach = groups.flatMap((group) => group.slice(0, 1));
  const columns = readList(firstOfEach, 'label').map((column, index) => ({
    ...column,
    source_data: { ...sourceDataOf(column), choice_ids: (groups[index] ?? []).map(({ choice }) => choice['id'] ?? '') },
  }));
  const required = field.fields.filter(({ validations }) => validations['required'] === true).length;
  const isMultiple = field.fields.some((row) => settingOf(row, 'allow_multiple_selection') === true);
  return {
    type: 'matrix',
    rows: [
      ...readList(
        field.fields.map(({ source, path }) => ({ choice: source, path })),
        'title',
      ),
    ],
    columns,
    ...(isMultiple ? { multiple: true } : {}),
    ...(required > 0 ? { required: true } : {}),
    ...(required > 0 && required < field.fields.length ? { required_rows: required } : {}),
  };
}

/** Converts a ranking to a matrix of choices and ranks. */
export function readRanking(field: Field, readList: ReadList): JsonObject {
  const choices = choicesOf(field);
  if (choices.length === 0) return { type: 'textarea' };
  return {
    type: 'matrix',
    rows: [...readList(choices, 'label')],
    columns: numberScale(choices.length),
  };
}

function sourceDataOf(column: JsonObject): JsonObject {
  const { source_data: sourceData } = column;
  return isObject(sourceData) ? sourceData : {};
}
