import type { ImportJob } from '@survey/client';
import { formatNumber } from '../ui/format.tsx';
import { isRunning } from './use-import.ts';

type Item = Pick<ImportJob, 'status' | 'total' | 'imported' | 'failed'>;

/** Tells in a sentence whether a file can be imported. */
export function describeDryRun({ status, total = 0, imported = 0, failed = 0 }: Item): string {
  if (isRunning({ status })) return 'The file is being checked…';
  if (status !== 'completed') return 'The check has ended.';
  if (failed === 0) return 'The file can be imported.';
  return `${formatNumber(imported)} of ${formatNumber(total)} responses can be imported.`;
}
