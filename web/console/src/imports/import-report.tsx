import type { ImportError, ImportJob, ImportWarning } from '@survey/client';
import { DownloadList } from '../downloads/download-list.tsx';
import { useDownloads } from '../downloads/downloads.tsx';
import { useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { formatNumber } from '../ui/format.tsx';
import { Status } from '../ui/states.tsx';
import { isRunning } from './import-state.tsx';

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

/** The error of a rejected response, with its location in the file. */
interface LocatedError {
  /** Row of a table or line of a file; without one, the position among the responses, from 1. */
  readonly position: string;
  /** Column or question; empty if the error is not in one. */
  readonly column: string;
  /** The explanation without the location. */
  readonly text: string;
}

/** The location at the beginning of a detail, such as `row 3, question q1: ` or `/data/q1 UNKNOWN_OPTION: `. */
const LOCATION = /^(?:(?:row|line) \d+(?:, (?:column|question) [^:]{1,256})?[:,] ?|\/data\/\S{1,256} [A-Z_]{3,}: )/u;

export function locateError({ index, row, column = '', detail }: ImportError, format: string): LocatedError {
  const unit = format === 'ndjson' ? 'line' : 'row';
  const position = row === undefined ? `response ${index + 1}` : `${unit} ${row}`;
  // Without row and column, the location in the detail is more precise than the position.
  return { position, column, text: row === undefined && column === '' ? detail : detail.replace(LOCATION, '') };
}

/** Meanings of the codes of warnings, for people. Other codes have only their details. */
const MEANINGS: Readonly<Record<string, string>> = {
  NO_SUCH_TYPE: 'Changed: questions without an equivalent got the nearest type, or are kept as source data.',
  LOGIC_NOT_CONVERTED: 'Lost: logic without an equivalent. The questions are always shown and never required.',
  MORE_PAGES: 'Lost, unless you import them too: the responses of further pages.',
  NOT_IMPORTED: 'Lost: columns, files, answers or settings.',
  HTML_REMOVED: 'Lost: markup, or the end of a text.',
  KEPT_AS_SOURCE_DATA: 'Kept as source data, without effect. Respondents can read it.',
  KEPT_AS_METADATA: 'Kept as metadata, without effect. Respondents can read it.',
  ID_CHANGED: 'Changed: ids that were invalid or duplicate.',
  TITLE_MADE: 'Changed: questions without a title got one.',
  EMPTY_TITLE: 'Changed: questions without a title.',
  NOT_TRANSLATED: 'Lost: texts lack a language of the survey.',
  LENGTH_LIMITED: 'Changed: longer texts were allowed than the platform stores.',
  SCHEMA_VERSION_SET: 'Changed: the version of the format of definitions.',
  COLUMN_GUESSED:
    'Columns of Microsoft Forms with headings that are not English: their targets were chosen by position.',
  TIME_ZONE_ASSUMED: 'Times without a zone are read as UTC. You can choose another time zone.',
  NOT_A_RESPONSE: 'Rows that repeat the header, or have titles or texts of columns, are left out.',
  TIME_ASSUMED: 'Responses without a time get the time of the import.',
  READ_AS_OPTION: 'Dates in columns of options are read as the options from which a spreadsheet made them.',
  START_UNKNOWN: 'The start of responses is not in the file. Summaries have no durations of them.',
  PLACEHOLDER_KEPT: 'Placeholders for answers or variables stay as they are. Respondents see them.',
  MORE_WARNINGS: 'There are more warnings than the report can hold.',
};

/** Warnings of the same kind. */
interface WarningKind {
  readonly code: string;
  readonly meaning: string | undefined;
  readonly warnings: readonly ImportWarning[];
}

/** Groups warnings by their code. The groups are in the order of their first warnings. */
export function groupWarnings(warnings: readonly ImportWarning[]): readonly WarningKind[] {
  return [...Map.groupBy(warnings, ({ code }) => code)].map(([code, members]) => ({
    code,
    meaning: MEANINGS[code],
    warnings: members,
  }));
}
