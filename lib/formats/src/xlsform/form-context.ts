import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { ToUniqueId } from '../core/ids.ts';
import { moveReserved } from '../core/source-data.ts';
import { isEmptyText, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import type { FormRow } from './form.ts';

export interface FormContext {
  /** A text of a row in all languages; empty if there is none. */
  textOf(row: FormRow, column: string): Text;
  readonly toUniqueId: ToUniqueId;
  readonly warnOnce: WarnOnce;
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
  { toUniqueId, warnOnce }: FormContext,
  questionType: string,
  { suffix = '', members = {}, source = {} }: { suffix?: string; members?: JsonObject; source?: JsonObject } = {},
): JsonObject {
  const id = toUniqueId(name + suffix);
  if (id !== name + suffix) {
    const detail = `The name ${name.slice(0, 200)} is invalid or duplicate as an id; the new id is ${id}. Other invalid or duplicate names change in the same way`;
    warnOnce('', { path: `${row.path}/name`, code: 'ID_CHANGED', detail });
  }
  return {
    id,
    type: questionType,
    title: isEmptyText(title) ? name : toJsonText(title),
    ...members,
    source_data: { source_id: formPath, type, ...source },
  };
}

/** Member names that the reader uses in `source_data`. */
const RESERVED_NAMES = new Set('source source_id type part kept_as rows filled_in header'.split(' '));

/** Makes source data of cells. Cells with reserved names go to `in_file`. */
export function toSourceCells(cells: readonly (readonly [column: string, cell: JsonValue])[]): JsonObject {
  return moveReserved(Object.fromEntries(cells), RESERVED_NAMES, 'in_file');
}

export function warnOfUnsupportedType({ row, type, name }: AskedRow, { warnOnce }: FormContext, detail: string): void {
  const problem = `${name.slice(0, 200)} has the type ${type.slice(0, 100)}, which has no equivalent`;
  warnOnce(type.split(' ')[0] ?? type, {
    path: `${row.path}/type`,
    code: 'NO_SUCH_TYPE',
    detail: `${problem}: ${detail}`,
  });
}
