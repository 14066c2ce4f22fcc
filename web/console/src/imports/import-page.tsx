import type { ImportJob } from '@survey/client';
import { Link, useParams } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';
import { QueryView } from '../ui/states.tsx';
import { ImportDetails } from './import-details.tsx';
import { ImportStatus } from './import-list-page.tsx';
import type { Sample } from './progress-estimate.ts';
import { useImport } from './use-import.ts';

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
