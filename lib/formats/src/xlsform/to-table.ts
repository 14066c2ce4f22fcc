import { once } from '@survey/questionnaire/once';
import type { FormRow } from './form.ts';
import { isLogicColumn } from './kept-cells.ts';
import type { Lists } from './lists.ts';
import { requiredOf } from './required.ts';
import type { RowType } from './row-types.ts';

export interface TypedRow {
  readonly row: FormRow;
  readonly type: RowType;
}

/** Rows that a form displays as a table. */
export interface Candidate {
  /** The group, if it has no other questions. */
  readonly group: FormRow | undefined;
  /** The row that shows the choices; it takes no answer. */
  readonly header: TypedRow | undefined;
  readonly rows: readonly TypedRow[];
}

export interface QuestionTable {
  /** The row with its name and label: the group, or else the header. */
  readonly named: FormRow;
  readonly header: FormRow | undefined;
  readonly rows: readonly [FormRow, ...FormRow[]];
  readonly takes: 'one' | 'several';
  readonly list: string;
}

type Choice = Extract<RowType, { kind: 'select' }> & Pick<QuestionTable, 'takes'>;

/** Converts rows to a table if a single question can replace them; otherwise, returns the reason. */
export function createToTable(
  form: readonly FormRow[],
  lists: Lists,
): (candidate: Candidate) => QuestionTable | string {
  const referred = once(() => namesReferredTo(form));
  return ({ group, header: above, rows: typed }) => {
    const header = above?.row;
    const types = typed.map(({ type }) => type).filter(isChoice);
    const [{ takes, list } = { takes: undefined, list: '' }] = types;
    const [first, ...rest] = typed.map(({ row }) => row);
    const named = group ?? header;
    if (first === undefined || takes === undefined) return 'there is no select_one or select_multiple';
    if (named === undefined) return 'there is no label row above them';
    if (types.length < typed.length) return 'there are rows of other types';
    if (types.some((type) => type.takes !== takes)) return 'some take one choice, others several';
    const listed = [...types, ...(above === undefined ? [] : [above.type])];
    if (listed.some((type) => type.kind !== 'select' || type.list !== list)) return 'the rows have different lists';
    if (types.some(({ orOther }) => orOther)) return 'a row has or_other';
    if ((lists.get(list) ?? []).length === 0) return 'the list has no choices';
    const rows = [first, ...rest] as const;
    const fault = faultOfRows(rows) ?? faultOfCells(header === undefined ? rows : [header, ...rows]);
    if (fault !== undefined) return fault;
    if (first.cells.has('relevant') && group?.cells.has('relevant'))
      return 'both the group and the rows have a condition';
    return { named, header, rows, takes, list };
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
  const conditions = rows.map(requiredOf).map((required) => (typeof required === 'string' ? '' : required.condition));
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
