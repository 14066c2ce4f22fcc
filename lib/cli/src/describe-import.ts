import type { ImportJob, ImportReport } from '@survey/client';

type Report = Pick<ImportReport, 'imported' | 'imported_in_part' | 'skipped' | 'failed' | 'left_out' | 'omissions'>;

const ACTIONS: Readonly<Record<ImportReport['omissions'][number]['action'], string>> = {
  kept: 'kept in the metadata',
  dropped: 'dropped',
  missing: 'missing in the file',
};

/**
 * Describes the result of an import in lines for people: the counts, and what is not stored as answers.
 *
 * @param isDryRun whether nothing was stored
 */
export function describeImport(report: Report | ImportJob, isDryRun = false): readonly string[] {
  const { imported = 0, imported_in_part: inPart = 0, skipped = 0, failed = 0, left_out: leftOut = 0 } = report;
  const counts = [
    `${imported} imported${inPart > 0 ? ` (${inPart} of them in part)` : ''}`,
    ...(skipped > 0 ? [`${skipped} exist already`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
    `${failed} rejected`,
  ];
  return [
    ...(isDryRun ? ['Dry run: nothing is stored. An import would have this result:'] : []),
    counts.join(', '),
    ...report.omissions.map(({ column, code, detail, action, count, examples }) => {
      const examplePositions = examples.map(({ index, row }) =>
        row === undefined ? `response ${index + 1}` : `row ${row}`,
      );
      return `${column}: ${count} ${ACTIONS[action]}, ${code}: ${detail} (${examplePositions.join(', ')})`;
    }),
  ];
}
