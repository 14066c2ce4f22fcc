import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { FitId } from '../fitting-ids.ts';
import { isEmptyText, type Text, toJsonText } from '../language-texts.ts';
import { keepApart } from '../source-data.ts';
import type { WarnOnce } from '../warn-once.ts';
import type { FormRow } from './form.ts';

/** What everything that reads a part of a form needs. */
export interface FormTools {
  /** A text of a row in all languages; empty when there is none. */
  textOf(row: FormRow, column: string): Text;
  readonly fitId: FitId;
  readonly warn: WarnOnce;
}

/** A row that asks something. */
export interface Asking {
  readonly row: FormRow;
  readonly name: string;
  /** With the names of its groups, as exports name it: `group/name`. */
  readonly place: string;
  readonly title: Text;
  /** As it is written. */
  readonly type: string;
}

export function toFormQuestion(
  { row, name, place, title, type }: Asking,
  { fitId, warn }: FormTools,
  ours: string,
  { suffix = '', members = {}, source = {} }: { suffix?: string; members?: JsonObject; source?: JsonObject } = {},
): JsonObject {
  const id = fitId(name + suffix);
  if (id !== name + suffix) {
    const detail = `The name ${name.slice(0, 200)} is taken, or no id here: the question is ${id}, and others are renamed likewise`;
    warn('', { path: `${row.path}/name`, code: 'ID_CHANGED', detail });
  }
  return {
    id,
    type: ours,
    title: isEmptyText(title) ? name : toJsonText(title),
    ...members,
    source_data: { source_id: place, type, ...source },
  };
}

/** What answers are found by, and what is made of columns that are taken. */
const OWN = new Set('source source_id type part kept_as rows filled_in header'.split(' '));

/** Cells that are kept, those with a name of the reader's own apart. */
export function keepFormApart(cells: readonly (readonly [column: string, cell: JsonValue])[]): JsonObject {
  return keepApart(Object.fromEntries(cells), OWN, 'in_file');
}

export function warnOfFormType({ row, type, name }: Asking, { warn }: FormTools, detail: string): void {
  const what = `There is no type like ${type.slice(0, 100)}, which ${name.slice(0, 200)} is of`;
  warn(type.split(' ')[0] ?? type, { path: `${row.path}/type`, code: 'NO_SUCH_TYPE', detail: `${what}: ${detail}` });
}
