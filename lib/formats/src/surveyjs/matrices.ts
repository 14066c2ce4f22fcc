import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import type { DraftQuestion } from '../core/draft.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { joinTexts, type Text } from '../core/texts.ts';
import { createMemberReader, type MemberReader } from './document.ts';
import {
  type ElementContext,
  keepRest,
  numbersOf,
  type SurveyjsElement,
  toOptions,
  toQuestion,
  warnOfUnsupportedType,
} from './element.ts';
import { readJsonText, SCALE_MEMBERS, takeBooleanOptions, takeScale } from './questions.ts';

/** Converts a matrix; without rows, to a likert scale. */
export function readMatrix(element: SurveyjsElement, context: ElementContext): DraftQuestion {
  const { members, path } = element;
  const columns = toOptions(members.takeList('columns'), `${path}/columns`, context);
  const rows = toOptions(members.takeList('rows'), `${path}/rows`, context);
  if (columns.length === 0) return readJsonText(element, context);
  if (rows.length === 0) return toQuestion(element, { type: 'likert', members: { options: columns } });
  const needsAll = members.takeFlag('isAllRowRequired', 'eachRowRequired');
  const isMadeOptional = (needsAll || element.isRequired) && !showsAllRows(element, rows);
  if (isMadeOptional) warnOfHiddenRows(element, context);
  const isMultiple = members.takeText('cellType') === 'checkbox';
  return toQuestion(element, {
    type: 'matrix',
    members: {
      rows,
      columns,
      ...(isMultiple ? { multiple: true } : {}),
      // In SurveyJS, one row is enough for a required matrix, unless every row is required.
      ...(needsAll && !isMadeOptional ? {} : { required_rows: 1 }),
    },
    ...(needsAll || isMadeOptional ? { required: !isMadeOptional } : {}),
    source: isMadeOptional ? { isRequired: element.isRequired, eachRowRequired: needsAll } : {},
  });
}

/** Converts several texts to a question each. */
export function readMultipleText(element: SurveyjsElement, context: ElementContext): readonly DraftQuestion[] {
  const items = element.members.takeList('items');
  warnOfUnsupportedType(element, context, 'each of its texts becomes a question');
  return items.flatMap((item, index): readonly DraftQuestion[] => {
    const path = `${element.path}/items/${index}`;
    const members = createMemberReader(isObject(item) ? item : { name: item });
    const name = String(members.take('name') ?? '');
    if (name === '') return [];
    const title = context.texts.take(members, 'title', path, name);
    const maxLength = members.takeNumber('maxLength') ?? 0;
    const inputType = members.takeText('inputType');
    const isRequired = members.takeFlag('isRequired');
    return [
      toQuestion(element, {
        type: 'text',
        name: `${element.name}.${name}`,
        title: joinTexts(element.title, title, ': '),
        members: {
          ...(maxLength > 0 ? { max_length: maxLength } : {}),
          ...(inputType === 'number' || inputType === 'email' ? { format: inputType } : {}),
        },
        required: isRequired || undefined,
        source: { item: name, ...(inputType === undefined ? {} : { input_type: inputType }) },
        kept: keepRest(members, path, context.warnOnce),
      }),
    ];
  });
}

/** Whether respondents always see all rows of a matrix. */
function showsAllRows({ members }: SurveyjsElement, rows: readonly JsonObject[]): boolean {
  if (members.peek('rowsVisibleIf') !== undefined) return false;
  return rows.every((row) => sourceDataOf(row)['visibleIf'] === undefined);
}

/** Warns that a matrix with hidden rows is not required. */
function warnOfHiddenRows({ name, path }: SurveyjsElement, { warnOnce }: ElementContext): void {
  const detail = `Hidden rows of ${name.slice(0, 200)} are shown; the question is not required`;
  warnOnce('required part', { path, code: 'LOGIC_NOT_CONVERTED', detail }, name);
}

/** Types of cells with choices. */
const CHOICE_CELLS = new Set(['dropdown', 'radiogroup', 'checkbox', 'tagbox', 'rating', 'boolean']);
const MULTIPLE_CHOICE_CELLS = new Set(['checkbox', 'tagbox']);
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
export function* readMatrixDropdown(element: SurveyjsElement, context: ElementContext): Iterable<DraftQuestion> {
  const { members, path } = element;
  const rows = toOptions(members.takeList('rows'), `${path}/rows`, context);
  const columns = members.takeList('columns');
  if (rows.length === 0 || !columns.some((column) => isObject(column))) {
    yield readJsonText(element, context);
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
  /** Options by the kind of cells. */
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
): Iterable<DraftQuestion> {
  const members = createMemberReader(column);
  const name = String(members.take('name') ?? '');
  if (name === '') return;
  const title = joinTexts(element.title, context.texts.take(members, 'title', path, name), ': ');
  const kind = members.takeText('cellType') ?? 'default';
  const cellType = kind === 'default' ? defaults.cellType : kind;
  const wantsRequired = members.takeFlag('isRequired');
  const isRequired = wantsRequired && areAllRowsVisible && members.peek('visibleIf') === undefined;
  if (wantsRequired && !isRequired) warnOfHiddenRows(element, context);
  const options = optionsOf(cellType, members, path, { defaults, context });
  const kept = {
    ...keepRest(members, path, context.warnOnce),
    ...(wantsRequired && !isRequired ? { isRequired: wantsRequired } : {}),
  };
  const common = { required: isRequired || undefined, kept };
  const source = { column: name, cell_type: cellType };
  if (options.length > 0) {
    const multiple = MULTIPLE_CHOICE_CELLS.has(cellType) ? { multiple: true } : {};
    const matrix = { rows: [...rows], columns: [...options], ...multiple };
    const ofMatrix = { type: 'matrix', name: `${element.name}.${name}`, title, members: matrix, source };
    yield toQuestion(element, { ...common, ...ofMatrix });
    return;
  }
  for (const row of rows) {
    const { id = '', text = '' } = row;
    yield toQuestion(element, {
      ...common,
      type: cellType === 'text' ? 'text' : 'textarea',
      name: `${element.name}.${name}.${String(id)}`,
      // The row is of `toOptions`, so its text is a `Text`.
      title: joinTexts(title, text as Text, ': '),
      source: {
        ...source,
        row: sourceDataOf(row)['source_id'] ?? id,
        ...(cellType === 'text' ? {} : { kept_as: 'json' }),
      },
    });
  }
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
  if (!CHOICE_CELLS.has(cellType)) return [];
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
