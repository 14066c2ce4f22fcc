import type { JsonObject } from '@bufbuild/protobuf';
import type { TableHeader } from '../core/columns/table-header.ts';
import { nameOfTarget } from '../core/columns/target-name.ts';
import { badHeader, readNames, rejectDuplicates } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import { createColumnNames } from './column-names.ts';
import { findVvHeader } from './vv.ts';

interface LimesurveyHeader extends TableHeader {
  /** Whether the table is a VV file, which has texts in its first row and codes in the second one. */
  readonly isVv: boolean;
}

/** Targets of columns about the response. Others are kept in its metadata. */
const TARGETS: Readonly<Record<string, string>> = {
  id: 'id',
  submitdate: 'submitted_at',
  startdate: 'started_at',
  datestamp: 'submitted_at',
  startlanguage: 'language',
};

/** Reads the header of a table with question codes as headings, or of a VV file. */
export function readLimesurveyHeader(
  start: readonly Row[],
  payload: JsonObject,
  ignored: ReadonlySet<number>,
): LimesurveyHeader {
  const headings = readNames(start[0]);
  const columns = createColumnNames(payload);
  const vv = findVvHeader(start, payload);
  const names = (vv ?? headings.map(columns.toName)).map((name, position) => (ignored.has(position) ? '' : name));
  const headerRows = vv === undefined ? 1 : 2;
  const number = start[headerRows - 1]?.number ?? 1;
  const targets = new Map<number, string>();
  for (const [position, name] of names.entries()) {
    const [column] = columns.find(name);
    if (column !== undefined) {
      // LimeSurvey has a column for each rank, with an item. Our exports have a column for each item, with its rank. So
      // the target of a rank is the whole question.
      const name = nameOfTarget(column);
      targets.set(position, column.kind === 'other' ? `${name}.other` : name);
    } else if (columns.isKnown(name)) targets.set(position, TARGETS[name] ?? `metadata.${name}`);
  }
  return {
    isVv: vv !== undefined,
    headings,
    names,
    headerRows,
    targets,
    kinds: new Map(names.flatMap((name, position) => (columns.isTime(name) ? [[position, 'timestamp'] as const] : []))),
    check({ description, needsQuestion }) {
      if (needsQuestion && !names.some(columns.isQuestion)) {
        const detail = `no column names a question of the survey (${description}); export with question codes as headings`;
        throw badHeader(`row ${number}: ${detail}`);
      }
      rejectDuplicates(names, columns.isKnown, number);
    },
  };
}
