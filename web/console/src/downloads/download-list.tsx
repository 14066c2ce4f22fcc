import { Button } from '../ui/button.tsx';
import { formatBytes, formatNumber } from '../ui/format.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import { type Download, useDownloads } from './downloads.tsx';

const STATES: Readonly<Record<Download['state'], string>> = {
  running: 'Downloading',
  finished: 'Downloaded',
  cancelled: 'Cancelled',
  failed: 'Failed',
};

/** The downloads of a group, with their progress. Renders nothing if there are none. */
export function DownloadList({ group }: { readonly group: string }) {
  const { downloads, cancel, dismiss } = useDownloads();
  const shown = downloads.filter((download) => download.group === group);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Downloads" className="stack no-print">
      {shown.map((download) => (
        <div key={download.id} className="card stack">
          <div className="row">
            <strong>
              {STATES[download.state]}: <bdi>{download.fileName}</bdi>
            </strong>
            <span className="soft small">{describeProgress(download)}</span>
            {download.state === 'running' ? (
              <Button onPress={() => cancel(download.id)}>Cancel</Button>
            ) : (
              <Button variant="plain" onPress={() => dismiss(download.id)}>
                Dismiss
              </Button>
            )}
          </div>
          {download.state === 'running' && (
            <progress className="progress" aria-label={download.fileName} {...progressOf(download)} />
          )}
          {download.state === 'failed' && (
            <>
              <p>The file is incomplete and was discarded.</p>
              <ErrorNotice error={download.error} />
            </>
          )}
        </div>
      ))}
    </section>
  );
}

/** Attributes of the progress bar: none as long as the total is unknown. */
function progressOf({ bytes, totalBytes, rows, totalRows }: Download): {
  readonly value?: number;
  readonly max?: number;
} {
  if (rows !== undefined && totalRows) return { value: Math.min(rows, totalRows), max: totalRows };
  return totalBytes ? { value: bytes, max: totalBytes } : {};
}

function describeProgress({ bytes, totalBytes, rows, totalRows, state }: Download): string {
  const size = formatBytes(bytes);
  const amount = state === 'running' && totalBytes !== undefined ? `${size} of ${formatBytes(totalBytes)}` : size;
  if (rows === undefined) return totalRows === undefined ? amount : `${amount}, ${formatNumber(totalRows)} responses`;
  const ofTotal = state === 'running' && totalRows !== undefined ? ` of ${formatNumber(totalRows)}` : '';
  return `${amount}, ${formatNumber(rows)}${ofTotal} responses`;
}
