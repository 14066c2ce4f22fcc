import type { JsonObject } from '@bufbuild/protobuf';
import type { FormRow } from './form.ts';
import { type FormContext, toSourceCells } from './form-context.ts';

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
