import type { ImportJob } from '@survey/client';
import { Link } from '@tanstack/react-router';
import { useCan, useClient } from '../session/session.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { formatNumber, Time } from '../ui/format.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty, Progress } from '../ui/states.tsx';
import { sourceLabel } from './import-settings.ts';
import { ImportedSurvey, ImportStatus, isRunning, stepOf } from './import-state.tsx';
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
