import type { JsonObject } from '@bufbuild/protobuf';
import { objectIn, objectsIn, textIn } from './item.ts';
import {
  descriptionOf,
  ITEM_MEMBERS,
  type ItemContext,
  idOf,
  type LocatedItem,
  sourceIdOf,
  titleOf,
  warnOfKind,
} from './item-context.ts';
import { readOptions } from './question-types.ts';

const GROUP_MEMBERS = new Set(['questions', 'grid']);
const GRID_MEMBERS = new Set(['columns']);
const ROW_MEMBERS = new Set(['questionId', 'required', 'rowQuestion']);

/**
 * Converts a grid; each question of the group is a row.
 *
 * @param group `questionGroupItem`
 */
export function toGridQuestion(located: LocatedItem, group: JsonObject, context: ItemContext): JsonObject {
  const { item, path } = located;
  const groupPath = `${path}/questionGroupItem`;
  const grid = objectIn(group, 'grid') ?? {};
  const sourceId = sourceIdOf(item, 'itemId', located, context);
  return {
    id: idOf(sourceId, located, context),
    title: titleOf(located, context),
    ...descriptionOf(located),
    ...gridMembers(group, objectIn(grid, 'columns') ?? {}, groupPath, context),
    source_data: {
      ...context.keep(item, ITEM_MEMBERS, path),
      ...context.keep(group, GROUP_MEMBERS, groupPath),
      ...context.keep(grid, GRID_MEMBERS, `${groupPath}/grid`),
      source_id: sourceId,
      type: 'questionGroupItem',
    },
  };
}

/** The members of the matrix; a textarea if rows or columns are missing. */
function gridMembers(group: JsonObject, columns: JsonObject, path: string, context: ItemContext): JsonObject {
  const questions = objectsIn(group, 'questions');
  const options = readOptions(columns, context.keep, `${path}/grid/columns`);
  if (questions.length === 0 || options.length === 0) {
    warnOfKind('grid without rows or columns', 'a text', path, context);
    return { type: 'textarea' };
  }
  const required = questions.filter((question) => question['required'] === true).length;
  const isPartlyRequired = required > 0 && required < questions.length;
  if (isPartlyRequired) {
    const detail = `Not all rows are required: ${required} must be answered, and source_data has the exact ones`;
    context.warnOnce('rows', { path: `${path}/questions`, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return {
    type: 'matrix',
    rows: questions.map((question, index) => toRow(question, index, `${path}/questions/${index}`, context)),
    columns: options,
    ...(columns['type'] === 'CHECKBOX' ? { multiple: true } : {}),
    ...(required > 0 ? { required: true } : {}),
    ...(isPartlyRequired ? { required_rows: required } : {}),
  };
}

function toRow(question: JsonObject, index: number, path: string, { keep, toUniqueId }: ItemContext): JsonObject {
  const title = textIn(objectIn(question, 'rowQuestion') ?? {}, 'title');
  const id = textIn(question, 'questionId');
  const name = id === '' ? `row_${index + 1}` : id;
  return {
    id: toUniqueId(name),
    text: title === '' ? name : title,
    source_data: {
      ...keep(question, ROW_MEMBERS, path),
      source_id: name,
      ...(question['required'] === true ? { required: true } : {}),
    },
  };
}
