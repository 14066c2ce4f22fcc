import type { ImportJob } from '@survey/client';
import { DownloadList } from '../downloads/download-list.tsx';
import { useDownloads } from '../downloads/downloads.tsx';
import { useClient } from '../session/session.tsx';
import { Status } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { formatNumber } from '../ui/format.tsx';
import { locateError } from './error-location.ts';
import { groupWarnings } from './warning-kinds.ts';

/** The warnings of an import by kind, and its rejected responses by location. */
export function ImportReport({ item }: { readonly item: ImportJob }) {
  const kinds = groupWarnings(item.warnings);
  if (kinds.length === 0 && item.errors.length === 0 && item.omissions.length === 0) {
    return <p className="soft">There are no warnings, and no response was rejected.</p>;
  }
  return (
    <>
      {kinds.length > 0 && (
        <section className="stack" aria-labelledby="warnings">
          <h2 id="warnings">{item.status === 'failed' ? 'Problems' : 'Warnings'}</h2>
          {kinds.map(({ code, meaning, warnings }) => (
            <details key={code} className="card" open={kinds.length < 4}>
              <summary>
                <Status value={code} tone="warn" /> {meaning} <span className="soft">({warnings.length})</span>
              </summary>
              <ul>
                {warnings.map(({ path, detail }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a finished report does not change.
                  <li key={index}>
                    {path !== '' && (
                      <>
                        <code>
                          <bdi>{path}</bdi>
                        </code>{' '}
                      </>
                    )}
                    <bdi>{detail}</bdi>
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </section>
      )}
      {item.omissions.length > 0 && <Omissions item={item} />}
      {item.errors.length > 0 && <RejectedResponses item={item} />}
    </>
  );
}

const ACTIONS: Readonly<Record<ImportJob['omissions'][number]['action'], string>> = {
  kept: 'kept in the metadata',
  dropped: 'dropped',
  missing: 'missing in the file',
};

function Omissions({ item: { omissions } }: { readonly item: ImportJob }) {
  return (
    <section className="stack" aria-labelledby="omissions">
      <h2 id="omissions">Values that are not stored as answers</h2>
      <DataTable
        caption="Values that are not stored as answers"
        rows={omissions}
        rowKey={({ column, code, action }) => `${column} ${code} ${action}`}
        columns={[
          { header: 'Column or question', cell: ({ column }) => (column === '' ? '–' : <bdi>{column}</bdi>) },
          { header: 'Responses', cell: ({ count }) => formatNumber(count) },
          { header: 'Values are', cell: ({ action }) => ACTIONS[action] },
          { header: 'Reason', cell: ({ detail }) => <bdi>{detail}</bdi> },
          { header: 'Code', cell: ({ code }) => <code>{code}</code> },
          { header: 'Examples', cell: ({ examples }) => examples.map(positionOf).join(', ') },
        ]}
      />
    </section>
  );
}

function positionOf({ index, row }: ImportJob['omissions'][number]['examples'][number]): string {
  return row === undefined ? `response ${formatNumber(index + 1)}` : `row ${formatNumber(row)}`;
}

function RejectedResponses({ item: { id, errors, format, failed = 0 } }: { readonly item: ImportJob }) {
  const rows = errors.map((error) => ({ ...error, ...locateError(error, format) }));
  return (
    <section className="stack" aria-labelledby="rejected">
      <div className="row">
        <h2 id="rejected">Rejected responses</h2>
        <DownloadErrors importId={id} />
      </div>
      <DownloadList group={groupOf(id)} />
      <DataTable
        caption="Rejected responses"
        rows={rows}
        rowKey={({ index, code, detail }) => `${index} ${code} ${detail}`}
        columns={[
          { header: 'Location', cell: ({ position }) => <span className="nowrap">{position}</span> },
          { header: 'Column', cell: ({ column }) => (column === '' ? '–' : <bdi>{column}</bdi>) },
          { header: 'Response', cell: ({ id: responseId }) => (responseId === '' ? '–' : <bdi>{responseId}</bdi>) },
          { header: 'Problem', cell: ({ text }) => <bdi>{text}</bdi> },
          { header: 'Code', cell: ({ code }) => <code>{code}</code> },
        ]}
      />
      {failed > errors.length && (
        <p className="soft">
          The first {formatNumber(errors.length)} of {formatNumber(failed)}. Download the file for the others.
        </p>
      )}
    </section>
  );
}

function DownloadErrors({ importId }: { readonly importId: string }) {
  const client = useClient();
  const { start } = useDownloads();
  return (
    <Button
      onPress={() =>
        void start({
          group: groupOf(importId),
          fileName: `import-errors-${importId}.ndjson`,
          mediaType: 'application/x-ndjson',
          asksWhereToSave: false,
          open: (signal) => client.imports.listErrors(importId, { signal }),
        })
      }
    >
      Download all errors
    </Button>
  );
}

function groupOf(importId: string): string {
  return `import ${importId}`;
}
