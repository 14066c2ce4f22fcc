import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { isEmptyText, joinTexts, type Text } from '../core/texts.ts';
import { takeBooleanOptions } from './choice-elements.ts';
import { type ElementContext, keepRest, type SurveyjsElement, toQuestion, warnOfUnsupportedType } from './element.ts';
import { showsAllRows, warnOfHiddenRows } from './hidden-rows.ts';
import { toOptions } from './items.ts';
import { readJsonText } from './matrix-elements.ts';
import { createMemberReader, type MemberReader } from './member-reader.ts';
import { numbersOf } from './numbers.ts';
import { SCALE_MEMBERS, takeScale } from './rating-elements.ts';

const SELECTION_BY_CELL_TYPE: ReadonlyMap<string, 'one' | 'several'> = new Map([
  ['dropdown', 'one'],
  ['radiogroup', 'one'],
  ['checkbox', 'several'],
  ['tagbox', 'several'],
  ['rating', 'one'],
  ['boolean', 'one'],
]);
const DEFAULT_RATE_VALUES: readonly JsonValue[] = [1, 2, 3, 4, 5];
/** Maximum options of a rating: each column has its own, and a file can have many columns. */
const MAX_RATES = 100;
const SIDE_MEMBERS = ['labelTrue', 'labelFalse', 'valueTrue', 'valueFalse'];
const BOOLEAN_OPTIONS: readonly JsonValue[] = [
  { value: true, text: 'Yes' },
  { value: false, text: 'No' },
];

/**
 * Converts a matrix with columns of several types: a column with choices becomes a matrix, each cell of other columns a
 * text.
 */
export function* readMatrixDropdown(element: SurveyjsElement, context: ElementContext): Iterable<JsonObject> {
  const { members, path } = element;
  const rows = toOptions(members.takeList('rows'), `${path}/rows`, context);
  const columns = members.takeList('columns');
  if (rows.length === 0 || !columns.some((column) => isObject(column))) {
    yield* readJsonText(element, context);
    return;
  }
  warnOfUnsupportedType(element, context, 'each column with choices becomes a matrix, each cell of the others a text');
  const choices = members.takeList('choices');
  // Shared by all columns, because there can be many.
  const defaults: ColumnDefaults = {
    cellType: members.takeText('cellType') ?? 'dropdown',
    rating: once(() => toOptions(DEFAULT_RATE_VALUES, path, context)),
    boolean: once(() => toOptions(BOOLEAN_OPTIONS, path, context)),
    choices: once(() => toOptions(choices, `${path}/choices`, context)),
  };
  const areAllRowsVisible = showsAllRows(element, rows);
  for (const [index, column] of columns.entries()) {
    if (!isObject(column)) continue;
    yield* readColumn(
      { column, rows, areAllRowsVisible, defaults, path: `${path}/columns/${index}` },
      element,
      context,
    );
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
  element: SurveyjsElement,
  context: ElementContext,
): Iterable<JsonObject> {
  const members = createMemberReader(column);
  const name = String(members.take('name') ?? '');
  if (name === '') return;
  const title = context.texts.read(members.take('title'), path);
  const text = joinTexts(element.title, isEmptyText(title) ? name : title, ': ');
  const kind = members.takeText('cellType') ?? 'default';
  const cellType = kind === 'default' ? defaults.cellType : kind;
  const wantsRequired = members.takeFlag('isRequired');
  const isRequired = wantsRequired && areAllRowsVisible && members.peek('visibleIf') === undefined;
  if (wantsRequired && !isRequired) warnOfHiddenRows(element, context);
  const options = optionsOf(cellType, members, path, { defaults, context });
  const source = {
    ...keepRest(members, path, context.warnOnce),
    ...(wantsRequired && !isRequired ? { isRequired: wantsRequired } : {}),
    column: name,
    cell_type: cellType,
  };
  if (options.length === 0) {
    for (const row of rows) yield toCell(element, context, { row, name, text, cellType, isRequired, source });
    return;
  }
  yield toQuestion(element, context, {
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
  members: MemberReader,
  path: string,
  { defaults, context }: { readonly defaults: ColumnDefaults; readonly context: ElementContext },
): readonly JsonObject[] {
  const list = cellType === 'rating' ? 'rateValues' : 'choices';
  const own = members.takeList(list);
  const has = (...names: readonly string[]) => names.some((name) => members.peek(name) !== undefined);
  if (!SELECTION_BY_CELL_TYPE.has(cellType)) return [];
  if (own.length > 0) return toOptions(own, `${path}/${list}`, context);
  switch (cellType) {
    case 'rating': {
      if (!has(...SCALE_MEMBERS)) return defaults.rating();
      const numbers = numbersOf(takeScale(members));
      return numbers.length > MAX_RATES ? [] : toOptions(numbers, path, context);
    }
    case 'boolean':
      return has(...SIDE_MEMBERS) ? takeBooleanOptions({ members, path }, context) : defaults.boolean();
    default:
      return defaults.choices();
  }
}

interface Cell {
  readonly row: JsonObject;
  readonly name: string;
  readonly text: Text;
  readonly cellType: string;
  readonly isRequired: boolean;
  readonly source: JsonObject;
}

function toCell(
  element: SurveyjsElement,
  context: ElementContext,
  { row, name, text, cellType, isRequired, source }: Cell,
): JsonObject {
  const { id = '', text: label = '', source_data: kept } = row;
  const rowId = isObject(kept) ? (kept['source_id'] ?? id) : id;
  return toQuestion(element, context, {
    type: cellType === 'text' ? 'text' : 'textarea',
    name: `${element.name}.${name}.${String(id)}`,
    // Rows were converted above, so the label is a `Text`.
    title: joinTexts(text, label as Text, ': '),
    members: isRequired ? { required: true } : {},
    source: { ...source, row: rowId, ...(cellType === 'text' ? {} : { kept_as: 'json' }) },
  });
}
