import type { ImportJob } from '@survey/client';
import { formatNumber } from '../ui/format.tsx';
import { isRunning } from './use-import.ts';

type Item = Pick<ImportJob, 'status' | 'total' | 'imported' | 'imported_in_part' | 'skipped' | 'failed' | 'left_out'>;

/** Describes in a sentence whether a file can be imported. */
export function describeDryRun(item: Item): string {
  const { status, total = 0, imported = 0, imported_in_part: inPart = 0 } = item;
  const { skipped = 0, failed = 0, left_out: leftOut = 0 } = item;
  if (isRunning({ status })) return 'The file is being checked…';
  if (status !== 'completed') return 'The check has ended.';
  if (total > 0 && skipped === total) return 'All responses of the file exist already.';
  const sentenceParts = [
    `${formatNumber(imported)} of ${formatNumber(total)} responses can be imported`,
    ...(inPart > 0 ? [`${formatNumber(inPart)} of them in part`] : []),
    ...(skipped > 0 ? [`${formatNumber(skipped)} exist already`] : []),
  ];
  if (skipped + failed + leftOut > 0) return `${sentenceParts.join(', ')}.`;
  return inPart === 0
    ? 'The file can be imported.'
    : `The file can be imported, ${formatNumber(inPart)} of its responses in part.`;
}
