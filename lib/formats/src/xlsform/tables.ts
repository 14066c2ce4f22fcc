import type { JsonObject } from '@bufbuild/protobuf';
import { once } from '@survey/questionnaire/once';
import type { DraftQuestion } from '../core/draft.ts';
import { createUniqueOptionIds } from '../core/ids.ts';
import { isEmptyText, joinAllTexts, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { type FormPart, type FormRow, isAutomatic, isNote, type RowType } from './document.ts';
import {
  type FormContext,
  hasAppearance,
  hasOnlyTableAppearances,
  isLogicColumn,
  keepCells,
  type Lists,
  requiredOf,
  toFormQuestion,
} from './questions.ts';

/**
 * Creates the search for the tables of a group, or of the parts outside of all groups: the rows of a group with the
 * appearance `table-list`, and `list-nolabel` rows below a `label` row. It returns the tables by each of their rows, and
 * warns about tables that cannot be one question.
 */
export function createFindTables(
  form: readonly FormRow[],
  lists: Lists,
  warnOnce: WarnOnce,
): (group: FormRow | undefined, parts: readonly FormPart[]) => ReadonlyMap<FormPart, QuestionTable> {
  const toTable = createToTable(form, lists);
  return (group, parts) => {
    const found = new Map<FormPart, QuestionTable>();
    for (const candidate of candidatesIn(group, parts)) {
      const { header, rows } = candidate;
      const members = header === undefined ? rows : [header, ...rows];
      const table = toTable(candidate);
      if (typeof table === 'string') warnOfRows(candidate.group ?? members[0]?.row, table, warnOnce);
      else for (const part of members) found.set(part, table);
    }
    return found;
  };
}

function warnOfRows(first: FormRow | undefined, reason: string, warnOnce: WarnOnce): void {
  const name = (first?.cells.get('name') ?? 'a group').slice(0, 200);
  const detail = `The rows of ${name} become a question each, not a table: ${reason}`;
  warnOnce(`table ${reason}`, { path: `${first?.path}/appearance`, code: 'NO_SUCH_TYPE', detail }, name);
}

/** Rows that a form displays as a table. */
interface Candidate {
  /** The group, if it has no other questions. */
  readonly group: FormRow | undefined;
  /** The row that shows the choices; it takes no answer. */
  readonly header: FormPart | undefined;
  readonly rows: readonly FormPart[];
}

function candidatesIn(group: FormRow | undefined, parts: readonly FormPart[]): readonly Candidate[] {
  const rows = withoutNotesAround(parts.filter(({ type }) => !isAutomatic(type)));
  if (group !== undefined && hasAppearance(group, 'table-list')) return [{ group, header: undefined, rows }];
  return runsIn(rows).map((run) => {
    const [first, ...others] = run;
    const isHeader = first !== undefined && hasAppearance(first.row, 'label');
    return {
      group: run.length === rows.length ? group : undefined,
      header: isHeader ? first : undefined,
      rows: isHeader ? others : run,
    };
  });
}

/** Removes notes before the first and after the last other part. */
function withoutNotesAround(parts: readonly FormPart[]): readonly FormPart[] {
  const first = parts.findIndex(({ type }) => !isNote(type));
  return first === -1 ? [] : parts.slice(first, parts.findLastIndex(({ type }) => !isNote(type)) + 1);
}

/** Finds adjacent selects with appearances of one table, the label row first. */
function runsIn(rows: readonly FormPart[]): readonly (readonly FormPart[])[] {
  const runs: FormPart[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run !== undefined && continuesRun(run, row)) run.push(row);
    else runs.push([row]);
  }
  return runs.filter((run) => run.length > 1 && run.some(({ row }) => hasAppearance(row, 'label') || hasNoLabels(row)));
}

function continuesRun([first]: readonly FormPart[], { row, type }: FormPart): boolean {
  if (first?.type.kind !== 'select' || type.kind !== 'select') return false;
  return isTableRow(row) && (hasAppearance(first.row, 'label') || isTableRow(first.row));
}

function isTableRow(row: FormRow): boolean {
  return hasNoLabels(row) || hasAppearance(row, 'list');
}

function hasNoLabels(row: FormRow): boolean {
  return hasAppearance(row, 'list-nolabel');
}

/** A table of a form that becomes one question. */
export interface QuestionTable {
  /** The first row, header included: here the question stands among the other parts. */
  readonly start: FormPart;
  /** The row with the name and label of the table: the group, or else the header. */
  readonly named: FormRow;
  readonly header: FormRow | undefined;
  readonly rows: readonly [FormRow, ...FormRow[]];
  readonly takes: 'one' | 'several';
  readonly list: string;
}

