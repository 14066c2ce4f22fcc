import type { JsonObject } from '@bufbuild/protobuf';
import { sourceDataOf } from '../source-data.ts';
import type { Element, Tools } from './tools.ts';

/** Whether all rows are shown to everyone. */
export function isAlwaysWhole({ members }: Element, rows: readonly JsonObject[]): boolean {
  if (members.peek('rowsVisibleIf') !== undefined) return false;
  return rows.every((row) => sourceDataOf(row)['visibleIf'] === undefined);
}

/** Says that a matrix asks for less than it did there. */
export function warnOfPart({ name, path }: Element, { warn }: Tools): void {
  const detail = `All of ${name.slice(0, 200)} is shown here, but what may have been hidden there is not required`;
  warn('required part', { path, code: 'LOGIC_NOT_CONVERTED', detail });
}
