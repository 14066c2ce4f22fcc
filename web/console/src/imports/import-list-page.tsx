import { ApiError, type ImportJob } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { SurveyTitleById } from '../surveys/survey-name.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { formatNumber, Time } from '../ui/format.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty, Progress, Status } from '../ui/states.tsx';
import { sourceLabel } from './import-settings.ts';
import { addSample, type Sample, stepOf } from './progress-estimate.ts';
import { UploadList } from './upload-list.tsx';

export function ImportListPage() {
  const client = useClient();
  const can = useCan();
  const imports = usePages(
    ['imports', 'list'],
    (cursor, signal) => client.imports.list(cursor === undefined ? {} : { cursor }, { signal }).page(),
    { isChanging: isRunning },
  );
  const start = (can('surveys:import') || can('responses:import')) && (
    <Link className="button" data-variant="primary" to="/imports/new">
      New import
    </Link>
  );

  return (
    <Page title="Imports" actions={start}>
      <UploadList />
      <PagedList
        query={imports}
        empty={
          <Empty title="There are no imports of the last 90 days.">
            <p>Import surveys and responses from spreadsheets and other survey tools.</p>
          </Empty>
        }
      >
        {(items) => (
          <DataTable
            caption="Imports"
            rows={items}
            rowKey={(item) => item.id}
            columns={[
              {
                header: 'Started',
                cell: ({ id, created_at }) => (
                  <Link to="/imports/$importId" params={{ importId: id }}>
                    <Time value={created_at} />
                  </Link>
                ),
              },
              { header: 'Status', cell: (item) => <ImportStatus item={item} /> },
              { header: 'Survey', cell: (item) => <ImportedSurvey item={item} /> },
              { header: 'File', cell: ({ source, format }) => `${sourceLabel(source)}, ${format.toUpperCase()}` },
              { header: 'Responses', cell: (item) => <Result item={item} /> },
            ]}
          />
        )}
      </PagedList>
    </Page>
  );
}

export function ImportStatus({ item: { status, dry_run } }: { readonly item: ImportJob }) {
  return (
    <span className="row">
      <Status value={status} />
      {dry_run && <Status value="dry run" />}
    </span>
  );
}

/** The survey of an import. A dry run of a new survey leaves none behind. */
export function ImportedSurvey({ item: { survey_id, status } }: { readonly item: ImportJob }) {
  if (survey_id === '' || status === 'running' || status === 'failed') return <span className="soft">–</span>;
  return (
    <Link to="/surveys/$surveyId" params={{ surveyId: survey_id }}>
      <SurveyTitleById surveyId={survey_id} />
    </Link>
  );
}

function Result({ item }: { readonly item: ImportJob }) {
  const { progress, imported = 0, skipped = 0, failed = 0, dry_run, created_at } = item;
  if (isRunning(item)) {
    const { done, total } = stepOf(progress);
    return (
      <Progress
        label={`Progress of the import of ${created_at}`}
        share={total > 0 ? done / total : undefined}
        text={`${formatNumber(progress.rows)} responses`}
      />
    );
  }
  return (
    <>
      <div className="nowrap">
        {formatNumber(imported)} {dry_run ? 'can be imported' : 'imported'}
      </div>
      {skipped > 0 && <div className="soft small">{formatNumber(skipped)} existed already</div>}
      {failed > 0 && <div className="small">{formatNumber(failed)} rejected</div>}
    </>
  );
}

const PAUSE_MS = 1_000;

export function isRunning({ status }: Pick<ImportJob, 'status'>): boolean {
  return status === 'running' || status === 'cancelling';
}

/**
 * Returns the milliseconds until an import is read again; false for never. Errors such as 403 and 404 are final.
 *
 * @param item the import as it was read last
 * @param error the error of the last read
 */
export function pauseBeforeNextRead(item: Pick<ImportJob, 'status'> | undefined, error: unknown): number | false {
  const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return !isFinal && (item === undefined || isRunning(item)) ? PAUSE_MS : false;
}

/** Reads an import, again and again while it runs, with samples of its progress. */
export function useImport(importId: string) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['imports', importId],
    queryFn: ({ signal }) => client.imports.get(importId, { signal }),
    refetchInterval: ({ state }) => pauseBeforeNextRead(state.data, state.error),
  });
  const { data, dataUpdatedAt } = query;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (data === undefined) return;
    const { bytes, rows } = data.progress;
    setSamples((previous) => addSample(previous, { at: dataUpdatedAt, bytes, rows }));
  }, [data, dataUpdatedAt]);
  return { query, samples };
}