type Choice = Extract<RowType, { kind: 'select' }> & Pick<QuestionTable, 'takes'>;

/** Creates the conversion of rows to a table. It returns a reason if a single question cannot replace them. */
function createToTable(form: readonly FormRow[], lists: Lists): (candidate: Candidate) => QuestionTable | string {
  const referred = once(() => namesReferredTo(form));
  return ({ group, header: headerPart, rows: parts }) => {
    const types = parts.map(({ type }) => type).filter(isChoice);
    const [{ takes, list } = { takes: undefined, list: '' }] = types;
    const [first, ...rest] = parts;
    const header = headerPart?.row;
    const named = group ?? header;
    if (first === undefined || takes === undefined) return 'there is no select_one or select_multiple';
    if (named === undefined) return 'there is no label row above them';
    if (types.length < parts.length) return 'there are rows of other types';
    if (types.some((type) => type.takes !== takes)) return 'some take one choice, others several';
    const listed = headerPart === undefined ? types : [...types, headerPart.type];
    if (listed.some((type) => type.kind !== 'select' || type.list !== list)) return 'the rows have different lists';
    if (types.some(({ orOther }) => orOther)) return 'a row has or_other';
    if ((lists.get(list) ?? []).length === 0) return 'the list has no choices';
    const rows = [first.row, ...rest.map(({ row }) => row)] as const;
    const fault = faultOfRows(rows) ?? faultOfCells(header === undefined ? rows : [header, ...rows]);
    if (fault !== undefined) return fault;
    if (first.row.cells.has('relevant') && group?.cells.has('relevant'))
      return 'both the group and the rows have a condition';
    return { start: headerPart ?? first, named, header, rows, takes, list };
  };

  function faultOfCells(rows: readonly FormRow[]): string | undefined {
    const names = rows.map(({ cells }) => cells.get('name') ?? '');
    if (names.includes('')) return 'a name is missing';
    if (names.some((name) => referred().has(name))) return 'a condition tests a row';
    const logic = rows.flatMap(({ cells }) => [...cells.keys()]).find(isLogicColumn);
    if (logic !== undefined) return `a row has ${logic}`;
    return areSame(rows.map(({ cells }) => cells.get('relevant'))) ? undefined : 'relevant differs between the rows';
  }
}

function faultOfRows(rows: readonly FormRow[]): string | undefined {
  if (rows.some(({ cells, texts }) => cells.has('hint') || texts.has('hint'))) return 'a row has a hint';
  const conditions = rows.map((row) => (requiredOf(row) === 'on condition' ? row.cells.get('required') : ''));
  return areSame(conditions) ? undefined : 'required differs between the rows';
}

function areSame(values: readonly (string | undefined)[]): boolean {
  return new Set(values).size <= 1;
}

function isChoice(type: RowType): type is Choice {
  return type.kind === 'select' && type.takes !== 'order';
}

/** Names of questions in conditions. */
function namesReferredTo(rows: readonly FormRow[]): ReadonlySet<string> {
  const conditions = rows.flatMap(({ cells }) => [cells.get('relevant') ?? '', cells.get('required') ?? '']);
  const names = conditions.flatMap((condition) =>
    [...condition.matchAll(/\$\{([^{}]+)\}/g)].map(([, name = '']) => name),
  );
  return new Set(names.map((name) => name.trim()));
}

/**
 * Converts a table to a likert, or to a matrix if rows take several choices.
 *
 * @param groups names of the groups around the rows
 * @param notes texts before the table
 */
export function toTableQuestion(
  table: QuestionTable,
  groups: readonly string[],
  notes: Text,
  context: FormContext,
): DraftQuestion {
  const { named, header, takes, list } = table;
  const name = named.cells.get('name') ?? 'group';
  const formPath = named === header ? [...groups, name] : groups;
  const { title, description } = textsOf(table, notes, context);
  const asked = { row: named, name, formPath: formPath.join('/'), title, type: table.rows[0].cells.get('type') ?? '' };
  const options = [...(context.lists.get(list) ?? [])];
  const { required, ...rows } = rowMembers(table.rows, groups, context);
  const members = { ...rows, ...(takes === 'one' ? { options } : { columns: options, multiple: true }) };
  const inner = header === undefined || header === named ? {} : { header: keepHeader(header, context) };
  return toFormQuestion(asked, takes === 'one' ? 'likert' : 'matrix', {
    description,
    members,
    required: required === true,
    kept: { ...keep(named, context), ...inner },
  });
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
    const { path = '' } = rows[0] ?? {};
    context.warnOnce('rows', { path: `${path}/required`, code: 'KEPT_AS_SOURCE_DATA', detail }, path);
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
