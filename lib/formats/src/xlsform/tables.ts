import type { WarnOnce } from '../files/report.ts';
import { hasAppearance } from './appearance.ts';
import type { FormRow } from './form.ts';
import type { Lists } from './lists.ts';
import { isAutomatic, toRowType } from './row-types.ts';
import { type Candidate, createToTable, type QuestionTable, type TypedRow } from './to-table.ts';

/** The rows of a group or repeat, or the rows outside of all. */
interface Level {
  readonly group: FormRow | undefined;
  readonly isRepeated: boolean;
  readonly children: TypedRow[];
}

/**
 * Finds the tables of a form: groups with the appearance `table-list`, and `list-nolabel` rows below a `label` row.
 * Returns the table by each of its rows and its group. Warns about tables that cannot be one question.
 */
export function findTables(
  form: readonly FormRow[],
  lists: Lists,
  warnOnce: WarnOnce,
): ReadonlyMap<FormRow, QuestionTable> {
  const found = new Map<FormRow, QuestionTable>();
  const toTable = createToTable(form, lists);
  for (const candidate of readLevels(form).flatMap(candidatesIn)) {
    const { group, header, rows } = candidate;
    const members = [group, header?.row, ...rows.map(({ row }) => row)].filter((row) => row !== undefined);
    const table = toTable(candidate);
    if (typeof table === 'string') warnOfRows(members, table, warnOnce);
    else for (const row of members) found.set(row, table);
  }
  return found;
}

function warnOfRows([first]: readonly FormRow[], reason: string, warnOnce: WarnOnce): void {
  const name = (first?.cells.get('name') ?? 'a group').slice(0, 200);
  const detail = `The rows of ${name} become a question each, not a table: ${reason}`;
  warnOnce(`table ${reason}`, { path: `${first?.path}/appearance`, code: 'NO_SUCH_TYPE', detail });
}

/** Splits the visible rows into levels. */
function readLevels(rows: readonly FormRow[]): readonly Level[] {
  const top: Level = { group: undefined, isRepeated: false, children: [] };
  const levels = [top];
  const open: Level[] = [];
  for (const row of rows) {
    const written = row.cells.get('type') ?? '';
    const level = open.at(-1) ?? top;
    const type = toRowType(written, row.cells.get('select_from_list_name'));
    if (written === '' || isAutomatic(type)) continue;
    if (type.kind === 'end') {
      open.pop();
      continue;
    }
    level.children.push({ row, type });
    if (type.kind === 'begin') {
      const begun: Level = { group: row, isRepeated: level.isRepeated || type.of === 'repeat', children: [] };
      levels.push(begun);
      open.push(begun);
    }
  }
  return levels;
}

function candidatesIn({ group, isRepeated, children }: Level): readonly Candidate[] {
  if (isRepeated) return [];
  const rows = withoutNotesAround(children);
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

/** Removes notes before the first and after the last other row. */
function withoutNotesAround(children: readonly TypedRow[]): readonly TypedRow[] {
  const isNote = ({ type }: TypedRow) => type.kind === 'plain' && type.name === 'note';
  const first = children.findIndex((child) => !isNote(child));
  return first === -1 ? [] : children.slice(first, children.findLastIndex((child) => !isNote(child)) + 1);
}

/** Finds adjacent selects with appearances of one table, the label row first. */
function runsIn(rows: readonly TypedRow[]): readonly (readonly TypedRow[])[] {
  const runs: TypedRow[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run !== undefined && continuesRun(run, row)) run.push(row);
    else runs.push([row]);
  }
  return runs.filter((run) => run.length > 1 && run.some(({ row }) => hasAppearance(row, 'label') || hasNoLabels(row)));
}

function continuesRun([first]: readonly TypedRow[], { row, type }: TypedRow): boolean {
  if (first?.type.kind !== 'select' || type.kind !== 'select') return false;
  return isTableRow(row) && (hasAppearance(first.row, 'label') || isTableRow(first.row));
}

function isTableRow(row: FormRow): boolean {
  return hasNoLabels(row) || hasAppearance(row, 'list');
}

function hasNoLabels(row: FormRow): boolean {
  return hasAppearance(row, 'list-nolabel');
}
