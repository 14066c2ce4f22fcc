import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { isEmptyText, joinTexts, type Text } from '../shared/language-texts.ts';
import { createTakenMembers, type TakenMembers } from '../shared/taken-members.ts';
import { isAlwaysWhole, warnOfPart } from './hidden-rows.ts';
import { toOptions } from './items.ts';
import { readJsonText } from './matrix-elements.ts';
import { type Element, keepRest, type Tools, toQuestion, warnOfType } from './tools.ts';

const SELECTION_BY_CELL_TYPE: ReadonlyMap<string, 'one' | 'several'> = new Map([
  ['dropdown', 'one'],
  ['radiogroup', 'one'],
  ['checkbox', 'several'],
  ['tagbox', 'several'],
  ['rating', 'one'],
  ['boolean', 'one'],
]);
const RATES: readonly JsonValue[] = [1, 2, 3, 4, 5];
const BOOLEAN_OPTIONS: readonly JsonValue[] = [
  { value: true, text: 'Yes' },
  { value: false, text: 'No' },
];

/**
 * Converts a matrix with columns of several types: a column with choices becomes a matrix, each cell of other columns a
 * text.
 */
export function* readMatrixDropdown(element: Element, tools: Tools): Iterable<JsonObject> {
  const { members, path } = element;
  const rows = toOptions(members.takeList('rows'), `${path}/rows`, tools);
  const columns = members.takeList('columns');
  if (rows.length === 0 || !columns.some((column) => isObject(column))) {
    yield* readJsonText(element, tools);
    return;
  }
  warnOfType(element, tools, 'each column with choices becomes a matrix, each cell of the others a text');
  const choices = members.takeList('choices');
  // Shared by all columns, because there can be many.
  const defaults: ColumnDefaults = {
    cellType: members.takeText('cellType') ?? 'dropdown',
    rating: once(() => toOptions(RATES, path, tools)),
    boolean: once(() => toOptions(BOOLEAN_OPTIONS, path, tools)),
    choices: once(() => toOptions(choices, `${path}/choices`, tools)),
  };
  const areAllRowsVisible = isAlwaysWhole(element, rows);
  for (const [index, column] of columns.entries()) {
    if (!isObject(column)) continue;
    yield* readColumn({ column, rows, areAllRowsVisible, defaults, path: `${path}/columns/${index}` }, element, tools);
  }
}

interface ColumnDefaults {
  readonly cellType: string;
  readonly rating: () => readonly JsonObject[];
  readonly boolean: () => readonly JsonObject[];
  readonly choices: () => readonly JsonObject[];
}

interface Column {
  readonly column: JsonObject;
  readonly rows: readonly JsonObject[];
  readonly areAllRowsVisible: boolean;
  readonly defaults: ColumnDefaults;
  readonly path: string;
}

function* readColumn(
  { column, rows, areAllRowsVisible, defaults, path }: Column,
  element: Element,
  tools: Tools,
): Iterable<JsonObject> {
  const members = createTakenMembers(column);
  const name = String(members.take('name') ?? '');
  if (name === '') return;
  const title = tools.texts.read(members.take('title'), path);
  const text = joinTexts(element.title, isEmptyText(title) ? name : title, ': ');
  const kind = members.takeText('cellType') ?? 'default';
  const cellType = kind === 'default' ? defaults.cellType : kind;
  const wantsRequired = members.takeFlag('isRequired');
  const isRequired = wantsRequired && areAllRowsVisible && members.peek('visibleIf') === undefined;
  if (wantsRequired && !isRequired) warnOfPart(element, tools);
  const options = optionsOf(cellType, members, path, { defaults, tools });
  const source = {
    ...keepRest(members, path, tools.warn),
    ...(wantsRequired && !isRequired ? { isRequired: wantsRequired } : {}),
    column: name,
    cell_type: cellType,
  };
  if (options.length === 0) {
    for (const row of rows) yield toCell(element, tools, { row, name, text, cellType, isRequired, source });
    return;
  }
  yield toQuestion(element, tools, {
    type: 'matrix',
    name: `${element.name}.${name}`,
    title: text,
    members: {
      rows: [...rows],
      columns: [...options],
      ...(SELECTION_BY_CELL_TYPE.get(cellType) === 'several' ? { multiple: true } : {}),
      ...(isRequired ? { required: true } : {}),
    },
    source,
  });
}

/** The choices of a column; empty for other cell types. */
function optionsOf(
  cellType: string,
  members: TakenMembers,
  path: string,
  { defaults, tools }: { readonly defaults: ColumnDefaults; readonly tools: Tools },
): readonly JsonObject[] {
  const own = members.takeList(cellType === 'rating' ? 'rateValues' : 'choices');
  if (!SELECTION_BY_CELL_TYPE.has(cellType)) return [];
  if (own.length > 0) return toOptions(own, `${path}/choices`, tools);
  return cellType === 'rating' || cellType === 'boolean' ? defaults[cellType]() : defaults.choices();
}

interface Cell {
  readonly row: JsonObject;
  readonly name: string;
  readonly text: Text;
  readonly cellType: string;
  readonly isRequired: boolean;
  readonly source: JsonObject;
}

function toCell(element: Element, tools: Tools, { row, name, text, cellType, isRequired, source }: Cell): JsonObject {
  const { id = '', text: label = '', source_data: kept } = row;
  const rowId = isObject(kept) ? (kept['source_id'] ?? id) : id;
  return toQuestion(element, tools, {
    type: cellType === 'text' ? 'text' : 'textarea',
    name: `${element.name}.${name}.${String(id)}`,
    // Rows were converted above, so the label is a `Text`.
    title: joinTexts(text, label as Text, ': '),
    members: isRequired ? { required: true } : {},
    source: { ...source, row: rowId, ...(cellType === 'text' ? {} : { kept_as: 'json' }) },
  });
}
