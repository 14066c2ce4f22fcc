import type { JsonObject } from '@bufbuild/protobuf';
import { createUniqueOptionIds } from '../core/ids.ts';
import { isEmptyText, toJsonText } from '../core/texts.ts';
import type { FormRow } from './form.ts';
import { type FormContext, toSourceCells } from './form-context.ts';

export type Lists = ReadonlyMap<string, readonly JsonObject[]>;

const CONVERTED_COLUMNS = new Set(['list_name', 'name', 'label']);

export function readLists(rows: readonly FormRow[], context: FormContext): Lists {
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
  { textOf, warnOnce }: FormContext,
): readonly JsonObject[] {
  const name = row.cells.get('name') ?? '';
  const text = textOf(row, 'label');
  if (name === '' && isEmptyText(text)) return [];
  const others = [...row.cells].filter(([column]) => !CONVERTED_COLUMNS.has(column));
  for (const [column] of others) {
    const detail = `The column ${column.slice(0, 100)} has no equivalent; it is kept in source_data`;
    warnOnce(`choices ${column}`, { path: `${row.path}/${column}`, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  const id = toUniqueId(name === '' ? String(isEmptyText(text) ? 'option' : toJsonText(text)) : name);
  return [
    {
      id,
      text: isEmptyText(text) ? name : toJsonText(text),
      source_data: { ...toSourceCells(others), source_id: name },
    },
  ];
}
