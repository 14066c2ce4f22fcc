import type { ImportJob } from '@survey/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { formatBytes, formatDuration, formatNumber, Time } from '../ui/format.tsx';
import { Facts, Page } from '../ui/page.tsx';
import { Progress, QueryView } from '../ui/states.tsx';
import { ImportReport } from './import-report.tsx';
import { sourceLabel } from './import-settings.ts';
import { estimate, ImportedSurvey, ImportStatus, isRunning, type Sample, stepOf, useImport } from './import-state.tsx';

interface Props {
  readonly item: ImportJob;
  readonly samples: readonly Sample[];
}

/** The progress of a running import, or the report of a finished one. */
export function ImportDetails({ item, samples }: Props) {
  return (
    <div className="stack">
      {isRunning(item) ? <Running item={item} samples={samples} /> : <Finished item={item} />}
      <dl>
        <dt>Survey</dt>
        <dd>
          <ImportedSurvey item={item} />
        </dd>
        <dt>File</dt>
        <dd>
          {sourceLabel(item.source)}, {item.format.toUpperCase()}, {formatBytes(item.progress.total_bytes)}
        </dd>
        <dt>Started</dt>
        <dd>
          <Time value={item.created_at} />
        </dd>
        {item.finished_at !== undefined && (
          <>
            <dt>Ended</dt>
            <dd>
              <Time value={item.finished_at} />, after{' '}
              {formatDuration(Date.parse(item.finished_at) - Date.parse(item.created_at))}
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd>
          <code>{item.id}</code>
        </dd>
      </dl>
      {!isRunning(item) && <ImportReport item={item} />}
    </div>
  );
}

function Running({ item, samples }: Props) {
  const { progress, status } = item;
  const canCancel = useCan()('imports:write') && status === 'running';
  const [isCancelling, setCancelling] = useState(false);
  const { done, total } = stepOf(progress);
  return (
    <div className="card stack">
      <Progress
        label="Progress of the import"
        share={total > 0 ? done / total : undefined}
        text={progressText(item, samples)}
      />
      <Facts
        facts={[
          { label: 'Read', value: formatNumber(progress.read ?? progress.rows) },
          { label: item.dry_run ? 'Can be imported' : 'Imported', value: formatNumber(progress.imported) },
          { label: 'Skipped: already stored', value: formatNumber(progress.skipped) },
          { label: 'Rejected', value: formatNumber(progress.failed), tone: progress.failed > 0 ? 'bad' : undefined },
          ...partFacts(progress),
        ]}
      />
      <p className="soft small">
        You can leave this page. The import continues, and the list of imports leads back here.
      </p>
      {canCancel && (
        <div>
          <Button onPress={() => setCancelling(true)}>Cancel the import</Button>
        </div>
      )}
      {isCancelling && <CancelImport item={item} onClose={() => setCancelling(false)} />}
    </div>
  );
}

function progressText({ progress, status }: ImportJob, samples: readonly Sample[]): string {
  if (status === 'cancelling') return 'Stopping after the current batch…';
  const { isStoring, done, total } = stepOf(progress);
  if (!isStoring) return `Reading the file: ${formatBytes(done)} of ${formatBytes(total)}`;
  const stored = `${formatNumber(done)} of ${formatNumber(total)} responses`;
  const speed = estimate(samples, total, 'rows');
  if (speed === undefined) return stored;
  const rate = `${formatNumber(Math.round(speed.rowsPerSecond))} responses/s`;
  const { millisecondsLeft: left } = speed;
  return left === undefined
    ? `${stored}, ${rate}`
    : `${stored}, ${rate}, about ${formatDuration(Math.max(1000, left))} left`;
}

function Finished({ item }: { readonly item: ImportJob }) {
  const { dry_run, total = 0, imported = 0, skipped = 0, failed = 0, questions, status } = item;
  const { imported_in_part = 0, left_out = 0 } = item;
  return (
    <>
      {dry_run && (
        <div className="notice">
          <p>This was a dry run: nothing is stored.</p>
        </div>
      )}
      {status === 'failed' && (
        <div className="notice" data-tone="bad">
          <p>
            {dry_run ? 'This file cannot be imported as it is.' : 'The import failed.'} The report below names the
            reason.
          </p>
        </div>
      )}
      {status === 'cancelled' && (
        <div className="notice" data-tone="warn">
          <p>The import was cancelled. Responses that were stored before are kept.</p>
        </div>
      )}
      <Facts
        facts={[
          { label: 'Questions', value: formatNumber(questions) },
          { label: 'Responses in the file', value: formatNumber(total) },
          {
            label: dry_run ? 'Can be imported' : 'Imported',
            value: formatNumber(imported),
            tone: imported > 0 ? 'good' : undefined,
          },
          { label: 'Skipped: already stored', value: formatNumber(skipped) },
          { label: 'Rejected', value: formatNumber(failed), tone: failed > 0 ? 'bad' : undefined },
          ...partFacts({ imported_in_part, left_out }),
        ]}
      />
    </>
  );
}

/** Numbers that are shown only if they are not 0. */
function partFacts({
  imported_in_part: inPart,
  left_out: leftOut,
}: Pick<ImportJob['progress'], 'imported_in_part' | 'left_out'>) {
  return [
    ...(inPart > 0 ? [{ label: 'Imported in part', value: formatNumber(inPart), tone: 'warn' as const }] : []),
    ...(leftOut > 0 ? [{ label: 'Responses left out', value: formatNumber(leftOut) }] : []),
  ];
}

function CancelImport({ item, onClose }: { readonly item: ImportJob; readonly onClose: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  return (
    <FormDialog
      title="Cancel the import?"
      submitLabel="Cancel the import"
      isDangerous
      isOpen
      onClose={onClose}
      onSubmit={() =>
        client.imports.cancel(item.id).finally(() => void queryClient.invalidateQueries({ queryKey: ['imports'] }))
      }
    >
      <p>It stops after its current batch. Stored responses stay.</p>
    </FormDialog>
  );
}

/** One import: its progress while it runs, then its report. */
export function ImportPage() {
  const { importId } = useParams({ from: '/imports/$importId' });
  const { query, samples } = useImport(importId);
  return <QueryView query={query}>{(item) => <LoadedImport item={item} samples={samples} />}</QueryView>;
}

function LoadedImport({ item, samples }: { readonly item: ImportJob; readonly samples: readonly Sample[] }) {
  return (
    <Page
      title="Import"
      breadcrumbs={[
        <Link key="list" to="/imports">
          Imports
        </Link>,
      ]}
      status={<ImportStatus item={item} />}
    >
      <ImportDetails item={item} samples={samples} />
    </Page>
  );
}
