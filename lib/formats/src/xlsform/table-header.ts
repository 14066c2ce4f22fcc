import type { JsonObject } from '@bufbuild/protobuf';
import type { TableHeader } from '../core/columns/table-header.ts';
import type { ColumnKind } from '../tables/column-values.ts';
import { badHeader, readNames, rejectDuplicates } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import { toSlashes } from './column-names.ts';
import { isReference } from './repeat-tables.ts';
import { isRepeatColumn } from './repeats.ts';
import { createSubmissionColumns, type SubmissionColumns } from './submission-columns.ts';

/** The target of columns of repeats. */
const REPEATS = 'metadata.repeats';

/** Reads the header of a table of submissions, with names or labels as headings and any group separator. */
export function readXlsformHeader(
  [first]: readonly Row[],
  payload: JsonObject,
  ignored: ReadonlySet<number>,
  columns: SubmissionColumns = createSubmissionColumns(payload),
): TableHeader {
  const headings = readNames(first);
  const names = toSlashes(headings, columns.known()).map((name, position) => (ignored.has(position) ? '' : name));
  const number = first?.number ?? 1;
  const targets = new Map<number, string>();
  const kinds = new Map<number, ColumnKind>();
  for (const [position, name] of names.entries()) {
    if (name === '') continue;
    // Columns that name rows of other tables are read, but not imported.
    if (isReference(name, columns)) continue;
    targets.set(position, isRepeatColumn(name) ? REPEATS : (columns.targetNameOf(name) ?? `metadata.${name}`));
    const kind = columns.kindOf(name);
    if (kind !== undefined) kinds.set(position, kind);
  }
  return {
    headings,
    names,
    headerRows: 1,
    targets,
    kinds,
    check({ description, needsQuestion }) {
      // Columns that are not of questions are kept as metadata by name, so no name may occur twice.
      rejectDuplicates(names, () => true, number);
      const isQuestion = (name: string) => columns.names.has(name) || columns.names.has(name.replace(/\/[^/]*$/, ''));
      if (!needsQuestion || names.some(isQuestion)) return;
      throw badHeader(`row ${number}: no column names a question of the survey (${description})`);
    },
  };
}
