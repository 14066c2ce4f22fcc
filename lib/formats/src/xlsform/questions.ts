import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/patterns/pattern';
import { type DraftQuestion, numberScale } from '../core/draft.ts';
import { createUniqueOptionIds } from '../core/ids.ts';
import { moveReserved } from '../core/source-data.ts';
import { isEmptyText, type Text, textsOf, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import type { FormRow, RowType } from './document.ts';

type Select = Extract<RowType, { kind: 'select' }>;

/** Kinds of files by type; any kind if it is empty. */
const FILES: Readonly<Record<string, string>> = {
  image: 'image/*',
  audio: 'audio/*',
  'background-audio': 'audio/*',
  video: 'video/*',
  file: '',
};

const REGEX = /^\s*regex\(\s*\.\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)\s*$/;

/** Converts a row to a question; a dateTime to a date and a time. */
export function readFormQuestions(type: RowType, asked: AskedRow, context: FormContext): readonly DraftQuestion[] {
  if (type.kind !== 'plain' || type.name !== 'dateTime') return [readFormQuestion(type, asked, context)];
  return [
    toFormQuestion(asked, 'date', { source: { part: 'date' } }),
    toFormQuestion(asked, 'time', { suffix: '.time', source: { part: 'time' } }),
  ];
}

function readFormQuestion(type: RowType, asked: AskedRow, context: FormContext): DraftQuestion {
  if (type.kind === 'select') return readSelect(type, asked, context);
  const name = type.kind === 'plain' ? type.name : '';
  if (Object.hasOwn(FILES, name)) {
    const accept = FILES[name] ?? '';
    return toFormQuestion(asked, 'file_upload', { members: { max_files: 1, ...(accept === '' ? {} : { accept }) } });
  }
  switch (name) {
    case 'text': {
      // Texts can have several lines, unless a pattern restricts them.
      const members = patternOf(asked);
      return toFormQuestion(asked, members['pattern'] === undefined ? 'textarea' : 'text', { members });
    }
    case 'integer':
    case 'decimal':
      return toFormQuestion(asked, 'text', { members: { format: name === 'integer' ? name : 'number' } });
    case 'range':
      return readRange(asked);
    case 'date':
    case 'time':
      return toFormQuestion(asked, name);
    case 'acknowledge': {
      const options = [{ id: 'OK', text: 'OK', source_data: { source_id: 'OK' } }];
      return toFormQuestion(asked, 'single_choice', { members: { options } });
    }
    case 'geotrace':
    case 'geoshape':
      warnOfUnsupportedType(asked, context, 'it becomes a text with the coordinates');
      return toFormQuestion(asked, 'textarea');
    default:
      warnOfUnsupportedType(asked, context, 'it becomes a text');
      return toFormQuestion(asked, 'text');
  }
}

function readSelect({ takes, list, orOther }: Select, asked: AskedRow, context: FormContext): DraftQuestion {
  const options = [...(context.lists.get(list) ?? [])];
  if (options.length === 0) {
    warnOfUnsupportedType(asked, context, `the list ${list.slice(0, 100)} has no choices, and it becomes a text`);
    return toFormQuestion(asked, takes === 'one' ? 'text' : 'textarea');
  }
  if (takes === 'order') {
    warnOfUnsupportedType(asked, context, 'it becomes a matrix of choices and ranks');
    const columns = numberScale(options.length);
    return toFormQuestion(asked, 'matrix', {
      members: { rows: options, columns, required_rows: 1 },
      source: { kept_as: 'ranks' },
    });
  }
  return toFormQuestion(asked, takes === 'one' ? 'single_choice' : 'multiple_choice', {
    members: { options, ...(orOther ? { allow_other: true } : {}) },
  });
}

function readRange(asked: AskedRow): DraftQuestion {
  const parameters = asked.row.cells.get('parameters') ?? '';
  const readParameter = (name: string, standard: number) => {
    const given = new RegExp(`\\b${name}\\s*=\\s*(-?[\\d.]+)`).exec(parameters)?.[1];
    const number = Number(given ?? standard);
    return Number.isFinite(number) ? number : standard;
  };
  const [min, max, step] = [readParameter('start', 1), readParameter('end', 10), readParameter('step', 1)];
  return toFormQuestion(asked, 'rating', {
    members: { min, max: Math.max(min, max), ...(step === 1 || step <= 0 ? {} : { step }) },
  });
}

/** The pattern of a `regex(., …)` constraint, the only one that is converted. */
function patternOf({ row }: AskedRow): JsonObject {
  const [, single, double] = REGEX.exec(row.cells.get('constraint') ?? '') ?? [];
  const pattern = single ?? double;
  if (pattern === undefined) return {};
  const whole = `^(?:${pattern})$`;
  return typeof createPatternCompiler()(whole, 1_000) === 'function' ? { pattern: whole } : {};
}

export interface FormContext {
  /** A text of a row in all languages; empty if there is none. */
  textOf(row: FormRow, column: string): Text;
  readonly warnOnce: WarnOnce;
  readonly lists: Lists;
}

/** A row of the sheet `survey` that asks a question. */
export interface AskedRow {
  readonly row: FormRow;
  readonly name: string;
  /** Path in exports, with the names of its groups: `group/name`. */
  readonly formPath: string;
  readonly title: Text;
  readonly type: string;
}

export function toFormQuestion(
  { row, name, formPath, title, type }: AskedRow,
  questionType: string,
  { suffix = '', members = {}, source = {}, ...others }: QuestionParts = {},
): DraftQuestion {
  return {
    name: name + suffix,
    at: row.path,
    nameAt: `${row.path}/name`,
    title: isEmptyText(title) ? name : title,
    members: { type: questionType, ...members },
    needed: { source_id: formPath, type, ...source },
    ...others,
  };
}

interface QuestionParts extends Partial<Pick<DraftQuestion, 'description' | 'required' | 'kept'>> {
  /** Suffix of the id. */
  readonly suffix?: string;
  readonly members?: JsonObject;
  /** Source data that locates its answers. */
  readonly source?: JsonObject;
}

/** Member names that the reader uses in `source_data`. */
const RESERVED_NAMES = new Set('source source_id type part kept_as rows filled_in header'.split(' '));

/** Makes source data of cells. Cells with reserved names go to `in_file`. */
export function toSourceCells(cells: readonly (readonly [column: string, cell: JsonValue])[]): JsonObject {
  return moveReserved(Object.fromEntries(cells), RESERVED_NAMES, 'in_file');
}

export function warnOfUnsupportedType({ row, type, name }: AskedRow, { warnOnce }: FormContext, detail: string): void {
  const problem = `${name.slice(0, 200)} has the type ${type.slice(0, 100)}, which has no equivalent`;
  // The lists of choices of a type can have different problems.
  const key = `${type.split(' ')[0] ?? type} ${detail}`;
  warnOnce(key, { path: `${row.path}/type`, code: 'NO_SUCH_TYPE', detail: `${problem}: ${detail}` });
}

const ALWAYS_CONVERTED = new Set(['type', 'name', 'label', 'hint', 'relevant', 'required']);
const LOGIC = new Set(['constraint', 'calculation', 'choice_filter', 'count', 'trigger']);

/** Whether a column has logic. Only patterns in `constraint` are converted. */
export function isLogicColumn(column: string): boolean {
  return LOGIC.has(column);
}

/** Returns the cells of a row that have no equivalent, as source data. Warns once about each column. */
export function keepCells(row: FormRow, { warnOnce }: FormContext, converted: readonly string[] = []): JsonObject {
  const kept = [...row.cells].filter(
    ([column]) => !ALWAYS_CONVERTED.has(column) && !converted.includes(column) && !column.startsWith('$'),
  );
  for (const [column] of kept) {
    const isLogic = isLogicColumn(column);
    const isUnsupported = isLogic || column === 'default';
    const detail = `The column ${column.slice(0, 100)} ${isUnsupported ? 'is not converted' : 'has no equivalent'}; it is kept in source_data`;
    const code = isLogic ? 'LOGIC_NOT_CONVERTED' : 'KEPT_AS_SOURCE_DATA';
    warnOnce(column, { path: `${row.path}/${column}`, code, detail });
  }
  const texts = [...row.texts].filter(([column]) => !ALWAYS_CONVERTED.has(column));
  return toSourceCells([...kept, ...texts.map(([column, pairs]) => [column, Object.fromEntries(pairs)] as const)]);
}

const TRUE = /^(yes|true|true\(\)|1)$/i;
const FALSE = /^(no|false|false\(\)|0)$/i;

/** Whether a row is required. `on condition`: the cell has an expression. */
export function requiredOf({ cells }: FormRow): 'always' | 'never' | 'on condition' {
  const required = cells.get('required') ?? '';
  if (TRUE.test(required)) return 'always';
  return required === '' || FALSE.test(required) ? 'never' : 'on condition';
}

/** Appearances of tables, and of the screen around them. */
const TABLE_APPEARANCES = new Set(['table-list', 'field-list', 'label', 'list', 'list-nolabel']);

export function hasAppearance(row: FormRow, appearance: string): boolean {
  return appearancesOf(row).includes(appearance);
}

export function hasOnlyTableAppearances(row: FormRow): boolean {
  return appearancesOf(row).every((appearance) => TABLE_APPEARANCES.has(appearance));
}

function appearancesOf({ cells }: FormRow): readonly string[] {
  return (cells.get('appearance') ?? '').split(/\s+/);
}

/** The options of each list of choices, by the name of the list. */
export type Lists = ReadonlyMap<string, readonly JsonObject[]>;

const CONVERTED_COLUMNS = new Set(['list_name', 'name', 'label']);

export function readLists(rows: readonly FormRow[], context: Omit<FormContext, 'lists'>): Lists {
  const byList = Map.groupBy(rows, ({ cells }) => cells.get('list_name') ?? '');
  byList.delete('');
  return new Map(
    [...byList].map(([list, ofList]) => {
      const toUniqueId = createUniqueOptionIds();
      return [list, ofList.flatMap((row) => toOption(row, toUniqueId, context))];
    }),
  );
}

function toOption(
  row: FormRow,
  toUniqueId: (name: string) => string,
  { textOf, warnOnce }: Omit<FormContext, 'lists'>,
): readonly JsonObject[] {
  const name = row.cells.get('name') ?? '';
  const text = textOf(row, 'label');
  if (name === '' && isEmptyText(text)) return [];
  const others = [...row.cells].filter(([column]) => !CONVERTED_COLUMNS.has(column));
  for (const [column] of others) {
    const detail = `The column ${column.slice(0, 100)} has no equivalent; it is kept in source_data`;
    warnOnce(`choices ${column}`, { path: `${row.path}/${column}`, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  const id = toUniqueId(name === '' ? (textsOf(toJsonText(text))[0] ?? '') : name);
  return [
    {
      id,
      text: isEmptyText(text) ? name : toJsonText(text),
      source_data: { ...toSourceCells(others), source_id: name },
    },
  ];
}
