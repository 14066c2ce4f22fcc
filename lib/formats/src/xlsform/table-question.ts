import type { JsonObject } from '@bufbuild/protobuf';
import { createUniqueOptionIds } from '../core/ids.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { isEmptyText, joinAllTexts, type Text, toJsonText } from '../core/texts.ts';
import { hasOnlyTableAppearances } from './appearance.ts';
import type { FormRow } from './form.ts';
import { type FormContext, toFormQuestion } from './form-context.ts';
import { keepCells } from './kept-cells.ts';
import type { Lists } from './lists.ts';
import { requiredOf } from './required.ts';
import type { QuestionTable } from './to-table.ts';

interface TableSurroundings {
  readonly lists: Lists;
  /** Names of the groups around the rows. */
  readonly groups: readonly string[];
  readonly notes: Text;
}

/** Converts a table to a likert, or to a matrix if rows take several choices. */
export function toTableQuestion(
  table: QuestionTable,
  { lists, groups, notes }: TableSurroundings,
  context: FormContext,
): JsonObject {
  const { named, header, takes, list } = table;
  const name = named.cells.get('name') ?? 'group';
  const formPath = named === header ? [...groups, name] : groups;
  const { title, description } = textsOf(table, notes, context);
  const asked = { row: named, name, formPath: formPath.join('/'), title, type: table.rows[0].cells.get('type') ?? '' };
  const options = [...(lists.get(list) ?? [])];
  const members = {
    ...(isEmptyText(description) ? {} : { description: toJsonText(description) }),
    ...rowMembers(table.rows, groups, context),
    ...(takes === 'one' ? { options } : { columns: options, multiple: true }),
  };
  const question = toFormQuestion(asked, context, takes === 'one' ? 'likert' : 'matrix', { members });
  const inner = header === undefined || header === named ? {} : { header: keepHeader(header, context) };
  return { ...question, source_data: { ...keep(named, context), ...inner, ...sourceDataOf(question) } };
}

/** The title is the label of the group, or else of the header. The description has the notes and the other texts. */
function textsOf(
  { named, header }: QuestionTable,
  notes: Text,
  { textOf }: FormContext,
): { title: Text; description: Text } {
  const shown = [named, header === named ? undefined : header].filter((row) => row !== undefined);
  const labels = shown.map((row) => textOf(row, 'label')).filter((label) => !isEmptyText(label));
  const [title = '', ...more] = labels;
  const hints = shown.map((row) => textOf(row, 'hint'));
  return { title, description: joinAllTexts([notes, ...more, ...hints], '\n\n') };
}

function rowMembers(rows: readonly FormRow[], groups: readonly string[], context: FormContext): JsonObject {
  const required = rows.filter((row) => requiredOf(row) === 'always').length;
  const isPartlyRequired = required > 0 && required < rows.length;
  if (isPartlyRequired) {
    const detail = `Not all rows are required: ${required} must be answered, and source_data has the exact ones`;
    context.warnOnce('rows', { path: `${rows[0]?.path}/required`, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  const toUniqueId = createUniqueOptionIds();
  const toItem = (row: FormRow): JsonObject => {
    const name = row.cells.get('name') ?? '';
    const label = context.textOf(row, 'label');
    const isRequired = isPartlyRequired && requiredOf(row) === 'always';
    return {
      id: toUniqueId(name),
      text: isEmptyText(label) ? name : toJsonText(label),
      source_data: {
        ...keep(row, context),
        source_id: [...groups, name].join('/'),
        ...(isRequired ? { required: true } : {}),
      },
    };
  };
  return {
    rows: rows.map(toItem),
    ...(required > 0 ? { required: true } : {}),
    ...(isPartlyRequired ? { required_rows: required } : {}),
  };
}

function keepHeader(header: FormRow, context: FormContext): JsonObject {
  const required = header.cells.get('required');
  return {
    ...keep(header, context),
    name: header.cells.get('name') ?? '',
    ...(required === undefined ? {} : { required }),
  };
}

function keep(row: FormRow, context: FormContext): JsonObject {
  return keepCells(row, context, hasOnlyTableAppearances(row) ? ['appearance'] : []);
}
