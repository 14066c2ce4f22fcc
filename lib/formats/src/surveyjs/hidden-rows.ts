import type { JsonObject } from '@bufbuild/protobuf';
import { sourceDataOf } from '../shared/source-data.ts';
import type { Element, Tools } from './tools.ts';

export function isAlwaysWhole({ members }: Element, rows: readonly JsonObject[]): boolean {
  if (members.peek('rowsVisibleIf') !== undefined) return false;
  return rows.every((row) => sourceDataOf(row)['visibleIf'] === undefined);
}

/** Warns that a matrix with hidden rows is not required. */
export function warnOfPart({ name, path }: Element, { warn }: Tools): void {
  const detail = `Hidden rows of ${name.slice(0, 200)} are shown; the question is not required`;
  warn('required part', { path, code: 'LOGIC_NOT_CONVERTED', detail });
}
