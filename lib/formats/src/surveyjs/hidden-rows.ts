import type { JsonObject } from '@bufbuild/protobuf';
import { sourceDataOf } from '../core/source-data.ts';
import type { ElementContext, SurveyjsElement } from './element.ts';

/** Whether respondents always see all rows of a matrix. */
export function showsAllRows({ members }: SurveyjsElement, rows: readonly JsonObject[]): boolean {
  if (members.peek('rowsVisibleIf') !== undefined) return false;
  return rows.every((row) => sourceDataOf(row)['visibleIf'] === undefined);
}

/** Warns that a matrix with hidden rows is not required. */
export function warnOfHiddenRows({ name, path }: SurveyjsElement, { warnOnce }: ElementContext): void {
  const detail = `Hidden rows of ${name.slice(0, 200)} are shown; the question is not required`;
  warnOnce('required part', { path, code: 'LOGIC_NOT_CONVERTED', detail }, name);
}
