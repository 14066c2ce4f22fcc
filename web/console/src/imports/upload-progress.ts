import { formatBytes, formatDuration, formatShare } from '../ui/format.tsx';
import { estimate, type Sample } from './progress-estimate.ts';

/** Describes the progress of an upload, with the remaining time once it is known. */
export function describeUpload(sentBytes: number, totalBytes: number, samples: readonly Sample[]): string {
  if (sentBytes >= totalBytes) return `${formatBytes(totalBytes)} are uploaded. The platform replies soon…`;
  const sent = `${formatBytes(sentBytes)} of ${formatBytes(totalBytes)}, ${formatShare(sentBytes / totalBytes)}`;
  const left = estimate(samples, totalBytes)?.millisecondsLeft;
  return left === undefined ? sent : `${sent}, about ${formatDuration(Math.max(1000, left))} left`;
}
